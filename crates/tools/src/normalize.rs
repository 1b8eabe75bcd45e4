//! Arguments as models send them: null for one that they leave out, and `10.0` for `10`.

use serde_json::Value;

/// Above this, an integer has no exact `f64`.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Removes fields that are null, and writes whole numbers without decimals. Fields that the schema does not have stay, so
/// that they are refused.
pub(crate) fn normalize(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, field| !field.is_null() || property(schema, name).is_none());
            for (name, field) in fields {
                if let Some(schema) = property(schema, name) {
                    normalize(field, schema);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = in_forms(schema, &|form| form.get("items")) {
                for item in items {
                    normalize(item, schema);
                }
            }
        }
        Value::Number(number) => {
            let is_integer = |form: &Value| match &form["type"] {
                Value::Array(kinds) => kinds.iter().any(|kind| kind == "integer"),
                kind => kind == "integer",
            };
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            if number.is_f64()
                && let Some(whole) = whole.filter(|number| number.abs() <= MAX_EXACT_INTEGER)
                && in_forms(schema, &|form| is_integer(form).then_some(())).is_some()
            {
                #[expect(clippy::cast_possible_truncation, reason = "it is a whole number within the limits")]
                let whole = whole as i64;
                *value = whole.into();
            }
        }
        _ => {}
    }
}

fn property<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    in_forms(schema, &|form| form.get("properties")?.get(name))
}

/// What `find` finds in the schema or in its alternatives.
fn in_forms<'s, T>(schema: &'s Value, find: &impl Fn(&'s Value) -> Option<T>) -> Option<T> {
    find(schema).or_else(|| {
        let alternatives = ["anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name)?.as_array());
        alternatives.flatten().find_map(|form| in_forms(form, find))
    })
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::json;

    use super::*;
    use crate::schema::schema_for;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Sample {
        name: String,
        count: Option<u32>,
        share: Option<f64>,
        media: Option<Vec<Picture>>,
        best: Option<Picture>,
        shape: Option<Shape>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Picture {
        url: String,
        #[serde(default)]
        width: u32,
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Shape {
        Circle { radius: u32 },
        Square { side: u32 },
    }

    #[test]
    fn null_fields_and_whole_numbers_are_normalized_at_every_depth() {
        let schema = schema_for::<Sample>();
        let normalized = |mut value: Value| {
            normalize(&mut value, &schema);
            value
        };
        assert_eq!(normalized(json!({"name": null, "count": null, "media": null, "best": null})), json!({}));
        assert_eq!(normalized(json!({"count": 10.0, "share": 10.0})), json!({"count": 10, "share": 10.0}));
        assert_eq!(
            normalized(json!({"media": [{"url": null, "width": 2.0}, null], "best": {"width": -3e2}})),
            json!({"media": [{"width": 2}, null], "best": {"width": -300}})
        );
        assert_eq!(
            normalized(json!({"shape": {"kind": "square", "side": 4.0}})),
            json!({"shape": {"kind": "square", "side": 4}})
        );
        let unchanged = json!({"count": 1.5, "no_such_field": null, "name": ["a", 1.0, {"count": null}]});
        assert_eq!(normalized(unchanged.clone()), unchanged);
        assert_eq!(normalized(json!({"count": 1e300})), json!({"count": 1e300}));
    }
}

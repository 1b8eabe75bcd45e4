//! The JSON schemas of what tools take and return, made from their Rust types.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::tool::Failure;

/// The schema of a type, whole in one place: not every model follows references.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.entry("properties").or_insert_with(|| json!({}));
    }
    each_object(&mut schema, &|object| {
        // Not of JSON Schema: they name Rust's types.
        if object.get("format").and_then(Value::as_str).is_some_and(names_a_number) {
            object.remove("format");
        }
    });
    schema
}

/// What a tool returns: its own result, or a failure.
pub(crate) fn of_result<T: JsonSchema>() -> Value {
    let mut schema = of::<T>();
    let object = schema.as_object_mut().expect("a result is an object");
    let required = object.remove("required").unwrap_or_else(|| json!([]));
    object.insert("anyOf".to_owned(), json!([{"required": required}, of::<Failure>()]));
    schema
}

/// The same schema, with nothing in it but what a value is checked by.
pub(crate) fn without_words(mut schema: Value) -> Value {
    each_object(&mut schema, &|object| {
        // What a field is called is an object's key too, but what it holds is an object.
        object.retain(|name, value| name != "description" || value.is_object());
        if let Some(values) = object.get("oneOf").and_then(constants) {
            object.remove("oneOf");
            object.insert("type".to_owned(), json!("string"));
            object.insert("enum".to_owned(), values);
        }
    });
    schema
}

/// The texts that a choice is between, if it is between texts alone.
fn constants(choice: &Value) -> Option<Value> {
    let mut values = Vec::new();
    for form in choice.as_array()? {
        match (form.get("const"), form.get("enum")) {
            (Some(value @ Value::String(_)), _) => values.push(value.clone()),
            (None, Some(Value::Array(several))) if form["type"] == "string" => {
                values.extend_from_slice(several);
            }
            _ => return None,
        }
    }
    Some(values.into())
}

fn names_a_number(format: &str) -> bool {
    ["int", "uint", "float", "double"].iter().any(|kind| format.starts_with(kind))
}

/// Calls `change` with every object in a schema, the innermost first.
fn each_object(schema: &mut Value, change: &impl Fn(&mut Map<String, Value>)) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(|value| each_object(value, change));
            change(object);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_and_what_is_checked_stays() {
        let schema = json!({
            "description": "All of it.",
            "type": "object",
            "properties": {
                "description": {"type": "string", "description": "A field of that name."},
                "state": {"description": "How it is.", "oneOf": [
                    {"const": "new", "description": "Just made.", "type": "string"},
                    {"enum": ["old", "gone"], "type": "string"},
                ]},
                "either": {"oneOf": [{"const": "none", "type": "string"}, {"type": "number"}]},
            },
            "required": ["description"],
        });
        let bare = json!({
            "type": "object",
            "properties": {
                "description": {"type": "string"},
                "state": {"type": "string", "enum": ["new", "old", "gone"]},
                "either": {"oneOf": [{"const": "none", "type": "string"}, {"type": "number"}]},
            },
            "required": ["description"],
        });
        assert_eq!(without_words(schema), bare);
    }
}

//! JSON schemas of tool arguments and results, generated from their Rust types.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::{approvals::AwaitingApproval, tool_error::ToolFailure};

/// The schema of a type without `$ref`: not every model follows references.
pub(crate) fn schema_for<T: JsonSchema>() -> Value {
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
        // schemars writes the names of Rust number types, which JSON Schema does not define.
        if object.get("format").and_then(Value::as_str).is_some_and(is_rust_number) {
            object.remove("format");
        }
    });
    schema
}

/// The schema of what a tool returns: its own result or a failure.
pub(crate) fn result_schema_for<T: JsonSchema>() -> Value {
    let mut schema = schema_for::<T>();
    let object = schema.as_object_mut().expect("a result is an object");
    let required = object.remove("required").unwrap_or_else(|| json!([]));
    object.insert("anyOf".to_owned(), json!([{"required": required}, schema_for::<ToolFailure>()]));
    schema
}

/// The schema of what a write tool returns: this result, or that the call waits for approval.
pub(crate) fn held_or(mut result: Value) -> Value {
    let held = schema_for::<AwaitingApproval>();
    // The properties of a result hold for all its forms, so a property of both must allow both.
    for (name, other) in held["properties"].as_object().into_iter().flatten() {
        if let Some(own) = result["properties"].get_mut(name) {
            *own = json!({"anyOf": [own.take(), other]});
        }
    }
    if let Some(forms) = result["anyOf"].as_array_mut() {
        forms.push(held);
    }
    result
}

/// The same schema without descriptions. It accepts the same values.
pub(crate) fn without_descriptions(mut schema: Value) -> Value {
    each_object(&mut schema, &|object| {
        // A property named `description` is an object and stays.
        object.retain(|name, value| name != "description" || value.is_object());
        if let Some(values) = object.get("oneOf").and_then(constants) {
            object.remove("oneOf");
            object.insert("type".to_owned(), json!("string"));
            object.insert("enum".to_owned(), values);
        }
    });
    schema
}

/// The values of a `oneOf` if all of them are strings.
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

fn is_rust_number(format: &str) -> bool {
    ["int", "uint", "float", "double"].iter().any(|kind| format.starts_with(kind))
}

/// Calls `change` with every object in a schema, innermost first.
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
    fn removing_descriptions_keeps_every_constraint() {
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
        assert_eq!(without_descriptions(schema), bare);
    }
}

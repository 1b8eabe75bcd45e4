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
        if let Some(max) = object.get("format").and_then(Value::as_str).and_then(max_of) {
            object.remove("format");
            if object.get("type").is_some_and(allows_integer) {
                object.entry("maximum").or_insert_with(|| max.into());
            }
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

/// An enumeration with more values is not listed: results show the values, and the answer to a wrong one lists them.
const MAX_LISTED_VALUES: usize = 20;
/// A larger bound is that of a Rust type.
const MAX_LISTED_BOUND: u64 = 1_000_000;
/// They mean the same in every tool, and their names say it.
const PLAIN_ARGUMENTS: [&str; 4] = ["cursor", "idempotency_key", "limit", "post_id"];

/// The schema of arguments as the list of tools has it. It is short, because every agent pays for it in each session: what
/// only the service checks is left out, and the answer to a wrong value says what is right.
pub(crate) fn listed_input(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.remove("description");
    }
    simplify(&mut schema);
    for (name, argument) in schema["properties"].as_object_mut().into_iter().flatten() {
        if let Some(items) = argument.get_mut("items") {
            each_object(items, &|object| {
                // The names of fields say enough. A property named `description` is an object and stays.
                object.retain(|name, value| name != "description" || value.is_object());
            });
        }
        if PLAIN_ARGUMENTS.contains(&name.as_str())
            && let Some(argument) = argument.as_object_mut()
        {
            argument.remove("description");
        }
    }
    schema
}

fn simplify(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    remove_null(object);
    if let Some(values) = object.get("oneOf").and_then(constants) {
        object.remove("oneOf");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), values);
    }
    object.retain(|name, value| match name.as_str() {
        "additionalProperties"
        | "examples"
        | "format"
        | "maxLength"
        | "minLength"
        | "pattern"
        | "uniqueItems" => false,
        "minimum" | "minItems" => value.as_u64().is_none_or(|min| min > 1),
        "maximum" => value.as_u64().is_none_or(|max| max <= MAX_LISTED_BOUND),
        "default" => !is_blank(value),
        "enum" => value.as_array().is_none_or(|values| values.len() <= MAX_LISTED_VALUES),
        _ => true,
    });
    for (name, part) in object {
        match (name.as_str(), part) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(simplify),
            ("anyOf" | "oneOf", Value::Array(forms)) => forms.iter_mut().for_each(simplify),
            ("items", item) => simplify(item),
            _ => {}
        }
    }
}

/// Null means the same as a field that is left out, so a schema need not allow it.
fn remove_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &mut kinds[..] {
            let kind = kind.take();
            object.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| form["type"] != "null");
        if let [Value::Object(form)] = &mut forms[..] {
            let form = std::mem::take(form);
            object.remove("anyOf");
            for (name, value) in form {
                object.entry(name).or_insert(value);
            }
        }
    }
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The schema of a result as the list of tools has it: its fields, and those of the rows in its lists, with their types. A
/// failure fits it too, because no field is required. A field that may be null has no type.
pub(crate) fn listed_output(schema: &Value) -> Value {
    fn object(schema: &Value, field: fn(&Value) -> Value) -> Value {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let properties: Map<_, _> = properties.map(|(name, schema)| (name.clone(), field(schema))).collect();
        json!({"type": "object", "properties": properties})
    }
    object(schema, |field| {
        let mut listed = only_type(field);
        if field["type"] == "array" && field["items"]["properties"].is_object() {
            listed["items"] = object(&field["items"], only_type);
        }
        listed
    })
}

fn only_type(schema: &Value) -> Value {
    match &schema["type"] {
        Value::String(kind) => json!({"type": kind}),
        Value::Null if constants(&schema["oneOf"]).is_some() => json!({"type": "string"}),
        _ => json!({}),
    }
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

/// The largest value of a Rust number type. 64-bit numbers end where other languages become inexact.
fn max_of(format: &str) -> Option<u64> {
    match format {
        "int8" => Some(i8::MAX.unsigned_abs().into()),
        "uint8" => Some(u8::MAX.into()),
        "int16" => Some(i16::MAX.unsigned_abs().into()),
        "uint16" => Some(u16::MAX.into()),
        "int32" => Some(i32::MAX.unsigned_abs().into()),
        "uint32" => Some(u32::MAX.into()),
        "int" | "uint" | "int64" | "uint64" | "float" | "double" => Some((1 << 53) - 1),
        _ => None,
    }
}

fn allows_integer(kind: &Value) -> bool {
    kind == "integer" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "integer"))
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
    fn listed_input_has_what_a_model_needs_to_know() {
        let schema = json!({
            "description": "The type.",
            "type": "object",
            "additionalProperties": false,
            "required": ["text"],
            "properties": {
                "text": {"type": "string", "description": "What to say.", "minLength": 1, "maxLength": 300},
                // A property may have the name of a keyword.
                "format": {"type": ["string", "null"], "pattern": "^[a-z]+$"},
                "limit": {"type": "integer", "description": "How many.", "minimum": 1, "maximum": 100, "default": 20},
                "version": {"type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295_u64},
                "dry_run": {"type": "boolean", "default": false},
                "state": {"description": "How it is.", "anyOf": [
                    {"oneOf": [
                        {"const": "new", "description": "Just made.", "type": "string"},
                        {"enum": ["old", "gone"], "type": "string"},
                    ]},
                    {"type": "null"},
                ]},
                "code": {"enum": (0..30).collect::<Vec<_>>(), "type": "string"},
                "media": {"type": ["array", "null"], "maxItems": 10, "minItems": 1, "uniqueItems": true, "items": {
                    "type": "object", "required": ["url"],
                    "properties": {"url": {"format": "uri", "type": "string", "description": "An address."}},
                }},
            },
        });
        let listed = json!({
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": {"type": "string", "description": "What to say."},
                "format": {"type": "string"},
                "limit": {"type": "integer", "maximum": 100, "default": 20},
                "version": {"type": "integer"},
                "dry_run": {"type": "boolean"},
                "state": {"description": "How it is.", "type": "string", "enum": ["new", "old", "gone"]},
                "code": {"type": "string"},
                "media": {"type": "array", "maxItems": 10, "items": {
                    "type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"],
                }},
            },
        });
        assert_eq!(listed_input(schema), listed);
    }

    #[test]
    fn listed_output_has_the_fields_of_a_result_and_of_its_rows() {
        let schema = json!({
            "type": "object",
            "anyOf": [{"required": ["items"]}, {"properties": {"code": {"type": "string"}}}],
            "properties": {
                "items": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string", "description": "Its id."},
                    "title": {"type": ["string", "null"]},
                    "state": {"oneOf": [{"const": "new", "type": "string"}]},
                    "inner": {"type": "object", "properties": {"deep": {"type": "string"}}},
                }}},
                "summary": {"anyOf": [{"type": "object"}, {"type": "null"}]},
                "names": {"type": "array", "items": {"type": "string"}},
            },
        });
        let listed = json!({"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": {
                "id": {"type": "string"}, "title": {}, "state": {"type": "string"}, "inner": {"type": "object"},
            }}},
            "summary": {},
            "names": {"type": "array"},
        }});
        assert_eq!(listed_output(&schema), listed);
    }

    #[test]
    fn integers_are_bounded_by_their_rust_type() {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct Sample {
            small: u32,
            #[schemars(range(max = 9))]
            bounded: Option<u32>,
            share: f64,
        }
        let schema = schema_for::<Sample>();
        assert_eq!(
            schema["properties"]["small"],
            json!({"type": "integer", "minimum": 0, "maximum": u32::MAX})
        );
        assert_eq!(schema["properties"]["bounded"]["maximum"], 9);
        assert_eq!(schema["properties"]["share"], json!({"type": "number"}));
    }
}

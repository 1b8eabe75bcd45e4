//! The API document, OpenAPI 3.1. Each operation describes itself; this file adds what all of them share.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    extract::{MAX_TOOL_NAME_CHARS, schemas::AnyObject},
    operation::{Operation, Tag},
    problem::ProblemBody,
};

pub(crate) fn document(operations: &[Operation]) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for operation in operations {
        let entry = operation.document(&mut generator);
        // The document has no word for a parameter that spans folders (`{*file}`).
        paths.entry(operation.path.replace("{*", "{")).or_insert_with(|| json!({}))[operation.method] = entry;
    }
    generator.subschema_for::<ProblemBody<'_>>();
    let schemas = generator.take_definitions(true);
    let tag = |tag: Tag| json!({"name": tag.name(), "description": tag.description()});
    let bearer = |description| json!({"type": "http", "scheme": "bearer", "description": description});
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "svc-mcp",
            "description": "Keys that let AI agents act for one brand, and the tools those keys open.",
            "license": {"name": "MIT OR Apache-2.0"},
            "version": env!("CARGO_PKG_VERSION"),
        },
        "tags": Tag::ALL.map(tag),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "mcp_key": bearer("An MCP key, `svc_mcp_…`, made in Settings → MCP"),
                "jwt": bearer("The application's token"),
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-svc_session",
                    "description": "The session of the settings page. It works only for requests of the service's own pages. On \
                        plain http on this machine it is called `svc_session`",
                },
            },
        },
    });
    remove_number_formats(&mut document);
    document
}

/// schemars writes the names of Rust's number types, which OpenAPI does not define.
fn remove_number_formats(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let is_number =
                |format: &str| ["int", "uint", "float", "double"].iter().any(|kind| format.starts_with(kind));
            if object.get("format").and_then(Value::as_str).is_some_and(is_number) {
                object.remove("format");
            }
            object.values_mut().for_each(remove_number_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_number_formats),
        _ => {}
    }
}

/// The tools of a key
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToolListBody {
    tools: Vec<ToolObject>,
}

/// An MCP Tool object
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tool")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolObject {
    #[schemars(example = &"list_posts")]
    name: String,
    title: String,
    description: String,
    #[schemars(with = "AnyObject")]
    input_schema: Value,
    #[schemars(with = "AnyObject")]
    output_schema: Value,
    /// The four hints: readOnlyHint, destructiveHint, idempotentHint, openWorldHint
    #[schemars(with = "AnyObject")]
    annotations: Value,
}

/// The body of a call. The call's own parser reads it, without a schema: see `extract/caller.rs`.
#[derive(Debug)]
pub(crate) struct CallBody;

impl JsonSchema for CallBody {
    fn schema_name() -> Cow<'static, str> {
        "CallBody".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": MAX_TOOL_NAME_CHARS, "examples": ["list_posts"]},
                "arguments": {"type": ["object", "null"]},
            },
            "required": ["name"],
            "additionalProperties": false,
        })
    }
}

/// An MCP result object
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallResult {
    /// A text block with the same JSON
    #[schemars(with = "Vec<AnyObject>")]
    content: Vec<Value>,
    #[schemars(with = "AnyObject")]
    structured_content: Value,
    is_error: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Catalogue {
    tools: Vec<CatalogueTool>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CatalogueTool {
    name: String,
    title: String,
    description: String,
    /// `read` or `write`
    access: String,
}

//! The page about the tools, written from the registry: `docs/tools.md`.

use std::fmt::Write;

use serde_json::Value;
use svc_mcp_access::ToolAccess;

use crate::{Registry, registry::Entry};

const HEAD: &str = "# Tools

What an agent can do with a key. The key fixes the brand, so no tool takes a brand id. This page is written from the
registry (`crates/tools/src/registry.rs`) by `make docs`; a test holds the two equal.

Read tools need a key of any scope; write tools one of scope `write` or `full`. Lists take `limit` (20, at most 100) and
`cursor`, and return `items`, `total` and `next_cursor`. A tool that could not do it answers with `isError: true` and
`{code, message, hint, retryable}`. No answer is longer than 100 KB. Text that comes from web pages is data, and results
that hold such text say so in `notice`.

Long work answers at once with `{id, status, poll_with, poll_after_ms}`, or with the finished `result` if it ends within
`wait_seconds`. It is a job: it survives the process that began it.

The `outputSchema` that `GET /mcp/v1/tools` gives names a result's fields and their types; what they mean is told here.
";

/// All of it, as Markdown.
pub fn tools(registry: &Registry) -> String {
    let mut page = HEAD.to_owned();
    for (title, access) in [("Read", ToolAccess::Read), ("Write", ToolAccess::Write)] {
        let _ = write!(page, "\n## {title}\n");
        for entry in registry.entries().filter(|entry| entry.access() == access) {
            tool(&mut page, entry);
        }
    }
    page
}

fn tool(page: &mut String, entry: &Entry) {
    let (words, input) = (entry.words(), entry.input_schema());
    let _ = write!(page, "\n### `{}`\n\n{}\n", words.name, words.description);
    section(page, "Arguments", &input, &input["required"]);
    // What a result may lack, it has as null.
    section(page, "Result", &entry.output_schema(), &Value::Null);
    let _ = write!(page, "\nExample: `{}`\n", words.example);
}

fn section(page: &mut String, title: &str, schema: &Value, required: &Value) {
    let _ = write!(page, "\n{title}:");
    let before = page.len();
    fields(page, schema, required, 0);
    if page.len() == before {
        page.push_str(" none.");
    }
    page.push('\n');
}

fn fields(page: &mut String, schema: &Value, required: &Value, depth: usize) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let needed = required.as_array().is_none_or(|names| names.iter().any(|each| each == name.as_str()));
        let optional = if needed { "" } else { ", optional" };
        let _ = write!(page, "\n{}- `{name}` ({}{optional})", "  ".repeat(depth), kind(field));
        if let Some(description) = field["description"].as_str() {
            let _ = write!(page, ": {}", description.replace('\n', " "));
        }
        let inner = inner(field);
        let required = if required.is_null() { required } else { &inner["required"] };
        fields(page, inner, required, depth + 1);
    }
}

/// The object that a field holds, by itself, in a list, or where it is not null.
fn inner(field: &Value) -> &Value {
    if field["items"].is_object() {
        return inner(&field["items"]);
    }
    let forms = field["anyOf"].as_array().into_iter().flatten();
    let object = forms.clone().find(|form| form["properties"].is_object() || form["items"].is_object());
    object.map_or(field, inner)
}

fn kind(field: &Value) -> String {
    if let Some(values) = field["enum"].as_array() {
        return values.iter().map(|value| format!("`{}`", text(value))).collect::<Vec<_>>().join(", ");
    }
    if !field["const"].is_null() {
        return format!("`{}`", text(&field["const"]));
    }
    if let Some(forms) = field["oneOf"].as_array().or_else(|| field["anyOf"].as_array()) {
        return forms.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &field["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" or "),
        kind if kind == "array" => match inner(field)["properties"] {
            Value::Object(_) => "list".to_owned(),
            _ => format!("list of {}", self::kind(&field["items"])),
        },
        kind => text(kind),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

//! Validates every tool result of every test against the schema of the tool.

use std::{collections::HashMap, sync::LazyLock};

use jsonschema::Validator;
use svc_mcp_tools::{Registry, execute::MAX_TEXT_CHARS};

use super::Reply;

/// The whole schema of each tool's result, and the short one that clients get.
static OUTPUTS: LazyLock<HashMap<&str, [Validator; 2]>> = LazyLock::new(|| {
    let registry = Registry::default();
    let schemas = |entry: &svc_mcp_tools::registry::Entry| {
        let schemas = [entry.output_schema(), entry.definition()["outputSchema"].clone()];
        (entry.description().name, schemas.map(|schema| jsonschema::validator_for(&schema).unwrap()))
    };
    registry.entries().map(schemas).collect()
});

pub(super) fn check(tool: &str, reply: &Reply) {
    let result = &reply.body["structuredContent"];
    for validator in &OUTPUTS[tool] {
        let errors: Vec<String> = validator.iter_errors(result).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool}: {errors:?} in {result}");
    }
    let chars = reply.body["content"][0]["text"].as_str().unwrap().chars().count();
    assert!(chars <= MAX_TEXT_CHARS, "the text of {tool} has {chars} characters");
    // A failed call has the fields of a failure, and a successful one does not.
    let failed = reply.body["isError"] == true;
    assert_eq!(failed, result["hint"].is_string() && result["retryable"].is_boolean(), "{tool}: {result}");
}

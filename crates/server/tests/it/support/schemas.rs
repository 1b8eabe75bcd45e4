//! Validates every tool result of every test against the schema of the tool.

use std::{collections::HashMap, sync::LazyLock};

use jsonschema::Validator;
use svc_mcp_tools::{Registry, execute::MAX_RESULT_BYTES};

use super::Reply;

static OUTPUTS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let registry = Registry::default();
    let schema = |entry: &svc_mcp_tools::registry::Entry| {
        let validator = jsonschema::validator_for(&entry.definition()["outputSchema"]).unwrap();
        (entry.description().name, validator)
    };
    registry.entries().map(schema).collect()
});

pub(super) fn check(tool: &str, reply: &Reply) {
    let result = &reply.body["structuredContent"];
    let errors: Vec<String> = OUTPUTS[tool].iter_errors(result).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{tool}: {errors:?} in {result}");
    assert!(reply.text.len() <= MAX_RESULT_BYTES, "the result of {tool} has {} bytes", reply.text.len());
    // A failed call has the fields of a failure, and a successful one does not.
    let failed = reply.body["isError"] == true;
    assert_eq!(failed, result["hint"].is_string() && result["retryable"].is_boolean(), "{tool}: {result}");
}

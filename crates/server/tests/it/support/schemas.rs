//! Every result that any test gets is held against the schema that its tool promises.

use std::{collections::HashMap, sync::LazyLock};

use jsonschema::Validator;
use svc_mcp_tools::{Registry, execute::LARGEST_RESULT};

use super::Reply;

static OUTPUTS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let registry = Registry::default();
    let schema = |entry: &svc_mcp_tools::registry::Entry| {
        let validator = jsonschema::validator_for(&entry.definition()["outputSchema"]).unwrap();
        (entry.words().name, validator)
    };
    registry.entries().map(schema).collect()
});

pub(super) fn check(tool: &str, reply: &Reply) {
    let result = &reply.body["structuredContent"];
    let faults: Vec<String> = OUTPUTS[tool].iter_errors(result).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{tool}: {faults:?} in {result}");
    assert!(reply.text.len() <= LARGEST_RESULT, "{tool} gave {} bytes", reply.text.len());
    // A failure has the shape of one, whatever else the schema would let through.
    let failed = reply.body["isError"] == true;
    assert_eq!(failed, result["hint"].is_string() && result["retryable"].is_boolean(), "{tool}: {result}");
}

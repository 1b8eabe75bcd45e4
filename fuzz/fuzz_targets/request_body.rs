//! A body within the bounds is parsed like serde_json does; any other is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use svc_mcp_tools::bounded_json::{self, BoundedJsonError, MAX_DEPTH, MAX_VALUES};

/// The number of values, and the levels of objects and lists.
fn size(value: &Value) -> (usize, usize) {
    let inner: Vec<(usize, usize)> = match value {
        Value::Array(items) => items.iter().map(size).collect(),
        Value::Object(fields) => fields.values().map(size).collect(),
        _ => return (1, 0),
    };
    let deepest = inner.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
    (1 + inner.iter().map(|(count, _)| *count).sum::<usize>(), 1 + deepest)
}

fuzz_target!(|data: &[u8]| {
    let expected = serde_json::from_slice::<Value>(data);
    match bounded_json::parse(data) {
        Ok(value) => {
            let (count, depth) = size(&value);
            assert!(count <= MAX_VALUES && depth <= MAX_DEPTH);
            assert_eq!(value, expected.expect("serde_json accepts it too"));
        }
        Err(BoundedJsonError::Malformed(_)) => assert!(expected.is_err()),
        // A field that is given twice counts twice, so the final value may be small.
        Err(BoundedJsonError::TooManyValues | BoundedJsonError::TooDeep) => assert!(data.len() > MAX_DEPTH),
    }
});

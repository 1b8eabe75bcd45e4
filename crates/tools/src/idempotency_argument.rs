//! `idempotency_key`: every write tool takes it as an argument, because an agent cannot set a header. It belongs to the
//! call, so the tool does not see it.

use serde_json::{Value, json};
use svc_mcp_access::{
    Fault,
    idempotency::{IdempotencyKey, InvalidIdempotencyKey},
};

pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency_key";

/// Adds the argument to the input schema of a write tool.
pub(crate) fn with_idempotency_key(mut schema: Value) -> Value {
    schema["properties"][IDEMPOTENCY_KEY] = json!({
        "description": "Chosen by you, for safe retries: calls with the same key and arguments run once in 24 hours.",
        "type": "string",
        "pattern": "^[!-~]{1,255}$",
    });
    schema
}

/// Removes the argument. `null` is the same as leaving it out.
pub(crate) fn take_idempotency_key(arguments: &mut Value) -> Result<Option<IdempotencyKey>, Fault> {
    let value = arguments.as_object_mut().and_then(|fields| fields.remove(IDEMPOTENCY_KEY));
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            let key =
                text.parse().map_err(|error: InvalidIdempotencyKey| Fault::new(IDEMPOTENCY_KEY, error))?;
            Ok(Some(key))
        }
        Some(_) => Err(Fault::new(IDEMPOTENCY_KEY, "must be a string")),
    }
}

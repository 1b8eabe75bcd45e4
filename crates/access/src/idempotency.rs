//! Idempotency keys: two requests with the same `Idempotency-Key` and the same body are executed once.

use std::{str::FromStr, time::Duration};

use crate::{key::mentions_key, sha256};

/// How long a response is kept for replay.
pub const RETENTION: Duration = Duration::from_hours(24);

/// How long a request may run before another one with the same key may take over. The process of the first one is
/// assumed to be gone by then.
pub const CLAIM_LIFETIME: Duration = Duration::from_mins(1);

/// The header's value: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 255 visible ASCII characters, and not an MCP key")]
pub struct InvalidIdempotencyKey;

impl IdempotencyKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidIdempotencyKey;

    fn from_str(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let fits = (1..=255).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_graphic())
            && !mentions_key(text);
        if fits { Ok(Self(text.into())) } else { Err(InvalidIdempotencyKey) }
    }
}

/// A hash of a call that ignores the order of fields and the spacing of its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub fn of(tool: &str, arguments: &serde_json::Value) -> Self {
        Self(sha256(format!("{tool}\n{}", canonical(arguments)).as_bytes()))
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The value with the fields of every object sorted by name.
fn canonical(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            entries.into_iter().map(|(name, value)| (name.clone(), canonical(value))).collect()
        }
        serde_json::Value::Array(items) => items.iter().map(canonical).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn key_has_only_visible_ascii_characters() {
        for good in ["a", "550e8400-e29b-41d4", &"x".repeat(255)] {
            assert!(good.parse::<IdempotencyKey>().is_ok());
        }
        for bad in ["", "a b", "é", "a\n", &"x".repeat(256)] {
            assert!(bad.parse::<IdempotencyKey>().is_err());
        }
    }

    #[test]
    fn fingerprint_ignores_field_order_and_not_values() {
        let one = serde_json::from_str(r#"{"a":1,"b":{"c":2,"d":3}}"#).expect("json");
        let same = serde_json::from_str(r#"{"b": {"d":3,"c":2}, "a":1}"#).expect("json");
        assert_eq!(Fingerprint::of("t", &one), Fingerprint::of("t", &same));
        assert_ne!(Fingerprint::of("t", &one), Fingerprint::of("u", &one));
        assert_ne!(Fingerprint::of("t", &one), Fingerprint::of("t", &json!({"a": 1})));
    }
}

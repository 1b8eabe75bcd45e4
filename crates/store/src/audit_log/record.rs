//! A record of the audit log, and its hash.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx_macros::FromRow;
use svc_mcp_access::{Timestamp, sha256};

/// The hash before the first record.
pub(super) const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The columns of a [`RecordRow`].
pub(crate) const COLUMNS: &str = "sequence, at, change_id, actor, role, address, request_id, action, brand_id, \
    target_kind, target_id, fields_before, fields_after, previous_hash, hash";

/// A stored record, and a line of an export. The texts are as they are stored: somebody may have changed them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    pub sequence: i64,
    pub at: Timestamp,
    /// One for all records of one request or command.
    pub change_id: String,
    pub actor: String,
    pub role: String,
    /// `None`: a command on the machine of the service.
    pub address: Option<String>,
    pub request_id: Option<String>,
    pub action: String,
    pub brand_id: Option<String>,
    pub target: AuditTarget,
    /// The fields that were changed. `None`: it did not exist before, or the action changes no field.
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub previous_hash: String,
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditTarget {
    pub kind: String,
    pub id: String,
}

impl AuditRecord {
    /// SHA-256 of the record without its hash: compact JSON with sorted names, in UTF-8. Everybody can compute it from an
    /// export.
    pub fn compute_hash(&self) -> String {
        let mut value = serde_json::to_value(self).expect("texts and numbers are JSON");
        if let Some(fields) = value.as_object_mut() {
            fields.remove("hash");
        }
        hex_sha256(&canonical(value).to_string())
    }
}

fn hex_sha256(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in sha256(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The same value with sorted names, also if another crate makes `serde_json` keep the order of insertion.
fn canonical(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(
                fields.into_iter().map(|(name, value)| (name, canonical(value))).collect::<Map<_, _>>(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(canonical).collect()),
        other => other,
    }
}

#[derive(FromRow)]
pub(crate) struct RecordRow {
    sequence: i64,
    at: i64,
    change_id: String,
    actor: String,
    role: String,
    address: Option<String>,
    request_id: Option<String>,
    action: String,
    brand_id: Option<String>,
    target_kind: String,
    target_id: String,
    fields_before: Option<String>,
    fields_after: Option<String>,
    previous_hash: String,
    hash: String,
}

impl From<RecordRow> for AuditRecord {
    fn from(row: RecordRow) -> Self {
        // A text that is not JSON was changed. It stays readable, and its hash is wrong.
        let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        Self {
            sequence: row.sequence,
            at: Timestamp::from_millis(row.at),
            change_id: row.change_id,
            actor: row.actor,
            role: row.role,
            address: row.address,
            request_id: row.request_id,
            action: row.action,
            brand_id: row.brand_id,
            target: AuditTarget { kind: row.target_kind, id: row.target_id },
            before: row.fields_before.map(json),
            after: row.fields_after.map(json),
            previous_hash: row.previous_hash,
            hash: row.hash,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hash_is_that_of_sorted_compact_json() {
        let mut record = AuditRecord {
            sequence: 1,
            at: Timestamp::from_millis(0),
            change_id: "chg_1".into(),
            actor: "ada".into(),
            role: "admin".into(),
            address: None,
            request_id: None,
            action: "key.update".into(),
            brand_id: Some("acme".into()),
            target: AuditTarget { kind: "key".into(), id: "key_1".into() },
            before: Some(json!({"scope": "read", "paused": false})),
            after: None,
            previous_hash: NO_HASH.into(),
            hash: String::new(),
        };
        let text = format!(
            r#"{{"action":"key.update","actor":"ada","address":null,"after":null,"at":"1970-01-01T00:00:00.000Z","before":{{"paused":false,"scope":"read"}},"brand_id":"acme","change_id":"chg_1","previous_hash":"{NO_HASH}","request_id":null,"role":"admin","sequence":1,"target":{{"id":"key_1","kind":"key"}}}}"#
        );
        let hash = hex_sha256(&text);
        assert_eq!(record.compute_hash(), hash);
        record.hash = hash;
        assert_eq!(record.compute_hash(), record.hash, "the hash is not a part of itself");
        record.after = Some(Value::Null);
        record.actor = "eve".into();
        assert_ne!(record.compute_hash(), record.hash);
    }
}

//! A record of the audit log, and its hash.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx_macros::FromRow;
use svc_mcp_access::{Timestamp, sha256};

/// The hash before the first record.
pub(super) const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The start of a query for [`RecordRow`]s.
pub(crate) const SELECT_RECORDS: &str = "SELECT log.sequence, log.at, log.change_id, log.actor, log.role, log.address, \
    log.request_id, log.action, log.brand, log.target_kind, log.target, log.fields_before, log.fields_after, \
    log.previous_hash, log.hash, actors.name AS actor_name, addresses.name AS address_name, brands.name AS brand_name, \
    targets.name AS target_name FROM audit_log log \
    LEFT JOIN audit_log_names actors ON actors.reference = log.actor \
    LEFT JOIN audit_log_names addresses ON addresses.reference = log.address \
    LEFT JOIN audit_log_names brands ON brands.reference = log.brand \
    LEFT JOIN audit_log_names targets ON targets.reference = log.target";

/// A stored record, and a line of an export. The texts are as they are stored: somebody may have changed them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    pub sequence: i64,
    pub at: Timestamp,
    /// One for all records of one request or command.
    pub change_id: String,
    /// Like the address, the brand and the id of the target, what the reference stands for now.
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
    pub references: AuditReferences,
    pub previous_hash: String,
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditTarget {
    pub kind: String,
    pub id: String,
}

/// What stands in the log in place of names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditReferences {
    pub actor: String,
    pub address: Option<String>,
    pub brand: Option<String>,
    /// The id itself, unless the target is a user, a brand or a channel.
    pub target: String,
}

impl AuditRecord {
    /// SHA-256 of the record without its hash and without the names that the references stand for: compact JSON with sorted
    /// names, in UTF-8. Everybody can compute it from an export.
    pub fn compute_hash(&self) -> String {
        let mut value = serde_json::to_value(self).expect("texts and numbers are JSON");
        for name in ["hash", "actor", "address", "brand_id"] {
            value.as_object_mut().map(|fields| fields.remove(name));
        }
        value["target"].as_object_mut().map(|target| target.remove("id"));
        hex_sha256(&canonical(value).to_string())
    }

    /// Whether each reference stands for something.
    pub(super) fn has_all_names(&self) -> bool {
        let Self { references, .. } = self;
        self.actor != references.actor
            && (self.address.is_none() || self.address != references.address)
            && (self.brand_id.is_none() || self.brand_id != references.brand)
    }
}

pub(super) fn hex_sha256(text: &str) -> String {
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
    brand: Option<String>,
    target_kind: String,
    target: String,
    fields_before: Option<String>,
    fields_after: Option<String>,
    previous_hash: String,
    hash: String,
    actor_name: Option<String>,
    address_name: Option<String>,
    brand_name: Option<String>,
    target_name: Option<String>,
}

impl From<RecordRow> for AuditRecord {
    fn from(row: RecordRow) -> Self {
        // A text that is not JSON was changed. It stays readable, and its hash is wrong.
        let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        Self {
            sequence: row.sequence,
            at: Timestamp::from_millis(row.at),
            change_id: row.change_id,
            // A reference without a name was changed, or its name was removed.
            actor: row.actor_name.unwrap_or_else(|| row.actor.clone()),
            role: row.role,
            address: row.address_name.or_else(|| row.address.clone()),
            request_id: row.request_id,
            action: row.action,
            brand_id: row.brand_name.or_else(|| row.brand.clone()),
            target: AuditTarget {
                kind: row.target_kind,
                id: row.target_name.unwrap_or_else(|| row.target.clone()),
            },
            references: AuditReferences {
                actor: row.actor,
                address: row.address,
                brand: row.brand,
                target: row.target,
            },
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
            references: AuditReferences {
                actor: "ref_1".into(),
                address: None,
                brand: Some("ref_2".into()),
                target: "key_1".into(),
            },
            previous_hash: NO_HASH.into(),
            hash: String::new(),
        };
        let text = format!(
            r#"{{"action":"key.update","after":null,"at":"1970-01-01T00:00:00.000Z","before":{{"paused":false,"scope":"read"}},"change_id":"chg_1","previous_hash":"{NO_HASH}","references":{{"actor":"ref_1","address":null,"brand":"ref_2","target":"key_1"}},"request_id":null,"role":"admin","sequence":1,"target":{{"kind":"key"}}}}"#
        );
        let hash = hex_sha256(&text);
        assert_eq!(record.compute_hash(), hash);
        record.hash = hash;
        assert_eq!(record.compute_hash(), record.hash, "the hash is not a part of itself");
        record.actor = "erased_1".into();
        assert_eq!(record.compute_hash(), record.hash, "an erasure changes no hash");
        record.references.actor = "ref_3".into();
        assert_ne!(record.compute_hash(), record.hash);
    }
}

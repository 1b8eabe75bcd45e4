//! The digest of what a person sees before they approve.

use std::fmt::Write;

use serde_json::{Map, Value};
use svc_mcp_access::idempotency::Fingerprint;

/// Fields of results that differ each time a call is planned: new ids, the current time, and what depends on them, such as
/// the note that the host of a picture does not answer now. What the call refers to is in its arguments, and so is a time
/// that the agent chose. Of a stored post, the version tells all changes.
const VOLATILE_FIELDS: [&str; 17] = [
    "id",
    "post_id",
    "report_id",
    "email_id",
    "audit_id",
    "analysis_id",
    "search_id",
    "schedule_id",
    "created_at",
    "published_at",
    "withdraw_requested_at",
    "scheduled_at",
    "emails",
    "mails_left_today",
    "poll_after_ms",
    "note",
    "notes",
];

/// A digest of the tool, its arguments and what it would return or why it would fail.
pub(super) fn digest(tool: &str, arguments: &Value, preview: &Value) -> String {
    let seen = serde_json::json!({"arguments": arguments, "preview": stable(preview)});
    Fingerprint::of(tool, &seen).as_bytes().iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn stable(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            // The address of a published target has the new id of its post.
            let is_target = fields.contains_key("channel");
            let is_volatile = |name: &str| VOLATILE_FIELDS.contains(&name) || (is_target && name == "url");
            let kept = fields.iter().filter(|(name, _)| !is_volatile(name));
            kept.map(|(name, value)| (name.clone(), stable(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(stable).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn digest_ignores_what_differs_in_each_plan_and_nothing_else() {
        let of = |preview: Value| digest("create_post", &json!({"text": "Hello"}), &preview);
        let one = of(json!({"post": {"post_id": "post_1", "text": "Hello", "created_at": "2026-11-15"}}));
        assert_eq!(one.len(), 64);
        assert_eq!(
            one,
            of(json!({"post": {"created_at": "2026-11-16", "text": "Hello", "post_id": "post_2"}}))
        );
        assert_ne!(one, of(json!({"post": {"text": "Bye"}})));
        assert_ne!(one, digest("create_post", &json!({"text": "Bye"}), &json!({"post": {"text": "Hello"}})));
    }
}

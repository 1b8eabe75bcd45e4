//! What an approver changed in the arguments of a call.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::validate::shortened;

/// Longer values are cut.
const MAX_VALUE_CHARS: usize = 500;

/// One argument that the approver changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArgumentChange {
    pub field: String,
    /// As JSON, cut after 500 characters. Null: the agent did not send it.
    pub from: Option<String>,
    /// As JSON, cut after 500 characters. Null: the approver removed it.
    pub to: Option<String>,
}

/// The arguments that differ, by name.
pub(super) fn arguments_diff(proposed: &Value, approved: &Value) -> Vec<ArgumentChange> {
    let (Some(proposed), Some(approved)) = (proposed.as_object(), approved.as_object()) else {
        return Vec::new();
    };
    let shown = |value: &Value| shortened(value.to_string(), MAX_VALUE_CHARS);
    let fields: BTreeSet<&String> = proposed.keys().chain(approved.keys()).collect();
    fields
        .into_iter()
        .filter(|field| proposed.get(*field) != approved.get(*field))
        .map(|field| ArgumentChange {
            field: field.clone(),
            from: proposed.get(field).map(shown),
            to: approved.get(field).map(shown),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_changed_added_and_removed_arguments_are_listed() {
        let proposed = json!({"text": "Helo", "channels": ["feed"], "link": "https://acme.example"});
        let approved = json!({"text": "Hello", "channels": ["feed"], "title": "Hi"});
        let change = |field: &str, from: Option<&str>, to: Option<&str>| ArgumentChange {
            field: field.into(),
            from: from.map(Into::into),
            to: to.map(Into::into),
        };
        assert_eq!(
            arguments_diff(&proposed, &approved),
            [
                change("link", Some("\"https://acme.example\""), None),
                change("text", Some("\"Helo\""), Some("\"Hello\"")),
                change("title", None, Some("\"Hi\"")),
            ]
        );
    }

    #[test]
    fn long_values_are_cut() {
        let changes = arguments_diff(&json!({"text": "x".repeat(20_000)}), &json!({"text": "y"}));
        assert!(changes[0].from.as_ref().is_some_and(|from| from.chars().count() <= MAX_VALUE_CHARS + 1));
    }
}

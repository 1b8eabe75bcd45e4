//! What a record says about a key, a plan, a brand and so on, before and after a change.
//!
//! A field is shown with its value if that is an id, a number, a time or one of several names. Of other fields, a record says
//! only that they have changed.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use svc_mcp_access::{ApprovalSettings, Brand, Member, Plan, Suspension, key::Key};
use svc_mcp_tools::{
    events::EventEndpoint,
    posts::{Post, StoredChannel},
};

/// In place of a value that is not shown.
const CHANGED: &str = "changed";

#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<Field>);

#[derive(Debug, Clone)]
struct Field {
    name: &'static str,
    value: Value,
    is_shown: bool,
}

impl Fields {
    pub(crate) fn show(self, name: &'static str, value: impl Serialize) -> Self {
        self.with(name, value, true)
    }

    /// The value is only compared.
    pub(crate) fn hide(self, name: &'static str, value: impl Serialize) -> Self {
        self.with(name, value, false)
    }

    fn with(mut self, name: &'static str, value: impl Serialize, is_shown: bool) -> Self {
        let value = serde_json::to_value(value).expect("texts and numbers are JSON");
        self.0.push(Field { name, value, is_shown });
        self
    }

    /// The fields whose value is shown.
    pub(super) fn shown(&self) -> Value {
        let shown = self.0.iter().filter(|field| field.is_shown && !field.value.is_null());
        Value::Object(shown.map(|field| (field.name.to_owned(), field.value.clone())).collect())
    }

    /// The fields that differ, as they were and as they are. `None`: all are equal.
    pub(super) fn difference(before: &Self, after: &Self) -> Option<(Value, Value)> {
        let (mut old, mut new) = (Map::new(), Map::new());
        for field in &after.0 {
            let known = before.0.iter().find(|known| known.name == field.name);
            if known.is_some_and(|known| known.value == field.value) {
                continue;
            }
            let name = field.name.to_owned();
            if field.is_shown {
                old.insert(name.clone(), known.map_or(Value::Null, |known| known.value.clone()));
                new.insert(name, field.value.clone());
            } else {
                new.insert(name, CHANGED.into());
            }
        }
        (!new.is_empty()).then_some((Value::Object(old), Value::Object(new)))
    }
}

pub(crate) fn of_key(key: &Key) -> Fields {
    Fields::default()
        .hide("label", &key.label)
        .show("scope", key.scope.as_str())
        .show("tools", &key.tools)
        .show("approval", key.approval.as_str())
        .show("expires_at", key.expires_at)
        .show("can_reveal", key.can_reveal)
        .show("paused", key.pause.is_some())
        .hide("allowed_networks", &key.allowed_networks)
}

pub(crate) fn of_plan(plan: &Plan) -> Fields {
    Fields::default()
        .hide("name", &plan.name)
        .show("mcp_enabled", plan.mcp_enabled)
        .show("quotas", &plan.quotas)
}

pub(crate) fn of_brand(brand: &Brand) -> Fields {
    Fields::default()
        .hide("name", &brand.name)
        .hide("website", &brand.website)
        .show("plan_id", &brand.plan_id)
        .hide("competitors", &brand.competitors)
        .show("language", &brand.language)
        .show("time_zone", &brand.time_zone)
}

pub(crate) fn of_suspension(suspension: Option<&Suspension>) -> Fields {
    Fields::default()
        .show("suspended", suspension.is_some())
        .hide("reason", suspension.and_then(|suspension| suspension.reason.as_ref()))
}

pub(crate) fn of_member(member: &Member) -> Fields {
    Fields::default()
        .show("role", member.role.as_str())
        .hide("email", &member.email)
        .hide("name", &member.name)
}

pub(crate) fn of_approval_settings(settings: ApprovalSettings) -> Fields {
    Fields::default()
        .show("approval_minimum", settings.minimum.as_str())
        .show("approvers", settings.approvers.as_str())
}

pub(crate) fn of_channel(stored: &StoredChannel) -> Fields {
    Fields::default()
        .show("kind", stored.channel.settings.kind().as_str())
        .hide("settings", &stored.channel.settings)
        .hide("secret", stored.sealed.as_ref().map(|sealed| &sealed.bytes))
}

pub(crate) fn of_event_endpoint(endpoint: &EventEndpoint) -> Fields {
    let types = endpoint.types.as_ref();
    let types = types.map(|types| types.iter().map(|event| event.as_str()).collect::<Vec<_>>());
    Fields::default()
        .show("enabled", endpoint.enabled)
        .show("types", types)
        .show("switched_off", endpoint.disabled_at.is_some())
        .hide("url", &endpoint.url)
        .hide("secret", &endpoint.sealed.bytes)
}

pub(super) fn of_post(post: &Post) -> Fields {
    // How many channels have each status. The names of channels belong to the brand.
    let mut statuses: BTreeMap<&str, u32> = BTreeMap::new();
    for target in &post.targets {
        *statuses.entry(target.status.as_str()).or_default() += 1;
    }
    Fields::default()
        .show("version", post.version)
        .show("scheduled_at", post.scheduled_at)
        .show("channels", statuses)
        .hide("text", &post.text)
        .hide("title", &post.title)
        .hide("link", &post.link)
        .hide("media", &post.media)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_shown_values_are_in_a_record() {
        let before = Fields::default().show("role", "member").hide("email", "ada@acme.example").show("n", 1);
        let after = Fields::default().show("role", "admin").hide("email", "ada@beta.example").show("n", 1);
        let changed = (json!({"role": "member"}), json!({"role": "admin", "email": "changed"}));
        assert_eq!(Fields::difference(&before, &after), Some(changed));
        assert_eq!(Fields::difference(&before, &before), None);
        assert_eq!(after.shown(), json!({"role": "admin", "n": 1}));
    }
}

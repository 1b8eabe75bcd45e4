//! Keys as the API returns them.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{
    Timestamp,
    key::{Key, KeyStatus, KeyToken, RevokedReason},
};

use crate::http::extract::schemas::Time;

/// A key, without its secret
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Key")]
pub(crate) struct KeyView {
    #[schemars(example = &"key_4fT9aZ0kQw3LmN8xYb2C")]
    key_id: String,
    brand_id: String,
    /// The user who created it; it works while they are a member of the brand
    created_by: String,
    #[schemars(example = &"Claude on my laptop")]
    label: String,
    /// `read`, `write` or `full` (the same as `write`)
    #[schemars(example = &"read")]
    scope: String,
    /// The first characters of the secret, to tell keys apart
    #[schemars(example = &"svc_mcp_4fT9aZ")]
    prefix: String,
    /// Whether its creator can have the secret shown again
    can_reveal: bool,
    #[schemars(with = "Time")]
    created_at: String,
    #[schemars(with = "Option<Time>")]
    last_used_at: Option<String>,
    #[schemars(with = "Option<Time>")]
    expires_at: Option<String>,
    #[schemars(with = "Option<Time>")]
    revoked_at: Option<String>,
    /// Whether it is paused: every request with it is refused until its creator or an administrator resumes it
    paused: bool,
    #[schemars(with = "Option<Time>")]
    paused_at: Option<String>,
    /// The user who paused it, or who removed its creator from the brand
    paused_by: Option<String>,
    /// `requested` (a person paused it) or `owner_removed` (its creator was removed from the brand); null: not paused
    #[schemars(example = &"requested")]
    paused_reason: Option<&'static str>,
    /// Narrows the scope to these tools; null: all that the scope allows
    tools: Option<Vec<String>>,
    /// Which of its calls wait for a person's approval: `none`, `outward` or `all`. The brand may have a stricter rule
    #[schemars(example = &"none")]
    approval: &'static str,
    /// `requested` (a person revoked it), `leaked` (its secret was reported as public) or `operator`; null: not revoked
    #[schemars(example = &"requested")]
    revoked_reason: Option<&'static str>,
    /// If an active key was not used for 90 days: its last use, or its creation if it was never used
    #[schemars(with = "Option<Time>")]
    idle_since: Option<String>,
    /// It works only from these networks; null: from anywhere
    #[schemars(example = &["203.0.113.0/24"])]
    allowed_networks: Option<Vec<String>>,
    /// The address of the client that used it last
    #[schemars(example = &"203.0.113.7")]
    last_used_ip: Option<String>,
    /// The name that this client gave itself (`X-MCP-Client`, else `User-Agent`). It is not checked
    #[schemars(example = &"claude-ai/1.2")]
    last_used_client: Option<String>,
    /// `active`, `expired` or `revoked`. A paused key has one of these too
    #[schemars(with = "String", example = &"active")]
    status: KeyStatus,
    /// After a rotation: until when the old secret works too. Null: only one secret works
    #[schemars(with = "Option<Time>")]
    rotating_until: Option<String>,
    /// When the old secret was used last since the rotation. Null: not at all, or the key was never rotated
    #[schemars(with = "Option<Time>")]
    old_secret_last_used_at: Option<String>,
}

impl KeyView {
    pub(crate) fn new(key: Key, now: Timestamp) -> Self {
        let status = key.status(now);
        let rotating_until = key.rotating_until(now);
        let idle_since = key.idle_since(now);
        let pause = key.pause;
        Self {
            status,
            rotating_until: rotating_until.map(String::from),
            old_secret_last_used_at: key.old_secret.and_then(|old| old.last_used_at).map(String::from),
            key_id: key.key_id.into(),
            brand_id: key.brand_id.into(),
            created_by: key.created_by.into(),
            label: key.label,
            scope: key.scope.to_string(),
            prefix: key.prefix,
            can_reveal: key.can_reveal,
            created_at: key.created_at.to_string(),
            last_used_at: key.last_used_at.map(String::from),
            expires_at: key.expires_at.map(String::from),
            revoked_at: key.revoked_at.map(String::from),
            paused: pause.is_some(),
            paused_at: pause.as_ref().map(|pause| pause.at.to_string()),
            paused_reason: pause.as_ref().map(|pause| pause.reason.as_str()),
            paused_by: pause.map(|pause| pause.by.into()),
            tools: key.tools,
            approval: key.approval.as_str(),
            revoked_reason: key.revoked_reason.map(RevokedReason::as_str),
            idle_since: idle_since.map(String::from),
            allowed_networks: key.allowed_networks.map(Into::into),
            last_used_ip: key.last_used_ip.map(|address| address.to_string()),
            last_used_client: key.last_used_client,
        }
    }
}

/// A key and, this once, its secret
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CreatedKey")]
pub(crate) struct KeyWithSecret {
    #[serde(flatten)]
    key: KeyView,
    /// The secret. It is shown only here
    #[schemars(example = &"svc_mcp_…")]
    api_key: String,
}

impl KeyWithSecret {
    pub(crate) fn new(key: Key, token: &KeyToken, now: Timestamp) -> Self {
        Self { key: KeyView::new(key, now), api_key: token.expose().to_owned() }
    }
}

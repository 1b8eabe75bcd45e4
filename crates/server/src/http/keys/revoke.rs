use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_mcp_store::{EventKind, QueuedWork, StoppedWork, WorkCounts};

use super::{KEY, event};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, ValidatedQuery},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

const PREFERENCE: &str = "return=representation";
const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
/// The reason in the activity if queued work goes on.
const KEPT: &str = "queued_work_kept";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevokeKey {
    /// What becomes of the posts, mails, audits and analyses that the key has queued: `cancel` (the default) or `keep`
    #[schemars(with = "Option<String>", extend("enum" = ["cancel", "keep"]))]
    queued: Option<Queued>,
}

impl Input for RevokeKey {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Queued {
    Cancel,
    Keep,
}

/// What the revoke stopped
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RevokedKey {
    /// Nothing of this goes out any more
    cancelled: Cancelled,
    /// What a worker had begun before the revoke. A post or mail that is being sent cannot be called back. An audit or
    /// analysis is stopped within seconds, and its result is discarded
    already_sending: AlreadySending,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Cancelled {
    /// A post counts once, whatever the number of its channels is
    posts: u32,
    mails: u32,
    /// Audits and analyses
    jobs: u32,
    /// Calls that wait for approval
    approvals: u32,
    schedules: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AlreadySending {
    posts: u32,
    mails: u32,
    /// Audits and analyses
    jobs: u32,
}

impl From<StoppedWork> for RevokedKey {
    fn from(stopped: StoppedWork) -> Self {
        let WorkCounts { posts, mails, jobs, approvals, schedules } = stopped.cancelled;
        let cancelled = Cancelled { posts, mails, jobs, approvals, schedules };
        let WorkCounts { posts, mails, jobs, .. } = stopped.already_sending;
        Self { cancelled, already_sending: AlreadySending { posts, mails, jobs } }
    }
}

pub(crate) fn operation() -> Operation {
    Operation::delete(KEY, revoke_key)
        .describe(Tag::Keys, "revoke_key", "Revoke a key")
        .details(
            "By its creator or an administrator of the brand. The very next request with the key is refused, and what it has \
             queued is cancelled, unless `queued` is `keep`. Calls that wait for approval, and its schedules, are always cancelled. Revoking it again changes nothing, except that it cancels \
             what an earlier revoke kept.",
        )
        .header(
            "Prefer",
            "`return=representation`: answer 200 and tell what was cancelled",
            &json!({"type": "string"}),
        )
        .query::<RevokeKey>()
        .json::<RevokedKey>(200, "It is revoked, and this was cancelled")
        .with_headers(&["Preference-Applied"])
        .empty(204, "It is revoked")
}

async fn revoke_key(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<RevokeKey>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) && !manager.is_admin() {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created the key or an administrator of the brand can revoke it. Ask one of them.",
        ));
    }
    let mut revoked = event(&app, EventKind::Revoked, &key, &manager.user_id, app.clock.now());
    let queued = match query.queued {
        Some(Queued::Keep) => QueuedWork::Keep,
        Some(Queued::Cancel) | None => QueuedWork::Cancel,
    };
    if queued == QueuedWork::Keep {
        revoked.reason = Some(KEPT);
    }
    let stopped = manager.store(&app).revoke_key(&manager.brand_id, &key.key_id, queued, &revoked).await?;
    if !wants_representation(&headers) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(([(PREFERENCE_APPLIED, PREFERENCE)], Json(RevokedKey::from(stopped))).into_response())
}

/// Whether a header `Prefer` (RFC 7240) asks for a body.
fn wants_representation(headers: &HeaderMap) -> bool {
    let values = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    let mut preferences = values.flat_map(|value| value.split(','));
    preferences.any(|preference| {
        let preference = preference.split(';').next().unwrap_or_default();
        let plain: String = preference.chars().filter(|c| !matches!(c, ' ' | '\t' | '"')).collect();
        plain.eq_ignore_ascii_case(PREFERENCE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preference_is_found_in_any_header_and_form() {
        let wants = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER, http::HeaderValue::from_static(value));
            }
            wants_representation(&headers)
        };
        for values in [
            &["return=representation"][..],
            &["Return=Representation"],
            &["return = \"representation\""],
            &["respond-async, return=representation; foo=1"],
            &["wait=10", "return=representation"],
        ] {
            assert!(wants(values), "{values:?}");
        }
        for values in [&[][..], &["return=minimal"], &["return"], &["x-return=representation"]] {
            assert!(!wants(values), "{values:?}");
        }
    }
}

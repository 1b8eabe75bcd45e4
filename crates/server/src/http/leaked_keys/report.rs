use std::{collections::HashSet, sync::Arc};

use axum::{
    Json,
    extract::{FromRequest, Request, State},
    response::IntoResponse,
};
use futures_util::future::join_all;
use http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use svc_mcp_access::{
    Secret, StoreError,
    decision::KeySource,
    id,
    key::{KeyDigest, digests_in},
};
use svc_mcp_store::{EventKind, EventOutcome, Leak, NewEvent, system_actor};
use svc_mcp_tools::key_notices::{MAX_SOURCE_CHARS, clean_source};

use crate::{
    app::App,
    http::{
        client_address::ClientAddress,
        extract::{Input, ValidatedJson},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const MAX_KEYS: usize = 100;
/// Of each text in `keys`. A whole line of a file fits.
const MAX_TEXT_CHARS: usize = 1_000;
/// Keys of one report that are looked up and revoked at the same time.
const CONCURRENT_KEYS: usize = 4;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LeakedKeys {
    /// 1 to 100 texts with one or more keys each, such as a key or a line of a file. The text around a key does not matter
    #[serde(deserialize_with = "secrets")]
    #[schemars(with = "Vec<String>", length(min = 1, max = MAX_KEYS), inner(length(max = MAX_TEXT_CHARS)))]
    keys: Vec<Secret>,
    /// Where the keys were found. The people who manage a key can read it
    #[schemars(length(max = MAX_SOURCE_CHARS), example = &"https://github.com/acme/app/blob/main/.env")]
    source: Option<String>,
}

impl Input for LeakedKeys {
    const MAX_BYTES: usize = 128 * 1024;
    const MAY_HOLD_KEYS: bool = true;
}

fn secrets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Secret>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    Ok(texts.into_iter().map(Secret::new).collect())
}

/// The same for every report
#[derive(Debug, Serialize, JsonSchema)]
struct ReceivedReport {
    #[schemars(example = &"received")]
    status: &'static str,
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/leaked-keys", report_leaked_keys)
        .describe(Tag::Public, "report_leaked_keys", "Report keys that are public")
        .details(
            "Anybody with the secret of a key can revoke it, without a credential. Keys that exist are revoked before the answer, what \
             they have queued is cancelled, and their creators and administrators get a mail. The answer does not say which \
             keys exist. At most 20 reports a minute from one address.",
        )
        .body::<LeakedKeys>()
        .json::<ReceivedReport>(202, "The report was received, and the keys in it that exist are revoked")
}

async fn report_leaked_keys(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let _open = app.leak_report_limits.admit(address, app.clock.ticks())?;
    // Slow bodies must not use up the requests that the service handles at the same time.
    let read = ValidatedJson::<LeakedKeys>::from_request(request, &app);
    let ValidatedJson(report) = app.in_flight.release_while(read).await?;
    let _turn = app.leak_report_limits.turn().await?;
    revoke_all(&app, &report).await?;
    Ok((StatusCode::ACCEPTED, Json(ReceivedReport { status: "received" })))
}

/// Revokes every key in the report. If one cannot be looked up or revoked, the others are, and the reporter tries again.
async fn revoke_all(app: &App, report: &LeakedKeys) -> Result<(), StoreError> {
    let source = report.source.as_deref().and_then(clean_source);
    let mut seen = HashSet::new();
    let digests: Vec<KeyDigest> = report
        .keys
        .iter()
        .flat_map(|text| digests_in(text.expose()))
        .filter(|digest| seen.insert(*digest))
        .collect();
    let mut result = Ok(());
    for digests in digests.chunks(CONCURRENT_KEYS) {
        let revoked = join_all(digests.iter().map(|digest| revoke(app, digest, source.as_deref()))).await;
        result = revoked.into_iter().fold(result, Result::and);
    }
    result
}

/// Revokes a key, unless it does not exist or is revoked. Keys that do not exist cost no SQL: the Bloom filter rules them out.
async fn revoke(app: &App, digest: &KeyDigest, source: Option<&str>) -> Result<(), StoreError> {
    let Some(key) = app.store.key_state(digest).await? else { return Ok(()) };
    let now = app.clock.now();
    // The work that a revoke kept is not cancelled by a later report. A secret that was rotated away does not stop the key,
    // which has a new secret.
    if key.revoked || key.secret_has_ended(now) {
        return Ok(());
    }
    let event = NewEvent {
        event_id: app.fresh_event_id(),
        at: now,
        kind: EventKind::Leaked,
        key_id: key.key_id.clone(),
        actor: system_actor(),
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        latency_us: None,
    };
    let email_prefix = app.mailer.is_some().then(|| id::fresh("mail", &mut app.entropy.clone()));
    let leak = Leak { source, email_prefix };
    app.store.revoke_leaked_key(&key.brand_id, &key.key_id, &leak, &event).await?;
    tracing::warn!(brand_id = %key.brand_id, key_id = %key.key_id, "a key was reported as leaked and is revoked");
    Ok(())
}

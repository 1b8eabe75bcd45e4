//! Calls that repeat a recent one. An agent that retries without an idempotency key would not notice that it creates or
//! sends the same thing twice.

use std::time::Duration;

use serde::Serialize;
use svc_mcp_access::{Timestamp, idempotency::Fingerprint};

/// The result of a call says if an equal one was made within this time.
pub const REPEAT_WINDOW: Duration = Duration::from_mins(10);

/// What a call created. Later calls find it by the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentCall {
    pub fingerprint: Fingerprint,
    /// The id of what it created.
    pub record_id: String,
    pub at: Timestamp,
}

/// The fingerprint of what a call does. `effect` is all that matters for that.
pub(crate) fn fingerprint(tool: &str, effect: &impl Serialize) -> Fingerprint {
    Fingerprint::of(tool, &serde_json::to_value(effect).unwrap_or_default())
}

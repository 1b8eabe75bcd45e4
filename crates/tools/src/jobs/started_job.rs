//! The output of tools that start a job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a call may wait for the job it started. Clients give up after 30 seconds.
pub const MAX_WAIT_SECONDS: u32 = 25;
const POLL_AFTER_MS: u32 = 2_000;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum WorkStatus {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl WorkStatus {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StartedJob<T> {
    pub id: String,
    pub status: WorkStatus,
    /// Call this tool with the id to see the progress.
    pub poll_with: &'static str,
    /// Wait this long before polling. Null: the work has ended.
    pub poll_after_ms: Option<u32>,
    /// The result. Null: the work has not ended yet.
    pub result: Option<T>,
    /// Why the call did not wait for the result. Null otherwise.
    pub note: Option<String>,
}

impl<T> StartedJob<T> {
    pub fn new(id: String, status: WorkStatus, poll_with: &'static str, result: impl FnOnce() -> T) -> Self {
        let ended = status.has_ended();
        let poll_after_ms = (!ended).then_some(POLL_AFTER_MS);
        Self { id, status, poll_with, poll_after_ms, result: ended.then(result), note: None }
    }

    /// Says that too many calls of the brand wait already.
    #[must_use]
    pub fn without_waiting(self, max_waits: u32) -> Self {
        let note = format!(
            "The call did not wait, because too many calls are waiting already: at most {max_waits} of a \
             brand. Call `{}` with the id to get the result.",
            self.poll_with
        );
        Self { note: Some(note), ..self }
    }
}

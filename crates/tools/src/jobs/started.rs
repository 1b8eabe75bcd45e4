//! How tools tell of work that is under way.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest that a call waits for what it began, in seconds: clients give up after thirty.
pub const LONGEST_WAIT: u32 = 25;
const POLL_AFTER_MS: u32 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WorkStatus {
    Queued,
    Running,
    Done,
    Failed,
}

impl WorkStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    pub fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such status of work")]
pub struct UnknownStatus;

impl FromStr for WorkStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        let all = [Self::Queued, Self::Running, Self::Done, Self::Failed];
        all.into_iter().find(|status| status.as_str() == text).ok_or(UnknownStatus)
    }
}

/// What a tool answers that began a piece of work.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Started<T> {
    pub id: String,
    pub status: WorkStatus,
    /// The tool that tells how it stands, by this id.
    pub poll_with: &'static str,
    /// Ask no sooner than this. Null: it has ended.
    pub poll_after_ms: Option<u32>,
    /// What it came to. Null: it has not ended yet.
    pub result: Option<T>,
}

impl<T> Started<T> {
    pub fn new(id: String, status: WorkStatus, poll_with: &'static str, result: impl FnOnce() -> T) -> Self {
        let ended = status.has_ended();
        let poll_after_ms = (!ended).then_some(POLL_AFTER_MS);
        Self { id, status, poll_with, poll_after_ms, result: ended.then(result) }
    }
}

//! A schedule as it is stored, and what changes it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{KeyId, Timestamp, UserId};

use super::Recurrence;

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
pub enum ScheduleKind {
    Audit,
    Report,
}

impl ScheduleKind {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pub schedule_id: String,
    pub kind: ScheduleKind,
    pub recurrence: Recurrence,
    pub next_at: Timestamp,
    pub created_at: Timestamp,
    /// The person who made it, or the creator of the key that did.
    pub created_by: UserId,
    /// `None`: a person made it.
    pub key_id: Option<KeyId>,
    pub last_run: Option<ScheduleRun>,
}

/// What a schedule did when it was due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRun {
    pub at: Timestamp,
    /// The id of the audit or report that it started, or why it started none.
    pub result: Result<String, String>,
}

#[derive(Debug, Clone)]
pub enum ScheduleChange {
    /// Its job is a change of its own.
    Add(Schedule),
    Delete {
        schedule_id: String,
    },
    /// The schedule was due. The store computes the next time and adds the job for it.
    MoveOn {
        schedule_id: String,
        run: ScheduleRun,
        next_job_id: String,
    },
}

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_store::ListedJob;

use crate::http::extract::schemas::Time;

/// Work in the background
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Job")]
pub(crate) struct JobView {
    #[schemars(example = &"job_4fT9aZ0kQw3LmN8xYb2C")]
    job_id: String,
    brand_id: String,
    /// `audit`, `analysis`, `publish`, `withdraw`, `report_email`, `approval_notice` or `schedule`
    #[schemars(example = &"publish")]
    kind: &'static str,
    /// The id of what it works on; for posts, the post and the channel
    #[schemars(example = &"post_4fT9aZ0kQw3LmN8xYb2C/blog")]
    subject: String,
    /// The key that ordered it; null: a person did
    key_id: Option<String>,
    /// `waiting`, `running`, `done`, `failed` or `cancelled`
    #[schemars(example = &"failed")]
    status: &'static str,
    /// Whether it waits because its key or brand may not act for now
    held: bool,
    /// Why it failed, was cancelled, is held or is tried again
    reason: Option<String>,
    attempts: u32,
    #[schemars(with = "Time")]
    created_at: String,
    /// When it is tried, or until when a worker has it
    #[schemars(with = "Time")]
    due_at: String,
    #[schemars(with = "Option<Time>")]
    ended_at: Option<String>,
}

impl From<ListedJob> for JobView {
    fn from(job: ListedJob) -> Self {
        Self {
            job_id: job.job_id,
            brand_id: job.brand_id.into(),
            kind: job.kind.as_str(),
            subject: job.subject,
            key_id: job.key_id.map(Into::into),
            status: job.status.as_str(),
            held: job.is_held,
            reason: job.reason,
            attempts: job.attempts,
            created_at: job.created_at.to_string(),
            due_at: job.due_at.to_string(),
            ended_at: job.ended_at.map(|at| at.to_string()),
        }
    }
}

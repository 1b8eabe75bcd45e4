//! Jobs and their kinds.

use rand::CryptoRng;
use svc_mcp_access::{BrandId, KeyId, Timestamp, id};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum JobKind {
    Audit,
    Analysis,
    Publish,
    Withdraw,
    ReportEmail,
    /// Tells approvers that calls wait.
    ApprovalNotice,
    /// Starts the audit or report of a schedule.
    Schedule,
}

impl JobKind {
    pub const ALL: [Self; 7] = [
        Self::Audit,
        Self::Analysis,
        Self::Publish,
        Self::Withdraw,
        Self::ReportEmail,
        Self::ApprovalNotice,
        Self::Schedule,
    ];
    /// Kinds that run for minutes.
    pub const LONG: [Self; 2] = [Self::Audit, Self::Analysis];
    /// Kinds that run for seconds.
    pub const SHORT: [Self; 5] =
        [Self::Publish, Self::Withdraw, Self::ReportEmail, Self::ApprovalNotice, Self::Schedule];
    /// Each group has its own workers, so that a crawl delays neither a short analysis nor a post.
    pub const GROUPS: [&'static [Self]; 3] = [&[Self::Audit], &[Self::Analysis], &Self::SHORT];

    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The tool that orders such jobs, or for approvals, the tool that lists what they are about.
    pub fn tool(self) -> &'static str {
        match self {
            Self::Audit => "run_audit",
            Self::Analysis => "run_analysis",
            Self::Publish => "create_post",
            Self::Withdraw => "withdraw_post",
            Self::ReportEmail => "send_report_email",
            Self::ApprovalNotice => "list_approvals",
            Self::Schedule => "create_schedule",
        }
    }
}

/// A job to be added by a [`Change`](crate::Change).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    pub job_id: String,
    pub kind: JobKind,
    /// What the job works on. Its handler defines the format, for example the id of an audit.
    pub subject: String,
    /// Two jobs with the same key never run at the same time.
    pub concurrency_key: Option<String>,
    pub due: Timestamp,
}

impl NewJob {
    pub fn new(kind: JobKind, subject: &str, due: Timestamp, random: &mut impl CryptoRng) -> Self {
        Self {
            job_id: id::fresh("job", random),
            kind,
            subject: subject.to_owned(),
            concurrency_key: None,
            due,
        }
    }

    #[must_use]
    pub fn with_concurrency_key(self, key: &str) -> Self {
        Self { concurrency_key: Some(key.to_owned()), ..self }
    }
}

/// A job that a worker has leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub job_id: String,
    pub brand_id: BrandId,
    pub kind: JobKind,
    pub subject: String,
    /// The key that ordered the job. `None`: a person did.
    pub key_id: Option<KeyId>,
    /// When the job was due for the first time.
    pub first_due: Timestamp,
    /// Counts from 1.
    pub attempt: u32,
    /// The span that queued the job.
    pub traceparent: Option<String>,
    /// Proves that this worker holds the job. It becomes invalid when another worker leases the job.
    pub lease: String,
}

impl Job {
    /// The id of the audit, analysis, post or mail that the job works on.
    pub fn record_id(&self) -> &str {
        self.subject.split('/').next().unwrap_or_default()
    }
}

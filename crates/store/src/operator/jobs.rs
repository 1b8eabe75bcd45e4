//! Jobs of all brands: listed, tried again and cancelled.

use std::str::FromStr;

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId};
use svc_mcp_tools::{jobs::JobKind, posts::PostEvent};

use super::{
    search::SearchPage,
    statement::{Statement, execute, fetch_all},
};
use crate::{
    Cursor, EventKind, EventOutcome, NewEvent, Store,
    activity::{insert_event, insert_post_event},
    audit_log::{AuditAction, Fields, NewAuditRecord},
    cancelled_work::cancel_records,
    engine::{Tx, transaction, within},
    error::Abort,
    parse_column, start_after,
};

const CANCELLED: &str = "Cancelled: the operator of the service has cancelled this.";

/// Which jobs to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct JobSearch {
    pub status: Option<JobStatus>,
    pub brand: Option<BrandId>,
    pub kind: Option<JobKind>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobStatus {
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl JobStatus {
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Running, Self::Done, Self::Failed, Self::Cancelled];
    pub const NAMES: [&'static str; 5] = ["waiting", "running", "done", "failed", "cancelled"];

    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl FromStr for JobStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedJob {
    pub job_id: String,
    pub brand_id: BrandId,
    pub kind: JobKind,
    /// What it works on, such as the id of an audit, or a post and a channel.
    pub subject: String,
    /// The key that ordered it. `None`: a person did.
    pub key_id: Option<KeyId>,
    pub status: JobStatus,
    /// It waits because its key or brand may not act for now.
    pub is_held: bool,
    /// Why it failed, was cancelled, is held or is tried again.
    pub reason: Option<String>,
    pub attempts: u32,
    pub created_at: Timestamp,
    pub due_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// Who changes a job, and when.
#[derive(Debug, Clone)]
pub struct JobActor {
    pub user_id: UserId,
    pub at: Timestamp,
    pub event_id: String,
}

/// Why a job is neither tried again nor cancelled. The texts are for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JobRefusal {
    #[error("There is no such job.")]
    Unknown,
    #[error("Only a failed job can be tried again.")]
    NotFailed,
    #[error("A job of this kind cannot be tried again: its next one is planned by itself.")]
    NotRepeatable,
    #[error(
        "What the job worked on is not failed any more: somebody has tried it again or deleted it, or it may have gone \
         out."
    )]
    RecordChanged,
    #[error("The job has ended.")]
    Ended,
    #[error("The job has begun to send, and what is sent cannot be called back.")]
    Sending,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
struct ListedJobRow {
    job_id: String,
    brand_id: String,
    kind: String,
    subject: String,
    key_id: Option<String>,
    status: String,
    held_at: Option<i64>,
    reason: Option<String>,
    attempts: i64,
    created_at: i64,
    due_at: i64,
    ended_at: Option<i64>,
}

/// Reads a [`ListedJobRow`]. A condition follows.
const JOB_QUERY: &str = "SELECT job_id, brand_id, kind, subject, key_id, status, held_at, reason, attempts, created_at, \
    due_at, ended_at FROM jobs";

impl TryFrom<ListedJobRow> for ListedJob {
    type Error = sqlx::Error;

    fn try_from(row: ListedJobRow) -> Result<Self, sqlx::Error> {
        let key = row.key_id.filter(|key| !key.is_empty());
        Ok(Self {
            job_id: row.job_id,
            brand_id: parse_column(&row.brand_id, "brand id")?,
            kind: parse_column(&row.kind, "kind of job")?,
            subject: row.subject,
            key_id: key.map(|key| parse_column(&key, "key id")).transpose()?,
            status: parse_column(&row.status, "status of a job")?,
            is_held: row.held_at.is_some(),
            reason: row.reason,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            created_at: Timestamp::from_millis(row.created_at),
            due_at: Timestamp::from_millis(row.due_at),
            ended_at: row.ended_at.map(Timestamp::from_millis),
        })
    }
}

impl ListedJob {
    /// The id of what it works on, and the channel if that is a post.
    fn parts(&self) -> (&str, &str) {
        self.subject.split_once('/').unwrap_or((&self.subject, ""))
    }
}

impl Store {
    pub async fn search_jobs(&self, search: &JobSearch) -> Result<SearchPage<ListedJob>, StoreError> {
        self.run("search_jobs", async {
            let statement = jobs_statement(search);
            let rows: Vec<ListedJobRow> = fetch_all!(&self.engine, statement)?;
            let jobs = rows.into_iter().map(ListedJob::try_from).collect::<Result<Vec<_>, _>>()?;
            Ok(SearchPage::cut(jobs, search.limit, |job| Cursor {
                at: job.created_at,
                id: job.job_id.clone(),
            }))
        })
        .await
    }

    /// Makes a failed job due again, together with what it works on. It is refused if that is not failed any more, or if it
    /// may have gone out, so nothing is sent twice. A worker asks the access decision again before it sends anything.
    pub async fn retry_job(&self, job_id: &str, actor: &JobActor) -> Result<ListedJob, JobRefusal> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let job = lock_job(&mut tx, job_id).await?;
                if job.status != JobStatus::Failed {
                    return Err(Abort::Refused(JobRefusal::NotFailed));
                }
                let Some(statement) = reopen(&job, actor.at) else {
                    return Err(Abort::Refused(JobRefusal::NotRepeatable));
                };
                if execute!(&mut tx, statement)? == 0 {
                    return Err(Abort::Refused(JobRefusal::RecordChanged));
                }
                if [JobKind::Publish, JobKind::Withdraw].contains(&job.kind) {
                    record_retry(&mut tx, &job, actor).await?;
                }
                make_due(&mut tx, job_id, actor.at).await?;
                let changed = lock_job(&mut tx, job_id).await?;
                let record = job_record(AuditAction::JobRetry, &job, &changed);
                self.add_audit_records(&mut tx, record).await?;
                changed
            })
        };
        let job = self.run_or_refuse("retry_job", work).await?;
        self.job_added.notify_waiters();
        Ok(job)
    }

    /// Cancels a job and what it works on, by the rules of a revoke: an attempt to send that has begun ends by itself.
    pub async fn cancel_job(&self, job_id: &str, actor: &JobActor) -> Result<ListedJob, JobRefusal> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let job = lock_job(&mut tx, job_id).await?;
                if !matches!(job.status, JobStatus::Waiting | JobStatus::Running) {
                    return Err(Abort::Refused(JobRefusal::Ended));
                }
                let sql = "UPDATE jobs SET status = 'cancelled', reason = $2, ended_at = $3, held_at = NULL \
                           WHERE job_id = $1 AND (status = 'waiting' \
                             OR (status = 'running' AND (begun_at IS NULL OR kind IN ('audit', 'analysis'))))";
                let cancelled = within!(&mut tx, |db| sqlx::query(sql)
                    .bind(job_id)
                    .bind(CANCELLED)
                    .bind(actor.at.millis())
                    .execute(db)
                    .await
                    .map(|done| done.rows_affected()))?;
                if cancelled == 0 {
                    return Err(Abort::Refused(JobRefusal::Sending));
                }
                cancel_records(&mut tx, &job.brand_id, job.kind, &[&job.subject], CANCELLED, actor.at)
                    .await?;
                if let Some(key_id) = job.key_id.clone() {
                    let event = NewEvent {
                        event_id: actor.event_id.clone(),
                        at: actor.at,
                        kind: EventKind::Cancelled,
                        key_id,
                        actor: actor.user_id.clone(),
                        tool: Some(job.kind.tool()),
                        outcome: EventOutcome::Ok,
                        reason: Some("cancelled_by_operator"),
                        latency_us: None,
                    };
                    insert_event(&mut tx, &job.brand_id, &event).await?;
                }
                let changed = lock_job(&mut tx, job_id).await?;
                let record = job_record(AuditAction::JobCancel, &job, &changed);
                self.add_audit_records(&mut tx, record).await?;
                changed
            })
        };
        self.run_or_refuse("cancel_job", work).await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_jobs(&self, search: &JobSearch) -> Result<Vec<String>, StoreError> {
        self.explain(&jobs_statement(search)).await
    }
}

fn job_record(action: AuditAction, before: &ListedJob, after: &ListedJob) -> Option<NewAuditRecord> {
    let fields = |job: &ListedJob| Fields::default().show("status", job.status.as_str());
    NewAuditRecord::new(action, Some(&before.brand_id), &before.job_id)
        .with_change(Some(&fields(before)), &fields(after))
}

fn jobs_statement(search: &JobSearch) -> Statement {
    let mut statement = Statement::new(JOB_QUERY);
    let texts = [
        ("status", search.status.map(JobStatus::as_str)),
        ("brand_id", search.brand.as_ref().map(BrandId::as_str)),
        ("kind", search.kind.map(JobKind::as_str)),
    ];
    for (column, text) in texts {
        if let Some(text) = text {
            let text = statement.text(text);
            statement.and(&format!("{column} = {text}"));
        }
    }
    let (at, id) = start_after(search.after.as_ref());
    let (at, id) = (statement.number(at), statement.text(id));
    statement.and(&format!("(created_at, job_id) < ({at}, {id})"));
    statement.push(" ORDER BY created_at DESC, job_id DESC");
    statement.limit(search.limit);
    statement
}

/// Reads a job and locks its row until the commit.
async fn lock_job(tx: &mut Tx<'_>, job_id: &str) -> Result<ListedJob, Abort<JobRefusal>> {
    let sql = "UPDATE jobs SET job_id = job_id WHERE job_id = $1 RETURNING job_id, brand_id, kind, subject, key_id, \
               status, held_at, reason, attempts, created_at, due_at, ended_at";
    let row: Option<ListedJobRow> =
        within!(tx, |db| sqlx::query_as(sql).bind(job_id).fetch_optional(db).await)?;
    let row = row.ok_or(Abort::Refused(JobRefusal::Unknown))?;
    Ok(ListedJob::try_from(row)?)
}

/// Reopens what a failed job worked on, if it is still failed. `None`: the kind is not tried again.
fn reopen(job: &ListedJob, now: Timestamp) -> Option<Statement> {
    // A post or mail that may have gone out is `uncertain`, not `failed`.
    let (table, id_column, changes, status) = match job.kind {
        JobKind::Publish => (
            "post_targets",
            "post_id",
            "status = 'publishing', attempts = 0, next_attempt_at = NULL",
            "failed",
        ),
        // A post that was not withdrawn is published.
        JobKind::Withdraw => (
            "post_targets",
            "post_id",
            "status = 'withdrawing', attempts = 0, next_attempt_at = NULL, error = NULL",
            "published",
        ),
        JobKind::ReportEmail => {
            ("report_emails", "email_id", "status = 'queued', attempts = 0, ended_at = NULL", "failed")
        }
        JobKind::Audit => (
            "audits",
            "audit_id",
            "status = 'queued', progress = NULL, failure = NULL, finished_at = NULL",
            "failed",
        ),
        JobKind::Analysis => {
            ("analyses", "analysis_id", "status = 'queued', failure = NULL, finished_at = NULL", "failed")
        }
        JobKind::ApprovalNotice | JobKind::Schedule => return None,
    };
    let mut statement = Statement::new(&format!("UPDATE {table} SET {changes}"));
    if job.kind == JobKind::Withdraw {
        let now = statement.number(now.millis());
        statement.push(&format!(", withdraw_requested_at = {now}"));
    }
    let (id, channel) = job.parts();
    let (brand, id) = (statement.text(job.brand_id.as_str()), statement.text(id));
    statement.and(&format!("brand_id = {brand} AND {id_column} = {id} AND status = '{status}'"));
    if table == "post_targets" {
        let channel = statement.text(channel);
        statement.and(&format!("channel = {channel}"));
    }
    Some(statement)
}

/// Counts a new version of the post, and records who tried it again.
async fn record_retry(tx: &mut Tx<'_>, job: &ListedJob, actor: &JobActor) -> Result<(), sqlx::Error> {
    let (post_id, _) = job.parts();
    let sql = "UPDATE posts SET version = version + 1 WHERE brand_id = $1 AND post_id = $2 RETURNING created_by_key";
    let key: Option<String> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(job.brand_id.as_str())
        .bind(post_id)
        .fetch_optional(db)
        .await)?;
    let Some(key) = key else { return Ok(()) };
    let event = PostEvent {
        event_id: actor.event_id.clone(),
        actor: actor.user_id.clone(),
        key_id: parse_column(&key, "key id")?,
        post_id: post_id.to_owned(),
        action: if job.kind == JobKind::Publish { "retry_post" } else { "withdraw_post" },
    };
    insert_post_event(tx, &job.brand_id, &event, actor.at).await
}

/// As if it were new: the attempts and the time that it may be held begin again.
async fn make_due(tx: &mut Tx<'_>, job_id: &str, now: Timestamp) -> Result<(), sqlx::Error> {
    let sql = "UPDATE jobs SET status = 'waiting', due_at = $2, attempts = 0, first_due_at = NULL, begun_at = NULL, \
               held_at = NULL, lease = NULL, reason = NULL, ended_at = NULL WHERE job_id = $1";
    within!(tx, |db| sqlx::query(sql).bind(job_id).bind(now.millis()).execute(db).await.map(|_| ()))
}

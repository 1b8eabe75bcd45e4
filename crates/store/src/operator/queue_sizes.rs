//! How much waits, for the operator's metrics.

use svc_mcp_access::{StoreError, Timestamp};
use svc_mcp_tools::{approvals::EXPIRES_AFTER, jobs::JobKind};

use crate::{Store, engine::query};

/// More rows are not counted, so that the statement stays cheap.
const MAX_COUNTED: u32 = 10_000;

/// What waits, of all brands together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSizes {
    pub jobs: Vec<JobQueue>,
    /// Calls that wait for a person.
    pub approvals: u32,
    pub deliveries: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobQueue {
    pub kind: JobKind,
    /// Jobs that are due and do not run.
    pub waiting: u32,
    /// When the first of them was due.
    pub oldest_due: Option<Timestamp>,
}

impl Store {
    /// One statement, which reads at most `MAX_COUNTED` entries of an index for each queue.
    pub async fn queue_sizes(&self, now: Timestamp) -> Result<QueueSizes, StoreError> {
        let statement = statement();
        let rows: Vec<(String, i64, Option<i64>)> = self
            .run_patiently("queue_sizes", async {
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(statement.as_str()))
                    .bind(now.millis())
                    .bind(now.minus(EXPIRES_AFTER).millis())
                    .fetch_all(db)
                    .await)
            })
            .await?;
        let find = |name: &str| rows.iter().find(|row| row.0 == name);
        let count = |name: &str| find(name).map_or(0, |row| u32::try_from(row.1).unwrap_or(u32::MAX));
        let jobs = JobKind::ALL.map(|kind| JobQueue {
            kind,
            waiting: count(kind.as_str()),
            oldest_due: find(kind.as_str()).and_then(|row| row.2).map(Timestamp::from_millis),
        });
        Ok(QueueSizes { jobs: jobs.to_vec(), approvals: count("approvals"), deliveries: count("deliveries") })
    }
}

/// A row for each queue: its name, how much waits, and when the first was due. `$1` is the time, `$2` the time of the oldest call
/// that can still be approved.
fn statement() -> String {
    let count =
        |rows: &str| format!("(SELECT COUNT(*) FROM (SELECT 1 FROM {rows} LIMIT {MAX_COUNTED}) AS counted)");
    let of_jobs = JobKind::ALL.map(|kind| {
        let kind = kind.as_str();
        // A running job is due when its lease ends.
        let due = format!("jobs WHERE status IN ('waiting', 'running') AND kind = '{kind}' AND due_at <= $1");
        format!("SELECT '{kind}', {}, (SELECT MIN(due_at) FROM {due})", count(&due))
    });
    let approvals = count("approvals WHERE status = 'pending' AND requested_at > $2 AND expires_at > $1");
    let deliveries = count("event_deliveries WHERE state = 'pending'");
    let others = [("approvals", approvals), ("deliveries", deliveries)]
        .map(|(name, count)| format!("SELECT '{name}', {count}, CAST(NULL AS BIGINT)"));
    of_jobs.into_iter().chain(others).collect::<Vec<_>>().join(" UNION ALL ")
}

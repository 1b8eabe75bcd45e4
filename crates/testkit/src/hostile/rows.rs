//! What the attacker's brand has in the database, and how much of it is allowed.

use std::{fs, time::Duration};

use svc_mcp_access::Quota;

use super::{Installation, database::Database, target::HOSTILE_BRAND};

const MINUTE: Duration = Duration::from_mins(1);
const REQUESTS_PER_MINUTE: u64 = 60;
/// Lists and calls, and the reasons of a refusal.
const KINDS_AND_REASONS: u64 = 2 * 6;
/// Emails that ask for a confirmation, in 24 hours.
const CONFIRMATIONS_PER_DAY: u64 = 100;
const MAX_PAGES_OF_AUDIT: u64 = 1000;

#[derive(Debug, Clone)]
pub struct RowCount {
    pub name: &'static str,
    pub count: u64,
    pub max: u64,
}

impl Installation {
    pub async fn hostile_rows(&self) -> Vec<RowCount> {
        let mut rows = Vec::new();
        for (name, from, max) in limits(self.started.elapsed()) {
            let filter = if from.contains(" WHERE ") { "AND" } else { "WHERE" };
            let sql = format!("SELECT COUNT(*) FROM {from} {filter} brand_id = '{HOSTILE_BRAND}'");
            rows.push(RowCount { name, count: self.database.number(&sql).await, max });
        }
        rows
    }

    /// Runs statements beside the service, such as to fill a table.
    pub async fn execute(&self, sql: &str) {
        self.database.execute(sql).await;
    }

    pub async fn database_bytes(&self) -> u64 {
        match &self.database {
            Database::Sqlite(file) => {
                let files = ["", "-wal"].map(|end| format!("{}{end}", file.display()));
                files.iter().filter_map(|file| fs::metadata(file).ok()).map(|file| file.len()).sum()
            }
            Database::Postgres(_) => {
                self.database.number("SELECT pg_database_size(current_database())").await
            }
        }
    }
}

/// What is counted, its table and condition, and the most that a brand may have this long after it got its keys.
fn limits(age: Duration) -> Vec<(&'static str, &'static str, u64)> {
    let quota = |quota: Quota| u64::from(quota.default_limit());
    let minutes = age.as_secs() / MINUTE.as_secs();
    let keys = quota(Quota::Keys);
    let admitted = keys * REQUESTS_PER_MINUTE * (minutes + 1);
    // Refused requests of a key are one row for each minute, kind and reason. Each key also has a row for its creation.
    let events = admitted + keys * (minutes + 2) * KINDS_AND_REASONS + keys;
    vec![
        (
            "open audits and analyses",
            "jobs WHERE kind IN ('audit', 'analysis') AND status IN ('waiting', 'running')",
            quota(Quota::OpenLongJobs),
        ),
        (
            "queued posts, for each channel",
            "post_targets WHERE status IN ('scheduled', 'publishing')",
            quota(Quota::QueuedTargets),
        ),
        ("posts", "posts", quota(Quota::PostsPerDay)),
        ("audits", "audits", quota(Quota::AuditsPerDay)),
        ("pages of open audits", "audit_pages", quota(Quota::OpenLongJobs) * MAX_PAGES_OF_AUDIT),
        ("analyses", "analyses", quota(Quota::AnalysesPerDay)),
        ("recipients of reports", "report_recipients", CONFIRMATIONS_PER_DAY),
        ("emails", "report_emails", CONFIRMATIONS_PER_DAY),
        ("idempotency records", "promises", admitted),
        ("recent calls", "recent_calls", quota(Quota::PostsPerDay) + quota(Quota::ReportEmailsPerDay)),
        ("events in the activity", "activity", events),
        ("keys", "keys", keys),
    ]
}

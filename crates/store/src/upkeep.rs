//! Old rows go: what nobody will ask for again.

use std::time::Duration;

use svc_mcp_access::{Timestamp, decision::Unavailable};

use crate::{Store, engine::transaction};

const DAY: Duration = Duration::from_hours(24);
/// Single events are kept this long.
const ACTIVITY_KEPT: Duration = Duration::from_hours(24 * 90);
/// Jobs that have ended are of use to nobody but an operator who wonders.
const JOBS_KEPT: Duration = Duration::from_hours(24 * 7);
/// Mails and reports are kept this long, and with them the links in the mails.
const MAILS_KEPT: Duration = Duration::from_hours(24 * 400);
/// Counts by day are kept this long.
const USAGE_KEPT: Duration = Duration::from_hours(24 * 400);

impl Store {
    /// To be called now and then. Gives how many rows went.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, Unavailable> {
        self.run("prune", async {
            transaction!(&self.engine, |tx| {
                let mut gone = 0;
                for (sql, before) in [
                    ("DELETE FROM activity WHERE at < $1", now.minus(ACTIVITY_KEPT).millis()),
                    ("DELETE FROM jobs WHERE ended_at < $1", now.minus(JOBS_KEPT).millis()),
                    ("DELETE FROM report_emails WHERE created_at < $1", now.minus(MAILS_KEPT).millis()),
                    (
                        "DELETE FROM reports WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM report_emails e \
                         WHERE e.brand_id = reports.brand_id AND e.report_id = reports.report_id)",
                        now.minus(MAILS_KEPT).millis(),
                    ),
                    (
                        "DELETE FROM report_recipients WHERE listed = 0 AND status <> 'suppressed' AND asked_at < $1",
                        now.minus(MAILS_KEPT).millis(),
                    ),
                    ("DELETE FROM promises WHERE expires_at < $1", now.millis()),
                    ("DELETE FROM peaks WHERE minute < $1", now.minus(DAY).millis() / 60_000),
                ] {
                    gone += sqlx::query(sql).bind(before).execute(&mut *tx).await?.rows_affected();
                }
                gone += sqlx::query("DELETE FROM usage_counts WHERE day < $1")
                    .bind(now.minus(USAGE_KEPT).day())
                    .execute(&mut *tx)
                    .await?
                    .rows_affected();
                gone
            })
        })
        .await
    }
}

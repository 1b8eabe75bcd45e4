//! Old rows go: what nobody will ask for again.

use std::time::Duration;

use svc_mcp_access::{Timestamp, decision::Unavailable};

use crate::{
    Store,
    engine::{Engine, transaction},
};

const DAY: Duration = Duration::from_hours(24);
/// Single events are kept this long.
const ACTIVITY_KEPT: Duration = Duration::from_hours(24 * 90);
/// Jobs that have ended are of use to nobody but an operator who wonders.
const JOBS_KEPT: Duration = Duration::from_hours(24 * 7);
/// Mails and reports are kept this long, and with them the links in the mails.
const MAILS_KEPT: Duration = Duration::from_hours(24 * 400);
/// Counts by day are kept this long.
const USAGE_KEPT: Duration = Duration::from_hours(24 * 400);

/// So many rows go at a time: each portion takes a moment, and holds nothing up.
const PORTION: u64 = 5_000;

/// Kibibytes that SQLite's writer keeps of the file: as many as it does without being told, and the fewest that will do.
const CACHE: u32 = 2_000;
const CACHE_WHILE_PRUNING: u32 = 128;

enum Before {
    Moment(i64),
    Day(String),
}

impl Store {
    /// To be called now and then. Gives how many rows went.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, Unavailable> {
        // Looking through everything would fill the cache with what nobody asks for, and the system would not get that
        // memory back.
        self.set_writers_cache(CACHE_WHILE_PRUNING).await?;
        let gone = self.prune_tables(now).await;
        self.set_writers_cache(CACHE).await?;
        gone
    }

    async fn prune_tables(&self, now: Timestamp) -> Result<u64, Unavailable> {
        const REPORTS: &str = "created_at < $1 AND NOT EXISTS (SELECT 1 FROM report_emails e \
             WHERE e.brand_id = reports.brand_id AND e.report_id = reports.report_id)";
        let mails = || Before::Moment(now.minus(MAILS_KEPT).millis());
        let mut gone = 0;
        for (table, identity, condition, before) in [
            (
                "activity",
                "brand_id, at, event_id",
                "at < $1",
                Before::Moment(now.minus(ACTIVITY_KEPT).millis()),
            ),
            ("jobs", "job_id", "ended_at < $1", Before::Moment(now.minus(JOBS_KEPT).millis())),
            ("report_emails", "brand_id, email_id", "created_at < $1", mails()),
            ("reports", "brand_id, report_id", REPORTS, mails()),
            (
                "report_recipients",
                "brand_id, address",
                "listed = 0 AND status <> 'suppressed' AND asked_at < $1",
                mails(),
            ),
            (
                "promises",
                "brand_id, key_id, idempotency_key",
                "expires_at < $1",
                Before::Moment(now.millis()),
            ),
            (
                "peaks",
                "brand_id, key_id, minute",
                "minute < $1",
                Before::Moment(now.minus(DAY).millis() / 60_000),
            ),
            ("writers", "writer", "at < $1", Before::Moment(now.minus(DAY).millis())),
            (
                "usage_counts",
                "brand_id, day, key_id, tool, outcome, bucket",
                "day < $1",
                Before::Day(now.minus(USAGE_KEPT).day()),
            ),
        ] {
            let sql = format!(
                "DELETE FROM {table} WHERE ({identity}) IN \
                 (SELECT {identity} FROM {table} WHERE {condition} LIMIT {PORTION})"
            );
            loop {
                let portion = self.prune_portion(&sql, &before).await?;
                gone += portion;
                if portion < PORTION {
                    break;
                }
            }
        }
        Ok(gone)
    }

    /// Of SQLite; PostgreSQL has one of its own.
    async fn set_writers_cache(&self, kibibytes: u32) -> Result<(), Unavailable> {
        let Engine::Sqlite { writer, .. } = &self.engine else { return Ok(()) };
        let sql = format!("PRAGMA cache_size = -{kibibytes}");
        let setting = async { sqlx::query(sqlx::AssertSqlSafe(sql)).execute(writer).await.map(|_| ()) };
        self.run_patiently("cache_size", setting).await
    }

    async fn prune_portion(&self, sql: &str, before: &Before) -> Result<u64, Unavailable> {
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let query = sqlx::query(sqlx::AssertSqlSafe(sql));
                let query = match before {
                    Before::Moment(moment) => query.bind(moment),
                    Before::Day(day) => query.bind(day),
                };
                query.execute(&mut *tx).await?.rows_affected()
            })
        })
        .await
    }
}

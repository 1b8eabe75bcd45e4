//! Deletes old rows, and rows beyond the number that a brand may store.

mod excess;

use std::time::Duration;

use svc_mcp_access::{StoreError, Timestamp};
use svc_mcp_tools::recent_call::REPEAT_WINDOW;

use crate::{
    Store,
    engine::{Engine, transaction},
    partitions::{self, ACTIVITY_RETENTION, USAGE_RETENTION},
};

const DAY: Duration = Duration::from_hours(24);
/// Only an operator may want to look at ended jobs.
const JOB_RETENTION: Duration = Duration::from_hours(24 * 7);
/// The links in mails work as long as the mails are kept.
const MAIL_RETENTION: Duration = Duration::from_hours(24 * 400);
/// Revoked and expired keys are listed for this long. Nothing else refers to them by then.
const DEAD_KEY_RETENTION: Duration = Duration::from_hours(24 * 400);
/// Who approved what may be asked a year later.
const APPROVAL_RETENTION: Duration = Duration::from_hours(24 * 400);
/// Events and their deliveries, which people look at and send again.
const EVENT_RETENTION: Duration = Duration::from_hours(24 * 30);
/// The counts of today are needed, and those of yesterday where clocks differ.
const QUOTA_COUNT_RETENTION: Duration = Duration::from_hours(48);

/// Rows for each statement, so that no statement blocks other writers for long.
const ROWS_PER_STATEMENT: u64 = 5_000;
/// Tables without an index by age are searched for this many brands at a time.
const BRANDS_PER_STATEMENT: i64 = 500;

/// The page cache of SQLite's writer in KiB: its default, and a small one while pruning.
const CACHE_KIB: u32 = 2_000;
const PRUNE_CACHE_KIB: u32 = 128;

/// Rows of one table that are too old.
struct OldRows {
    table: &'static str,
    identity: &'static str,
    condition: &'static str,
    before: Cutoff,
}

enum Cutoff {
    Number(i64),
    Day(String),
}

/// The brands after `after`, up to and including `last`.
struct BrandRange {
    after: String,
    last: String,
}

impl OldRows {
    /// The statement for all brands, or for a range of them.
    fn delete_statement(&self, table: &str, brands: Option<&BrandRange>) -> String {
        let Self { identity, condition, .. } = self;
        let in_range = match brands {
            Some(_) => {
                "brand_id IN (SELECT brand_id FROM brands WHERE brand_id > $2 AND brand_id <= $3) AND "
            }
            None => "",
        };
        format!(
            "DELETE FROM {table} WHERE ({identity}) IN \
             (SELECT {identity} FROM {table} WHERE {in_range}{condition} LIMIT {ROWS_PER_STATEMENT})"
        )
    }
}

/// Tables with an index by age.
fn indexed_by_age(now: Timestamp) -> [OldRows; 9] {
    let before = |kept| Cutoff::Number(now.minus(kept).millis());
    [
        OldRows {
            table: "activity",
            identity: "brand_id, at, event_id",
            condition: "at < $1",
            before: before(ACTIVITY_RETENTION),
        },
        OldRows {
            table: "jobs",
            identity: "job_id",
            condition: "ended_at < $1",
            before: before(JOB_RETENTION),
        },
        OldRows {
            table: "promises",
            identity: "brand_id, key_id, idempotency_key",
            condition: "expires_at < $1",
            before: Cutoff::Number(now.millis()),
        },
        OldRows {
            table: "recent_calls",
            identity: "brand_id, fingerprint",
            condition: "called_at < $1",
            before: before(REPEAT_WINDOW),
        },
        // A delivery that waits is tried for some days only. If it is so old, its endpoint is off or deleted.
        OldRows {
            table: "event_deliveries",
            identity: "delivery_id",
            condition: "at < $1",
            before: before(EVENT_RETENTION),
        },
        OldRows {
            table: "outbox_events",
            identity: "event_id",
            condition: "at < $1",
            before: before(EVENT_RETENTION),
        },
        OldRows {
            table: "sign_in_codes",
            identity: "digest",
            condition: "expires_at < $1",
            before: Cutoff::Number(now.millis()),
        },
        OldRows {
            table: "sessions",
            identity: "digest",
            condition: "expires_at < $1",
            before: Cutoff::Number(now.millis()),
        },
        // It has one row for each process that wrote recently, so it needs no index.
        OldRows { table: "writers", identity: "writer", condition: "at < $1", before: before(DAY) },
    ]
}

/// Tables without such an index, because it would make every write slower. They may be too large to search at once.
fn searched_by_brand(now: Timestamp) -> [OldRows; 9] {
    let mails = || Cutoff::Number(now.minus(MAIL_RETENTION).millis());
    [
        OldRows {
            table: "report_emails",
            identity: "brand_id, email_id",
            condition: "created_at < $1",
            before: mails(),
        },
        OldRows {
            table: "reports",
            identity: "brand_id, report_id",
            condition: "created_at < $1 AND NOT EXISTS (SELECT 1 FROM report_emails e \
                        WHERE e.brand_id = reports.brand_id AND e.report_id = reports.report_id)",
            before: mails(),
        },
        OldRows {
            table: "report_recipients",
            identity: "brand_id, address",
            condition: "listed = 0 AND status <> 'suppressed' AND asked_at < $1",
            before: mails(),
        },
        OldRows {
            table: "peaks",
            identity: "brand_id, key_id, minute",
            condition: "minute < $1",
            before: Cutoff::Number(now.minus(DAY).millis() / 60_000),
        },
        OldRows {
            table: "events_left_out",
            identity: "brand_id, minute",
            condition: "minute < $1",
            before: Cutoff::Number(now.minus(ACTIVITY_RETENTION).millis() / 60_000),
        },
        OldRows {
            table: "usage_counts",
            identity: "brand_id, day, key_id, tool, outcome, bucket",
            condition: "day < $1",
            before: Cutoff::Day(now.minus(USAGE_RETENTION).day()),
        },
        OldRows {
            table: "keys",
            identity: "key_id",
            condition: "(revoked_at < $1 OR expires_at < $1)",
            before: Cutoff::Number(now.minus(DEAD_KEY_RETENTION).millis()),
        },
        OldRows {
            table: "approvals",
            identity: "brand_id, approval_id",
            condition: "expires_at < $1",
            before: Cutoff::Number(now.minus(APPROVAL_RETENTION).millis()),
        },
        OldRows {
            table: "quota_counts",
            identity: "brand_id, quota, day",
            condition: "day < $1",
            before: Cutoff::Day(now.minus(QUOTA_COUNT_RETENTION).day()),
        },
    ]
}

impl Store {
    /// Call it regularly. Returns the number of deleted rows, without those of dropped partitions.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, StoreError> {
        // Searching every table would fill the page cache with rows that nobody needs, and keep that memory.
        self.set_writer_cache(PRUNE_CACHE_KIB).await?;
        let deleted = self.prune_tables(now).await;
        self.set_writer_cache(CACHE_KIB).await?;
        deleted
    }

    async fn prune_tables(&self, now: Timestamp) -> Result<u64, StoreError> {
        let partitions = self.maintain_partitions(now).await?;
        let mut deleted = 0;
        for old in indexed_by_age(now) {
            deleted += self.prune_table(&old, &partitions, None).await?;
        }
        let limits = self.stored_limits().await?;
        let (by_brand, mut after) = (searched_by_brand(now), String::new());
        while let Some(last) = self.last_of_next_brands(&after).await? {
            let brands = BrandRange { after, last };
            for old in &by_brand {
                deleted += self.prune_table(old, &partitions, Some(&brands)).await?;
            }
            deleted += self.prune_excess(&brands, &limits).await?;
            after = brands.last;
        }
        Ok(deleted)
    }

    async fn prune_table(
        &self,
        old: &OldRows,
        partitions: &[String],
        brands: Option<&BrandRange>,
    ) -> Result<u64, StoreError> {
        let mut deleted = 0;
        for table in tables_to_search(old.table, partitions) {
            let sql = old.delete_statement(table, brands);
            loop {
                let rows = self.delete_rows(&sql, &old.before, brands).await?;
                deleted += rows;
                if rows < ROWS_PER_STATEMENT {
                    break;
                }
            }
        }
        Ok(deleted)
    }

    /// Returns the partitions whose old rows are deleted one by one.
    async fn maintain_partitions(&self, now: Timestamp) -> Result<Vec<String>, StoreError> {
        let Engine::Postgres { pool, .. } = &self.engine else { return Ok(Vec::new()) };
        let due = async { partitions::due_changes(&mut *pool.acquire().await?, now).await };
        for change in self.run_patiently("partitions", due).await? {
            let run = async { change.run(&mut *pool.acquire().await?).await };
            self.run_patiently("change_partitions", run).await?;
        }
        let by_row = async { partitions::deleted_by_row(&mut *pool.acquire().await?).await };
        self.run_patiently("partitions", by_row).await
    }

    async fn delete_rows(
        &self,
        sql: &str,
        before: &Cutoff,
        brands: Option<&BrandRange>,
    ) -> Result<u64, StoreError> {
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
                query = match before {
                    Cutoff::Number(number) => query.bind(number),
                    Cutoff::Day(day) => query.bind(day),
                };
                if let Some(BrandRange { after, last }) = brands {
                    query = query.bind(after).bind(last);
                }
                query.execute(&mut *tx).await?.rows_affected()
            })
        })
        .await
    }

    /// The last of the next brands. It uses the connection that writes requests, so that the readers keep their page caches.
    async fn last_of_next_brands(&self, after: &str) -> Result<Option<String>, StoreError> {
        const NEXT: &str = "SELECT MAX(brand_id) FROM \
            (SELECT brand_id FROM brands WHERE brand_id > $1 ORDER BY brand_id LIMIT $2) AS next";
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                sqlx::query_scalar(NEXT).bind(after).bind(BRANDS_PER_STATEMENT).fetch_one(&mut *tx).await?
            })
        })
        .await
    }

    async fn set_writer_cache(&self, kibibytes: u32) -> Result<(), StoreError> {
        let Engine::Sqlite { writers, .. } = &self.engine else { return Ok(()) };
        let sql = format!("PRAGMA cache_size = -{kibibytes}");
        let setting =
            async { sqlx::query(sqlx::AssertSqlSafe(sql)).execute(writers.requests()).await.map(|_| ()) };
        self.run_patiently("cache_size", setting).await
    }
}

/// The table itself, or those of its partitions that are not dropped when all of their rows are too old.
fn tables_to_search<'a>(table: &'a str, partitions: &'a [String]) -> Vec<&'a str> {
    let of_table = |name: &&str| name.strip_prefix(table).is_some_and(|rest| rest.starts_with('_'));
    let of_table: Vec<&str> = partitions.iter().map(String::as_str).filter(of_table).collect();
    if of_table.is_empty() { vec![table] } else { of_table }
}

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
/// Where rows are not found by their age, those of so many brands are looked at at a time.
const BRANDS: i64 = 500;

/// Kibibytes that SQLite's writer keeps of the file: as many as it does without being told, and the fewest that will do.
const CACHE: u32 = 2_000;
const CACHE_WHILE_PRUNING: u32 = 128;

/// Rows that go.
struct Old {
    table: &'static str,
    identity: &'static str,
    condition: &'static str,
    before: Before,
}

enum Before {
    Moment(i64),
    Day(String),
}

/// Brands behind the first, up to the last.
struct Brands {
    behind: String,
    last: String,
}

impl Old {
    /// Of all brands, or of these alone and found by them.
    fn portion(&self, brands: Option<&Brands>) -> String {
        let Self { table, identity, condition, .. } = self;
        let theirs = match brands {
            Some(_) => {
                "brand_id IN (SELECT brand_id FROM brands WHERE brand_id > $2 AND brand_id <= $3) AND "
            }
            None => "",
        };
        format!(
            "DELETE FROM {table} WHERE ({identity}) IN \
             (SELECT {identity} FROM {table} WHERE {theirs}{condition} LIMIT {PORTION})"
        )
    }
}

/// These have an index by age.
fn found_by_age(now: Timestamp) -> [Old; 4] {
    let before = |kept| Before::Moment(now.minus(kept).millis());
    [
        Old {
            table: "activity",
            identity: "brand_id, at, event_id",
            condition: "at < $1",
            before: before(ACTIVITY_KEPT),
        },
        Old { table: "jobs", identity: "job_id", condition: "ended_at < $1", before: before(JOBS_KEPT) },
        Old {
            table: "promises",
            identity: "brand_id, key_id, idempotency_key",
            condition: "expires_at < $1",
            before: Before::Moment(now.millis()),
        },
        // One for each process that wrote in the last days: it needs none.
        Old { table: "writers", identity: "writer", condition: "at < $1", before: before(DAY) },
    ]
}

/// These have none, since every use would have to be entered into it too. Together they may have more rows than can be
/// looked at in one go.
fn found_by_brand(now: Timestamp) -> [Old; 5] {
    let mails = || Before::Moment(now.minus(MAILS_KEPT).millis());
    [
        Old {
            table: "report_emails",
            identity: "brand_id, email_id",
            condition: "created_at < $1",
            before: mails(),
        },
        Old {
            table: "reports",
            identity: "brand_id, report_id",
            condition: "created_at < $1 AND NOT EXISTS (SELECT 1 FROM report_emails e \
                        WHERE e.brand_id = reports.brand_id AND e.report_id = reports.report_id)",
            before: mails(),
        },
        Old {
            table: "report_recipients",
            identity: "brand_id, address",
            condition: "listed = 0 AND status <> 'suppressed' AND asked_at < $1",
            before: mails(),
        },
        Old {
            table: "peaks",
            identity: "brand_id, key_id, minute",
            condition: "minute < $1",
            before: Before::Moment(now.minus(DAY).millis() / 60_000),
        },
        Old {
            table: "usage_counts",
            identity: "brand_id, day, key_id, tool, outcome, bucket",
            condition: "day < $1",
            before: Before::Day(now.minus(USAGE_KEPT).day()),
        },
    ]
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
        let mut gone = 0;
        for old in found_by_age(now) {
            gone += self.prune_table(&old, None).await?;
        }
        let (by_brand, mut behind) = (found_by_brand(now), String::new());
        while let Some(last) = self.last_of_brands(&behind).await? {
            let brands = Brands { behind, last };
            for old in &by_brand {
                gone += self.prune_table(old, Some(&brands)).await?;
            }
            behind = brands.last;
        }
        Ok(gone)
    }

    async fn prune_table(&self, old: &Old, brands: Option<&Brands>) -> Result<u64, Unavailable> {
        let sql = old.portion(brands);
        let mut gone = 0;
        loop {
            let portion = self.prune_portion(&sql, &old.before, brands).await?;
            gone += portion;
            if portion < PORTION {
                return Ok(gone);
            }
        }
    }

    async fn prune_portion(
        &self,
        sql: &str,
        before: &Before,
        brands: Option<&Brands>,
    ) -> Result<u64, Unavailable> {
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
                query = match before {
                    Before::Moment(moment) => query.bind(moment),
                    Before::Day(day) => query.bind(day),
                };
                if let Some(Brands { behind, last }) = brands {
                    query = query.bind(behind).bind(last);
                }
                query.execute(&mut *tx).await?.rows_affected()
            })
        })
        .await
    }

    /// The last of the next few brands, if there are any. Asked of the writer: no reader's cache is to fill with them.
    async fn last_of_brands(&self, behind: &str) -> Result<Option<String>, Unavailable> {
        const NEXT: &str = "SELECT MAX(brand_id) FROM \
            (SELECT brand_id FROM brands WHERE brand_id > $1 ORDER BY brand_id LIMIT $2) AS next";
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                sqlx::query_scalar(NEXT).bind(behind).bind(BRANDS).fetch_one(&mut *tx).await?
            })
        })
        .await
    }

    /// Of SQLite; PostgreSQL has one of its own.
    async fn set_writers_cache(&self, kibibytes: u32) -> Result<(), Unavailable> {
        let Engine::Sqlite { writer, .. } = &self.engine else { return Ok(()) };
        let sql = format!("PRAGMA cache_size = -{kibibytes}");
        let setting = async { sqlx::query(sqlx::AssertSqlSafe(sql)).execute(writer).await.map(|_| ()) };
        self.run_patiently("cache_size", setting).await
    }
}

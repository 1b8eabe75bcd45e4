//! The partitions of activity (weeks) and daily usage (months) in PostgreSQL.
//!
//! Pruning drops a partition when all of its rows are too old. That takes as long for a billion rows as for one, and leaves
//! no dead rows behind. New partitions are added ahead. A row without a partition goes into the default one, and moves when
//! its partition is added.
//!
//! The name of a partition says where it begins (`activity_2026_11_12`), so names are compared instead of bounds. The rows
//! from before the first partition are in one that says where it ends (`activity_before_2026_11_19`).

use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection, PgPool};
use svc_mcp_access::{StoreError, Timestamp};

use super::{ACTIVITY_RETENTION, USAGE_RETENTION};
use crate::{Store, engine::Engine};

/// A number of our own for `pg_try_advisory_xact_lock`: one instance at a time changes partitions.
const LOCK: i64 = 0x7376_635f_7061_7274;
/// A change of partitions waits for queries of the table, and later queries wait behind it. So it gives up soon, and the next
/// run tries again.
const SET_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '1s'";
const LOCK_TIMEOUT_CODE: &str = "55P03";

const WEEK: i64 = 7 * 86_400_000;

struct PartitionedTable {
    name: &'static str,
    column: &'static str,
    length: Length,
    /// How many partitions there are after the current one.
    ahead: u32,
    retention: Duration,
}

#[derive(Clone, Copy)]
enum Length {
    /// Of a column with milliseconds.
    Week,
    /// Of a column with days such as `2026-11-15`.
    Month,
}

const TABLES: [PartitionedTable; 2] = [
    PartitionedTable {
        name: "activity",
        column: "at",
        length: Length::Week,
        ahead: 4,
        retention: ACTIVITY_RETENTION,
    },
    PartitionedTable {
        name: "usage_counts",
        column: "day",
        length: Length::Month,
        ahead: 2,
        retention: USAGE_RETENTION,
    },
];

/// One week or month.
#[derive(Debug, PartialEq, Eq)]
struct Span {
    /// Its first day, as in the name of its partition.
    name: String,
    /// The first value, and the first one after it, as SQL.
    from: String,
    to: String,
    next: Timestamp,
}

impl Length {
    fn span_of(self, at: Timestamp) -> Span {
        match self {
            Self::Week => {
                let start = at.millis().div_euclid(WEEK) * WEEK;
                let next = Timestamp::from_millis(start + WEEK);
                Span {
                    name: name_of(&Timestamp::from_millis(start).day()),
                    from: start.to_string(),
                    to: next.millis().to_string(),
                    next,
                }
            }
            Self::Month => {
                let month = |at: Timestamp| at.day()[..7].to_owned();
                let this = month(at);
                let mut next = at.next_midnight();
                while month(next) == this {
                    next = next.next_midnight();
                }
                let first_day = format!("{this}-01");
                Span {
                    name: name_of(&first_day),
                    from: format!("'{first_day}'"),
                    to: format!("'{}'", next.day()),
                    next,
                }
            }
        }
    }
}

fn name_of(day: &str) -> String {
    day.replace('-', "_")
}

/// The partitions of a table by the days in their names.
#[derive(Debug, Default)]
struct Partitions {
    /// The first day of each.
    regular: Vec<String>,
    /// The end of the one with the rows from before the first partition.
    before: Option<String>,
}

impl PartitionedTable {
    async fn partitions(&self, db: &PgPool) -> Result<Partitions, sqlx::Error> {
        let sql = "SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
                   WHERE i.inhparent = to_regclass($1) ORDER BY c.relname";
        let names: Vec<String> = sqlx::query_scalar(sql).bind(self.name).fetch_all(db).await?;
        let mut partitions = Partitions::default();
        for name in names {
            let Some(rest) = name.strip_prefix(self.name).and_then(|rest| rest.strip_prefix('_')) else {
                continue;
            };
            match rest.strip_prefix("before_") {
                Some(end) => partitions.before = Some(end.to_owned()),
                None if rest.starts_with(|first: char| first.is_ascii_digit()) => {
                    partitions.regular.push(rest.to_owned());
                }
                None => {}
            }
        }
        Ok(partitions)
    }

    /// The spans from now on that have no partition.
    fn missing(&self, partitions: &Partitions, now: Timestamp) -> Vec<Span> {
        let (mut missing, mut at) = (Vec::new(), now);
        for _ in 0..=self.ahead {
            let span = self.length.span_of(at);
            at = span.next;
            let is_covered = partitions.before.as_ref().is_some_and(|end| span.name < *end);
            if !is_covered && !partitions.regular.contains(&span.name) {
                missing.push(span);
            }
        }
        missing
    }

    /// The names of the partitions in which every row is too old.
    fn expired(&self, partitions: &Partitions, now: Timestamp) -> Vec<String> {
        // The partition with the oldest row that is kept.
        let oldest_kept = self.length.span_of(now.minus(self.retention)).name;
        let mut expired: Vec<String> = Vec::new();
        let regular = partitions.regular.iter().filter(|first_day| **first_day < oldest_kept);
        expired.extend(regular.map(|first_day| format!("{}_{first_day}", self.name)));
        let before = partitions.before.iter().filter(|end| **end <= oldest_kept);
        expired.extend(before.map(|end| format!("{}_before_{end}", self.name)));
        expired
    }

    /// Adds a partition, and moves its rows out of the default one. Attaching a table locks less than creating a partition.
    async fn add(&self, db: &mut PgConnection, span: &Span) -> Result<(), sqlx::Error> {
        let Self { name: table, column, .. } = self;
        let Span { name, from, to, .. } = span;
        let partition = format!("{table}_{name}");
        for sql in [
            format!(
                "CREATE TABLE {partition} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)"
            ),
            format!("LOCK TABLE {table}_default IN ACCESS EXCLUSIVE MODE"),
            format!(
                "WITH moved AS (DELETE FROM {table}_default WHERE {column} >= {from} AND {column} < {to} RETURNING *) \
                 INSERT INTO {partition} SELECT * FROM moved"
            ),
            format!("ALTER TABLE {table} ATTACH PARTITION {partition} FOR VALUES FROM ({from}) TO ({to})"),
        ] {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *db).await?;
        }
        Ok(())
    }
}

/// The tables whose old rows are deleted one by one: the table itself, or the partitions that are not dropped in time.
pub(super) fn deleted_by_row(engine: &Engine, table: &'static str, before: &[String]) -> Vec<String> {
    match engine {
        Engine::Postgres(_) if TABLES.iter().any(|partitioned| partitioned.name == table) => {
            let prefix = format!("{table}_before_");
            let of_table = before.iter().filter(|name| name.starts_with(&prefix)).cloned();
            [format!("{table}_default")].into_iter().chain(of_table).collect()
        }
        _ => vec![table.to_owned()],
    }
}

impl Store {
    /// Drops expired partitions and adds the next ones. Returns the partitions with the rows from before the first one.
    pub(super) async fn maintain_partitions(&self, now: Timestamp) -> Result<Vec<String>, StoreError> {
        let Engine::Postgres(pool) = &self.engine else { return Ok(Vec::new()) };
        let mut before = Vec::new();
        for table in &TABLES {
            let partitions = self.run_patiently("partitions", table.partitions(pool)).await?;
            for span in table.missing(&partitions, now) {
                let added = self
                    .change_partitions(pool, |tx| {
                        Box::pin(async move {
                            // Another instance may have added it since.
                            let name = format!("{}_{}", table.name, span.name);
                            if exists(tx, &name).await? {
                                return Ok(());
                            }
                            table.add(tx, &span).await
                        })
                    })
                    .await?;
                if !added {
                    break;
                }
            }
            for name in table.expired(&partitions, now) {
                let sql = format!("DROP TABLE IF EXISTS {name}");
                let dropped = self
                    .change_partitions(pool, |tx| {
                        Box::pin(
                            async move { sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await.map(|_| ()) },
                        )
                    })
                    .await?;
                if dropped {
                    tracing::info!(partition = name, "dropped a partition: all of its rows are too old");
                }
            }
            let partitions = self.run_patiently("partitions", table.partitions(pool)).await?;
            before.extend(partitions.before.map(|end| format!("{}_before_{end}", table.name)));
        }
        Ok(before)
    }

    /// Returns false if another instance changes partitions, or if queries of the table did not end in time.
    async fn change_partitions(
        &self,
        pool: &PgPool,
        change: impl for<'c> FnOnce(
            &'c mut PgConnection,
        ) -> std::pin::Pin<
            Box<dyn Future<Output = Result<(), sqlx::Error>> + Send + 'c>,
        > + Send,
    ) -> Result<bool, StoreError> {
        self.run_patiently("change_partitions", async {
            let mut tx = pool.begin().await?;
            let is_ours: bool = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1)")
                .bind(LOCK)
                .fetch_one(&mut *tx)
                .await?;
            if !is_ours {
                return Ok(false);
            }
            sqlx::raw_sql(SET_LOCK_TIMEOUT).execute(&mut *tx).await?;
            match change(&mut tx).await {
                Ok(()) => tx.commit().await.map(|()| true),
                Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LOCK_TIMEOUT_CODE) => {
                    tracing::warn!("partitions are in use: the next run changes them");
                    Ok(false)
                }
                Err(error) => Err(error),
            }
        })
        .await
    }
}

async fn exists(db: &mut PgConnection, table: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL").bind(table).fetch_one(db).await
}

#[cfg(test)]
mod tests {
    use super::{super::DAY, *};

    fn at(text: &str) -> Timestamp {
        Timestamp::try_from(text.to_owned()).expect("a time")
    }

    #[test]
    fn spans_follow_each_other_without_gaps() {
        for length in [Length::Week, Length::Month] {
            let mut span = length.span_of(at("2023-12-30T23:59:59Z"));
            for _ in 0..200 {
                let next = length.span_of(span.next);
                assert_eq!(span.to, next.from);
                assert!(span.name < next.name, "{span:?} {next:?}");
                span = next;
            }
        }
        let month = Length::Month.span_of(at("2024-02-29T12:00:00Z"));
        assert_eq!((month.name.as_str(), month.from.as_str()), ("2024_02_01", "'2024-02-01'"));
        assert_eq!(month.to, "'2024-03-01'");
        // Weeks begin on Thursdays, like 1970.
        let week = Length::Week.span_of(at("2026-11-18T06:00:00Z"));
        assert_eq!(week.name, "2026_11_12");
        assert_eq!(week.next, at("2026-11-19T00:00:00Z"));
    }

    #[test]
    fn partition_expires_when_its_last_row_does() {
        let table = &TABLES[0];
        let partitions = Partitions {
            regular: ["2026_11_12", "2026_11_19"].map(String::from).to_vec(),
            before: Some("2026_11_12".into()),
        };
        let end = at("2026-11-19T00:00:00Z").plus(ACTIVITY_RETENTION);
        let almost = end.minus(Duration::from_millis(1));
        assert_eq!(table.expired(&partitions, almost), ["activity_before_2026_11_12"]);
        assert_eq!(table.expired(&partitions, end), ["activity_2026_11_12", "activity_before_2026_11_12"]);
        assert_eq!(table.expired(&partitions, end.minus(DAY * 8)), [""; 0]);
    }

    #[test]
    fn nothing_is_added_where_the_rows_from_before_are() {
        let partitions = Partitions { regular: vec![], before: Some("2026_11_26".into()) };
        let missing = TABLES[0].missing(&partitions, at("2026-11-18T06:00:00Z"));
        let names: Vec<_> = missing.iter().map(|span| span.name.as_str()).collect();
        assert_eq!(names, ["2026_11_26", "2026_12_03", "2026_12_10"]);
    }
}

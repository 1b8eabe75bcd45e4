//! The partitions of activity (weeks) and daily usage (months) in PostgreSQL.
//!
//! Pruning drops a partition when all of its rows are too old. That takes as long for a billion rows as for one, and leaves
//! no dead rows behind.
//!
//! A partition is added before the first row of its time is written: the current ones when the store is opened, and the later
//! ones while pruning, weeks ahead. The order matters. An insert that waits for the default partition, while the partition
//! of its row is attached, fails: `new row for relation "activity_default" violates partition constraint`. The default
//! partition takes the rows of wrong clocks, so that no change fails because of its time.
//!
//! The name of a partition says where it begins (`activity_2026_11_12`), so names are compared instead of bounds. The rows
//! from before the first partition are in one that says where it ends (`activity_before_2026_11_19`).

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use svc_mcp_access::Timestamp;

pub(crate) const ACTIVITY_RETENTION: Duration = Duration::from_hours(24 * 90);
pub(crate) const USAGE_RETENTION: Duration = Duration::from_hours(24 * 400);

/// A number of our own for `pg_advisory_xact_lock`: one instance at a time changes partitions.
const LOCK: i64 = 0x7376_635f_7061_7274;
/// A change of partitions waits for queries of the table, and later queries wait behind it. So it gives up soon, and the next
/// run tries again.
const SET_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '200ms'";
const LOCK_TIMEOUT_CODE: &str = "55P03";

const WEEK: i64 = 7 * 86_400_000;

struct PartitionedTable {
    name: &'static str,
    column: &'static str,
    length: Length,
    /// How many partitions there are after the current one.
    ahead: usize,
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

/// One change of the partitions.
pub(crate) struct Change {
    partition: String,
    adds: bool,
    statements: Vec<String>,
}

impl PartitionedTable {
    async fn partitions(&self, db: &mut PgConnection) -> Result<Partitions, sqlx::Error> {
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

    /// The span of this time, and those ahead.
    fn spans(&self, now: Timestamp) -> Vec<Span> {
        let first = self.length.span_of(now);
        let following = std::iter::successors(Some(first), |span| Some(self.length.span_of(span.next)));
        following.take(1 + self.ahead).collect()
    }

    /// Whether the rows of this span have a partition.
    fn has(partitions: &Partitions, span: &Span) -> bool {
        let is_before = partitions.before.as_ref().is_some_and(|end| span.name < *end);
        is_before || partitions.regular.contains(&span.name)
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

    /// Attaching a table locks the parent less than creating a partition. Rows of a clock that was ahead move into it.
    fn add(&self, span: &Span) -> Change {
        let Self { name: table, column, .. } = self;
        let Span { name, from, to, .. } = span;
        let partition = format!("{table}_{name}");
        let statements = vec![
            format!(
                "CREATE TABLE {partition} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)"
            ),
            format!("LOCK TABLE {table}_default IN ACCESS EXCLUSIVE MODE"),
            format!(
                "WITH moved AS (DELETE FROM {table}_default WHERE {column} >= {from} AND {column} < {to} RETURNING *) \
                 INSERT INTO {partition} SELECT * FROM moved"
            ),
            format!("ALTER TABLE {table} ATTACH PARTITION {partition} FOR VALUES FROM ({from}) TO ({to})"),
        ];
        Change { partition, adds: true, statements }
    }
}

impl Change {
    /// PostgreSQL cannot detach a partition concurrently from a table with a default partition.
    fn drop(partition: String) -> Self {
        let statements = vec![format!("DROP TABLE {partition}")];
        Self { partition, adds: false, statements }
    }

    /// Returns false if queries of the table did not end in time. Then nothing was changed.
    pub(crate) async fn run(&self, db: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut tx = db.begin().await?;
        sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *tx).await?;
        // Another instance may have done it since. `to_regclass` could answer from a cache that does not know it yet.
        let exists: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = $1 AND pg_table_is_visible(oid))",
        )
        .bind(&self.partition)
        .fetch_one(&mut *tx)
        .await?;
        if exists == self.adds {
            return Ok(true);
        }
        sqlx::raw_sql(SET_LOCK_TIMEOUT).execute(&mut *tx).await?;
        for sql in &self.statements {
            match sqlx::raw_sql(AssertSqlSafe(sql.as_str())).execute(&mut *tx).await {
                Ok(_) => {}
                Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LOCK_TIMEOUT_CODE) => {
                    tracing::warn!(
                        partition = self.partition,
                        "the table is in use: its partitions are changed in an hour"
                    );
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
        tx.commit().await?;
        if !self.adds {
            tracing::info!(partition = self.partition, "dropped a partition: all of its rows are too old");
        }
        Ok(true)
    }
}

/// Adds the current partitions and those ahead, before this process writes a row.
pub(crate) async fn add_at_start(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    let now = "SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)";
    let now = Timestamp::from_millis(sqlx::query_scalar(now).fetch_one(&mut *db).await?);
    for table in &TABLES {
        let partitions = table.partitions(db).await?;
        for span in table.spans(now).iter().filter(|span| !PartitionedTable::has(&partitions, span)) {
            table.add(span).run(db).await?;
        }
    }
    Ok(())
}

/// The changes that are due while the service runs: the next partitions are added, and expired ones dropped.
pub(crate) async fn due_changes(db: &mut PgConnection, now: Timestamp) -> Result<Vec<Change>, sqlx::Error> {
    let mut changes = Vec::new();
    for table in &TABLES {
        let partitions = table.partitions(db).await?;
        // Rows of the current span are being written. If it has no partition, they stay in the default one.
        let ahead = table.spans(now).into_iter().skip(1);
        let missing = ahead.filter(|span| !PartitionedTable::has(&partitions, span));
        changes.extend(missing.map(|span| table.add(&span)));
        changes.extend(table.expired(&partitions, now).into_iter().map(Change::drop));
    }
    Ok(changes)
}

/// The partitions whose old rows are deleted one by one: the default ones, and those from before the partitions.
pub(crate) async fn deleted_by_row(db: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let mut names = Vec::new();
    for table in &TABLES {
        names.push(format!("{}_default", table.name));
        let before = table.partitions(db).await?.before;
        names.extend(before.map(|end| format!("{}_before_{end}", table.name)));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

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
    fn rows_from_before_have_a_partition() {
        let partitions = Partitions { regular: vec![], before: Some("2026_11_26".into()) };
        let spans = TABLES[0].spans(at("2026-11-18T06:00:00Z"));
        let missing = spans.iter().filter(|span| !PartitionedTable::has(&partitions, span));
        let names: Vec<_> = missing.map(|span| span.name.as_str()).collect();
        assert_eq!(names, ["2026_11_26", "2026_12_03", "2026_12_10"]);
    }
}

//! Writes the events of a batch: single ones, folded denials, and the number of those that were left out.

use std::collections::HashSet;

use sqlx::QueryBuilder;

use super::{
    EVENTS_PER_STATEMENT, KeyUse, MILLIS_PER_MINUTE, ROWS_PER_STATEMENT,
    rows::{DenialRow, LeftOutRow},
};
use crate::{
    EventOutcome,
    engine::{Tx, within},
};

const INSERT_EVENTS: &str = "INSERT INTO activity \
    (brand_id, at, event_id, kind, key_id, actor, tool, outcome, reason, latency_us, count, folded_minute) ";

/// The ids of the events of one write.
pub(super) struct EventIds<'a> {
    pub(super) prefix: &'a str,
    pub(super) write: i64,
}

impl EventIds<'_> {
    fn single(&self, index: usize) -> String {
        format!("{}-{:06}-{index:06}", self.prefix, self.write)
    }

    fn folded(&self, index: usize) -> String {
        format!("{}-{:06}d{index:06}", self.prefix, self.write)
    }
}

pub(super) async fn write_left_out(tx: &mut Tx<'_>, rows: &[LeftOutRow<'_>]) -> Result<(), sqlx::Error> {
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        within!(tx, |db| {
            let mut sql = QueryBuilder::new("INSERT INTO events_left_out (brand_id, minute, requests) ");
            sql.push_values(rows, |mut row, ((brand, minute), requests)| {
                row.push_bind(brand.as_str()).push_bind(i64::from(*minute)).push_bind(*requests);
            });
            sql.push(
                " ON CONFLICT (brand_id, minute) \
                 DO UPDATE SET requests = events_left_out.requests + excluded.requests",
            );
            sql.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

/// Denied requests that are stored already get a higher count.
///
/// Two instances cannot add the same row: both have locked the key's peak of this minute before, in the same order. There is
/// no unique index to rely on, because in PostgreSQL it would have to contain the time by which the table is partitioned.
pub(super) async fn write_denials(
    tx: &mut Tx<'_>,
    rows: &[DenialRow<'_>],
    ids: &EventIds<'_>,
) -> Result<(), sqlx::Error> {
    for (chunk, rows) in rows.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        let stored = add_to_stored_denials(tx, rows).await?;
        let new: Vec<_> =
            rows.iter().zip(first..).filter(|(row, _)| !stored.contains(&stored_by(row))).collect();
        if !new.is_empty() {
            insert_denials(tx, &new, ids).await?;
        }
    }
    Ok(())
}

/// The stored columns by which denied requests are folded: brand, key, minute, kind and reason.
type StoredBy = (String, String, i64, String, Option<String>);

fn stored_by((((brand, key), minute, kind, reason), _): &DenialRow<'_>) -> StoredBy {
    let reason = reason.map(str::to_owned);
    (brand.to_string(), key.to_string(), i64::from(*minute), (*kind).to_owned(), reason)
}

/// Returns the rows that are stored already.
async fn add_to_stored_denials(
    tx: &mut Tx<'_>,
    rows: &[DenialRow<'_>],
) -> Result<HashSet<StoredBy>, sqlx::Error> {
    let minutes = || rows.iter().map(|((_, minute, ..), _)| i64::from(*minute));
    let (Some(earliest), Some(latest)) = (minutes().min(), minutes().max()) else {
        return Ok(HashSet::new());
    };
    let stored: Vec<StoredBy> = within!(tx, |db| {
        let mut sql = QueryBuilder::new(
            "UPDATE activity SET count = activity.count + new.column6, \
             tool = CASE WHEN activity.tool = new.column7 THEN activity.tool END FROM (",
        );
        sql.push_values(rows, |mut row, (((brand, key), minute, kind, reason), denials)| {
            row.push_bind(brand.as_str())
                .push_bind(key.as_str())
                .push_bind(i64::from(*minute))
                .push_bind(*kind)
                .push_bind(*reason)
                .push_bind(denials.requests)
                .push_bind(denials.tool);
        });
        // The times are implied by the minutes. They say which partitions to search.
        sql.push(
            ") AS new WHERE activity.brand_id = new.column1 AND activity.key_id = new.column2 \
             AND activity.folded_minute IS NOT NULL AND activity.folded_minute = new.column3 \
             AND activity.kind = new.column4 AND activity.reason = new.column5 AND activity.at >= ",
        );
        sql.push_bind(earliest * MILLIS_PER_MINUTE).push(" AND activity.at < ");
        sql.push_bind((latest + 1) * MILLIS_PER_MINUTE);
        sql.push(
            " RETURNING activity.brand_id, activity.key_id, activity.folded_minute, activity.kind, activity.reason",
        );
        sql.build_query_as().persistent(false).fetch_all(db).await
    })?;
    Ok(stored.into_iter().collect())
}

async fn insert_denials(
    tx: &mut Tx<'_>,
    rows: &[(&DenialRow<'_>, usize)],
    ids: &EventIds<'_>,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new(INSERT_EVENTS);
        sql.push_values(rows, |mut row, ((folded_by, denials), index)| {
            let ((brand, key), minute, kind, reason) = folded_by;
            row.push_bind(brand.as_str())
                .push_bind(denials.at.millis())
                .push_bind(ids.folded(*index))
                .push_bind(*kind)
                .push_bind(key.as_str())
                .push_bind(denials.actor.as_str())
                .push_bind(denials.tool)
                .push_bind(EventOutcome::Denied.as_str())
                .push_bind(*reason)
                .push_bind(i64::from(denials.latency_us))
                .push_bind(denials.requests)
                .push_bind(i64::from(*minute));
        });
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

pub(super) async fn write_events(
    tx: &mut Tx<'_>,
    events: &[KeyUse],
    ids: &EventIds<'_>,
) -> Result<(), sqlx::Error> {
    // SQLite's connection for uses keeps the statement of a full chunk: parsing it costs a quarter of writing the rows.
    let keeps_statement = matches!(tx, Tx::Sqlite(_));
    for (chunk, events) in events.chunks(EVENTS_PER_STATEMENT).enumerate() {
        let first = chunk * EVENTS_PER_STATEMENT;
        let is_kept = keeps_statement && events.len() == EVENTS_PER_STATEMENT;
        within!(tx, |db| {
            let mut sql = QueryBuilder::new(INSERT_EVENTS);
            sql.push_values(events.iter().zip(first..), |mut row, (event, index)| {
                row.push_bind(event.key_state.brand_id.as_str())
                    .push_bind(event.at.millis())
                    .push_bind(ids.single(index))
                    .push_bind(event.kind.as_str())
                    .push_bind(event.key_state.key_id.as_str())
                    .push_bind(event.key_state.owner.as_str())
                    .push_bind(event.tool)
                    .push_bind(event.outcome.as_str())
                    .push_bind(event.reason)
                    .push_bind(event.latency_us());
                row.push("1, NULL");
            });
            sql.build().persistent(is_kept).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

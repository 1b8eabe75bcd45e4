//! Writes the events of a batch: single ones, folded denials, and the number of those that were left out.

use sqlx::QueryBuilder;

use super::{
    KeyUse, ROWS_PER_STATEMENT,
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
pub(super) async fn write_denials(
    tx: &mut Tx<'_>,
    rows: &[DenialRow<'_>],
    ids: &EventIds<'_>,
) -> Result<(), sqlx::Error> {
    for (chunk, rows) in rows.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        within!(tx, |db| {
            let mut sql = QueryBuilder::new(INSERT_EVENTS);
            sql.push_values(rows.iter().zip(first..), |mut row, ((folded_by, denials), index)| {
                let ((brand, key), minute, kind, reason) = folded_by;
                row.push_bind(brand.as_str())
                    .push_bind(denials.at.millis())
                    .push_bind(ids.folded(index))
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
            sql.push(
                " ON CONFLICT (brand_id, key_id, folded_minute, kind, reason) WHERE folded_minute IS NOT NULL \
                 DO UPDATE SET count = activity.count + excluded.count, \
                 tool = CASE WHEN activity.tool = excluded.tool THEN activity.tool END",
            );
            sql.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

pub(super) async fn write_events(
    tx: &mut Tx<'_>,
    events: &[KeyUse],
    ids: &EventIds<'_>,
) -> Result<(), sqlx::Error> {
    for (chunk, events) in events.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
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
            sql.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

//! Writes a batch of usage in one transaction.

use std::collections::BTreeMap;

use sqlx::QueryBuilder;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, usage::UsageGroup};

use super::{MILLIS_PER_MINUTE, batch::PendingWrite};
use crate::{
    EventOutcome, Store, UsageBatch,
    engine::{Tx, transaction},
};

const ROWS_PER_STATEMENT: usize = 500;
const MINUTES_PER_DAY: u32 = 24 * 60;

/// The usage of a write as rows of each table, sorted by key. Instances that write the same keys in the same order wait
/// for each other and never deadlock.
struct Rows<'a> {
    last_used: Vec<(Key<'a>, Timestamp)>,
    counts: Vec<((Key<'a>, u32, UsageGroup), i64)>,
    peaks: Vec<((Key<'a>, u32), u8)>,
    day_names: BTreeMap<u32, String>,
}

type Key<'a> = (&'a BrandId, &'a KeyId);

impl<'a> Rows<'a> {
    fn from_write(write: &'a PendingWrite) -> Self {
        let (mut last_used, mut counts, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
        let mut day_names = BTreeMap::new();
        for (key, groups) in &write.usage {
            let key = (&key.brand_id, &key.key_id);
            for (group, count) in groups {
                if group.outcome != EventOutcome::Denied {
                    last_used.push((key, count.last_used));
                }
                let day = group.minute / MINUTES_PER_DAY;
                day_names.entry(day).or_insert_with(|| day_name(day));
                counts.push(((key, day, UsageGroup { minute: 0, ..*group }), i64::from(count.requests)));
                peaks.push(((key, group.minute), count.peak));
            }
        }
        Self {
            last_used: merge_rows(last_used, |time, other| *time = other.max(*time)),
            counts: merge_rows(counts, |requests, more| *requests += more),
            peaks: merge_rows(peaks, |peak, other| *peak = other.max(*peak)),
            day_names,
        }
    }
}

fn day_name(day: u32) -> String {
    Timestamp::from_millis(i64::from(day * MINUTES_PER_DAY) * MILLIS_PER_MINUTE).day()
}

/// Sorts rows and merges those with the same primary key.
fn merge_rows<K: Ord, V: Copy>(mut rows: Vec<(K, V)>, merge: impl Fn(&mut V, V)) -> Vec<(K, V)> {
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    rows.dedup_by(|(later, value), (earlier, merged)| {
        let is_same = later == earlier;
        if is_same {
            merge(merged, *value);
        }
        is_same
    });
    rows
}

impl Store {
    /// Writes the next part of the batch, exactly once, even if the response to an earlier attempt was lost. After an
    /// error it stays in the batch. Returns whether there is more to write.
    pub async fn write_batch(&self, batch: &mut UsageBatch) -> Result<bool, StoreError> {
        if batch.pending.is_none() {
            batch.start_write().await;
        }
        let Some(write) = &batch.pending else { return Ok(false) };
        self.run_patiently("write_batch", async {
            let Rows { last_used, counts, peaks, day_names } = Rows::from_write(write);
            transaction!(&self.engine, |tx| {
                let is_new = sqlx::query(
                    "INSERT INTO writers (writer, turn, at) VALUES ($1, $2, $3) ON CONFLICT (writer) \
                     DO UPDATE SET turn = excluded.turn, at = excluded.at WHERE writers.turn < excluded.turn",
                )
                .bind(batch.writer.as_str())
                .bind(write.number)
                .bind(write.at.millis())
                .execute(&mut *tx)
                .await?
                .rows_affected();
                if is_new == 0 {
                    return Ok(());
                }
                for rows in last_used.chunks(ROWS_PER_STATEMENT) {
                    lock_keys_in_order(&mut Tx::from(&mut *tx), rows.iter().map(|((_, key), _)| *key)).await?;
                    let mut sql = QueryBuilder::new("UPDATE keys SET last_used_at = used.column3 FROM (");
                    sql.push_values(rows, |mut row, ((brand, key), at)| {
                        row.push_bind(brand.as_str()).push_bind(key.as_str()).push_bind(at.millis());
                    });
                    sql.push(
                        ") AS used WHERE keys.brand_id = used.column1 AND keys.key_id = used.column2 \
                         AND (keys.last_used_at IS NULL OR keys.last_used_at < used.column3)",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in counts.chunks(ROWS_PER_STATEMENT) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests) ",
                    );
                    sql.push_values(rows, |mut row, (((brand, key), day, group), requests)| {
                        row.push_bind(brand.as_str())
                            .push_bind(day_names[day].as_str())
                            .push_bind(key.as_str())
                            .push_bind(group.tool)
                            .push_bind(group.outcome.as_str())
                            .push_bind(i64::from(group.latency_bucket))
                            .push_bind(*requests);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, day, key_id, tool, outcome, bucket) \
                         DO UPDATE SET requests = usage_counts.requests + excluded.requests",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in peaks.chunks(ROWS_PER_STATEMENT) {
                    let mut sql = QueryBuilder::new("INSERT INTO peaks (brand_id, key_id, minute, most) ");
                    sql.push_values(rows, |mut row, (((brand, key), minute), peak)| {
                        row.push_bind(brand.as_str())
                            .push_bind(key.as_str())
                            .push_bind(i64::from(*minute))
                            .push_bind(i64::from(*peak));
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, key_id, minute) DO UPDATE SET most = \
                         CASE WHEN peaks.most > excluded.most THEN peaks.most ELSE excluded.most END",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in write.events.chunks(ROWS_PER_STATEMENT) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome, reason, latency_us) ",
                    );
                    sql.push_values(rows, |mut row, (brand, event)| {
                        row.push_bind(brand.as_str())
                            .push_bind(event.at.millis())
                            .push_bind(event.event_id.as_str())
                            .push_bind(event.kind.as_str())
                            .push_bind(event.key_id.as_str())
                            .push_bind(event.actor.as_str())
                            .push_bind(event.tool)
                            .push_bind(event.outcome.as_str())
                            .push_bind(event.reason)
                            .push_bind(event.latency_us);
                    });
                    sql.build().execute(&mut *tx).await?;
                }
            })
        })
        .await?;
        batch.finish_write();
        Ok(batch.waiting_keys() > 0)
    }
}

/// Locks the rows of these keys, in the same order in every process. An `UPDATE` alone locks rows in any order, so two of
/// them could deadlock. SQLite has one writer at a time and needs no lock.
async fn lock_keys_in_order<'a>(
    tx: &mut Tx<'_>,
    keys: impl Iterator<Item = &'a KeyId>,
) -> Result<(), sqlx::Error> {
    let Tx::Postgres(db) = tx else { return Ok(()) };
    let keys: Vec<&str> = keys.map(KeyId::as_str).collect();
    let sql = "SELECT 1 FROM keys WHERE key_id = ANY($1) \
               ORDER BY brand_id COLLATE \"C\", key_id COLLATE \"C\" FOR NO KEY UPDATE";
    sqlx::query(sql).bind(keys).execute(&mut **db).await.map(|_| ())
}

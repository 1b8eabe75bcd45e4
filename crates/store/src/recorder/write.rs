//! Writes a batch of usage in one transaction.

use sqlx::QueryBuilder;
use svc_mcp_access::{KeyId, StoreError};

use super::{
    ROWS_PER_STATEMENT,
    rows::{OldUseRow, Rows},
    write_events::{EventIds, write_denials, write_events, write_left_out},
};
use crate::{
    Store, UsageBatch,
    engine::{Tx, transaction, within},
    write_generations::WriteScope,
};

impl Store {
    /// Writes the next part of the batch, exactly once, even if the response to an earlier attempt was lost. After an
    /// error it stays in the batch. Returns whether there is more to write.
    pub async fn write_batch(&self, batch: &mut UsageBatch) -> Result<bool, StoreError> {
        if batch.pending.is_none() {
            batch.start_write().await;
        }
        let Some(write) = &batch.pending else { return Ok(false) };
        self.run_patiently("write_batch", async {
            let Rows { last_used, old_last_used, counts, peaks, left_out, denials, day_names } =
                Rows::from_write(write);
            let ids = EventIds { prefix: &batch.event_prefix, write: write.number };
            transaction!(&self.engine, WriteScope::Uses, |tx| {
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
                    lock_keys_in_order(&mut Tx::from(&mut *tx), rows.iter().map(|((_, key), _)| *key))
                        .await?;
                    let mut sql = QueryBuilder::new(
                        "UPDATE keys SET last_used_at = used.column3, \
                         last_used_ip = COALESCE(used.column4, keys.last_used_ip), last_used_client = \
                         CASE WHEN used.column4 IS NULL THEN keys.last_used_client ELSE used.column5 END FROM (",
                    );
                    sql.push_values(rows, |mut row, ((brand, key), (at, client))| {
                        row.push_bind(brand.as_str())
                            .push_bind(key.as_str())
                            .push_bind(at.millis())
                            .push_bind(client.map(|client| client.address.to_string()))
                            .push_bind(client.and_then(|client| client.name.as_deref()));
                    });
                    sql.push(
                        ") AS used WHERE keys.brand_id = used.column1 AND keys.key_id = used.column2 \
                         AND (keys.last_used_at IS NULL OR keys.last_used_at < used.column3)",
                    );
                    sql.build().persistent(false).execute(&mut *tx).await?;
                }
                write_old_last_used(&mut Tx::from(&mut *tx), &old_last_used).await?;
                for rows in counts.chunks(ROWS_PER_STATEMENT) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests) ",
                    );
                    sql.push_values(rows, |mut row, (((brand, key), day, group), requests)| {
                        row.push_bind(brand.as_str())
                            .push_bind(day_names[day].as_str())
                            .push_bind(key.as_str())
                            // Empty for lists.
                            .push_bind(group.tool.unwrap_or_default())
                            .push_bind(group.outcome.as_str())
                            .push_bind(i64::from(group.latency_bucket))
                            .push_bind(*requests);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, day, key_id, tool, outcome, bucket) \
                         DO UPDATE SET requests = usage_counts.requests + excluded.requests",
                    );
                    sql.build().persistent(false).execute(&mut *tx).await?;
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
                    sql.build().persistent(false).execute(&mut *tx).await?;
                }
                let mut tx = Tx::from(&mut *tx);
                write_left_out(&mut tx, &left_out).await?;
                write_denials(&mut tx, &denials, &ids).await?;
                write_events(&mut tx, &write.events, &ids).await?;
            })
        })
        .await?;
        batch.finish_write();
        Ok(!batch.is_empty())
    }
}

/// The rows of these keys are locked already. A key may have been rotated again since, so the digest is compared.
async fn write_old_last_used(tx: &mut Tx<'_>, rows: &[OldUseRow<'_>]) -> Result<(), sqlx::Error> {
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        within!(tx, |db| {
            let mut sql = QueryBuilder::new("UPDATE keys SET old_last_used_at = used.column4 FROM (");
            sql.push_values(rows, |mut row, (((brand, key), digest), at)| {
                row.push_bind(brand.as_str())
                    .push_bind(key.as_str())
                    .push_bind(digest.as_slice())
                    .push_bind(at.millis());
            });
            sql.push(
                ") AS used WHERE keys.brand_id = used.column1 AND keys.key_id = used.column2 \
                 AND keys.old_digest = used.column3 \
                 AND (keys.old_last_used_at IS NULL OR keys.old_last_used_at < used.column4)",
            );
            sql.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
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

//! Erases everything of a brand, in small steps that a killed process can continue.
//!
//! The first transaction writes the receipt, revokes the keys, removes the members and deletes the open jobs, so that
//! nothing acts for the brand from then on. Then the rows are deleted in small transactions. The receipt stays.

use std::{str::FromStr, time::Duration};

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Suspension, Timestamp, UserId, key::RevokedReason};

use super::{BRAND_TABLES, BrandTable};
use crate::{
    Cursor, Store,
    access_change::AccessChange,
    audit_log::{AuditAction, Fields, NewAuditRecord, forget_brand},
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    error::Abort,
    next_cursor,
    operator::suspend,
    outbox::add_erased_event,
    parse_column,
    queued_work::lock_jobs,
    start_after,
};

/// Rows of one transaction, so that other writers do not wait for long.
const ROWS_PER_STEP: u64 = 1_000;
/// Other instances may still write usage or results of the brand for some seconds. After this time they are searched again.
pub(crate) const SECOND_SEARCH_AFTER: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureKind {
    Brand,
    User,
}

impl ErasureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Brand => "brand",
            Self::User => "user",
        }
    }
}

impl FromStr for ErasureKind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Brand, Self::User].into_iter().find(|kind| kind.as_str() == text).ok_or(())
    }
}

/// The receipt of an erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub receipt_id: String,
    pub kind: ErasureKind,
    /// The id of the brand, or the pseudonym of the user.
    pub subject: String,
    pub requested_at: Timestamp,
    pub requested_by: UserId,
    /// `None`: rows are still being deleted, or are searched once more.
    pub finished_at: Option<Timestamp>,
    /// Of a brand. Of a user: rows that were changed or deleted.
    pub deleted_rows: u64,
}

/// Who asks for an erasure, and when.
#[derive(Debug, Clone)]
pub struct NewErasure {
    pub receipt_id: String,
    pub requested_at: Timestamp,
    pub requested_by: UserId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrandErasureError {
    #[error("there is no such brand")]
    NoSuchBrand,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
struct ErasureRow {
    receipt_id: String,
    kind: String,
    subject: String,
    requested_at: i64,
    requested_by: String,
    finished_at: Option<i64>,
    deleted_rows: i64,
}

const ERASURE_QUERY: &str = "SELECT receipt_id, kind, subject, requested_at, requested_by, \
    finished_at, deleted_rows FROM erasures";

impl TryFrom<ErasureRow> for Erasure {
    type Error = sqlx::Error;

    fn try_from(row: ErasureRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            receipt_id: row.receipt_id,
            kind: parse_column(&row.kind, "kind of an erasure")?,
            subject: row.subject,
            requested_at: Timestamp::from_millis(row.requested_at),
            requested_by: parse_column(&row.requested_by, "user id")?,
            finished_at: row.finished_at.map(Timestamp::from_millis),
            deleted_rows: u64::try_from(row.deleted_rows).unwrap_or(0),
        })
    }
}

/// Whether a brand with this id was erased.
pub(crate) async fn is_erased(tx: &mut Tx<'_>, brand: &BrandId) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM erasures WHERE kind = 'brand' AND subject = $1";
    let erased: i64 = within!(tx, |db| sqlx::query_scalar(sql).bind(brand.as_str()).fetch_one(db).await)?;
    Ok(erased > 0)
}

impl Store {
    pub async fn is_brand_erased(&self, brand: &BrandId) -> Result<bool, StoreError> {
        self.run("is_brand_erased", async {
            transaction!(&self.engine, |tx| { is_erased(&mut Tx::from(&mut *tx), brand).await? })
        })
        .await
    }

    /// Starts to erase a brand. After this returns, no key works and no member sees the brand. A second call returns the
    /// first receipt.
    pub async fn begin_brand_erasure(
        &self,
        brand: &BrandId,
        new: &NewErasure,
    ) -> Result<Erasure, BrandErasureError> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let is_first = !is_erased(&mut tx, brand).await?;
                if is_first {
                    if !lock_brand(&mut tx, brand).await? {
                        return Err(Abort::Refused(BrandErasureError::NoSuchBrand));
                    }
                    insert_receipt(&mut tx, ErasureKind::Brand, brand.as_str(), new).await?;
                    stop_brand(&mut tx, brand, new).await?;
                }
                let change = AccessChange::record_brand(&mut tx, brand).await?;
                let record = NewAuditRecord::new(AuditAction::BrandErase, Some(brand), brand.as_str());
                let record = record.with_after(&Fields::default().show("receipt_id", &new.receipt_id));
                self.add_audit_records(&mut tx, is_first.then_some(record)).await?;
                change
            })
        };
        let change = self.run_or_refuse("begin_brand_erasure", work).await?;
        self.publish(change).await;
        let receipt = self.receipt_where("WHERE kind = 'brand' AND subject = $1", brand.as_str()).await?;
        receipt.ok_or(BrandErasureError::Store(StoreError::Internal))
    }

    pub async fn erasure(&self, receipt_id: &str) -> Result<Option<Erasure>, StoreError> {
        self.receipt_where("WHERE receipt_id = $1", receipt_id).await
    }

    pub(crate) async fn receipt_where(
        &self,
        condition: &str,
        value: &str,
    ) -> Result<Option<Erasure>, StoreError> {
        self.run("erasure", async {
            let sql = format!("{ERASURE_QUERY} {condition}");
            let row: Option<ErasureRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(value)
                    .fetch_optional(db)
                    .await)?;
            row.map(Erasure::try_from).transpose()
        })
        .await
    }

    /// All receipts, newest first.
    pub async fn erasures(
        &self,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<(Vec<Erasure>, Option<Cursor>), StoreError> {
        self.run("erasures", async {
            let sql = format!(
                "{ERASURE_QUERY} WHERE requested_at < $1 OR (requested_at = $1 AND receipt_id < $2) \
                 ORDER BY requested_at DESC, receipt_id DESC LIMIT $3 + 0"
            );
            let (at, id) = start_after(after);
            let rows: Vec<ErasureRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await)?;
            let mut erasures = rows.into_iter().map(Erasure::try_from).collect::<Result<Vec<_>, _>>()?;
            let next = next_cursor(&mut erasures, limit, |erasure| Cursor {
                at: erasure.requested_at,
                id: erasure.receipt_id.clone(),
            });
            Ok((erasures, next))
        })
        .await
    }

    /// The brand that is being erased and has work to do now. Several instances may work on it at the same time.
    pub async fn next_brand_erasure(&self, now: Timestamp) -> Result<Option<BrandId>, StoreError> {
        self.run_patiently("next_brand_erasure", async {
            let sql = "SELECT subject FROM erasures WHERE kind = 'brand' AND finished_at IS NULL \
                       AND (rows_deleted_at IS NULL OR rows_deleted_at <= $1) ORDER BY requested_at LIMIT 1";
            let subject: Option<String> = query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(now.minus(SECOND_SEARCH_AFTER).millis())
                .fetch_optional(db)
                .await)?;
            subject.map(|subject| parse_column(&subject, "brand id")).transpose()
        })
        .await
    }

    /// The ids of the mails of a brand, for their files.
    pub async fn email_ids(
        &self,
        brand: &BrandId,
        after: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        self.run_patiently("email_ids", async {
            let sql = "SELECT email_id FROM report_emails WHERE brand_id = $1 AND email_id > $2 \
                       ORDER BY email_id LIMIT $3 + 0";
            query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(brand.as_str())
                .bind(after)
                .bind(i64::from(limit))
                .fetch_all(db)
                .await)
        })
        .await
    }

    /// Deletes some rows of a brand that is being erased. Returns whether it should be called again at once.
    pub async fn erase_rows(&self, brand: &BrandId, now: Timestamp) -> Result<bool, StoreError> {
        for table in BRAND_TABLES.iter().rev() {
            let deleted = self.run_patiently("erase_rows", self.delete_some(table, brand)).await?;
            if deleted > 0 {
                return Ok(true);
            }
        }
        let change = self.run_patiently("end_erasure", self.end_search(brand, now)).await?;
        self.publish(change).await;
        if let Some(redis) = &self.redis {
            redis.forget_brand(brand).await;
        }
        Ok(false)
    }

    async fn delete_some(&self, table: &BrandTable, brand: &BrandId) -> Result<u64, sqlx::Error> {
        let sql = table.delete_statement();
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            // SQLite then overwrites what it deletes.
            set_secure_delete(&mut tx, true).await?;
            let deleted = within!(&mut tx, |db| sqlx::query(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .execute(db)
                .await
                .map(|done| done.rows_affected()))?;
            set_secure_delete(&mut tx, false).await?;
            if deleted > 0 {
                let sql = "UPDATE erasures SET deleted_rows = deleted_rows + $2 WHERE kind = 'brand' AND subject = $1";
                within!(&mut tx, |db| sqlx::query(sql)
                    .bind(brand.as_str())
                    .bind(i64::try_from(deleted).unwrap_or(i64::MAX))
                    .execute(db)
                    .await
                    .map(|_| ()))?;
            }
            deleted
        })
    }

    /// Nothing is left. The first search starts the wait for the second one, and the second one ends the erasure.
    async fn end_search(&self, brand: &BrandId, now: Timestamp) -> Result<AccessChange, sqlx::Error> {
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            let sql = "UPDATE erasures SET finished_at = CASE WHEN rows_deleted_at <= $3 THEN $2 END, \
                       rows_deleted_at = COALESCE(rows_deleted_at, $2) \
                       WHERE kind = 'brand' AND subject = $1 AND finished_at IS NULL \
                       RETURNING receipt_id, requested_by, deleted_rows, finished_at";
            let ended: Option<(String, String, i64, Option<i64>)> =
                within!(&mut tx, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .bind(now.minus(SECOND_SEARCH_AFTER).millis())
                    .fetch_optional(db)
                    .await)?;
            if let Some((receipt_id, actor, deleted_rows, Some(_))) = ended {
                let actor: UserId = parse_column(&actor, "user id")?;
                add_erased_event(&mut tx, brand, (&receipt_id, &actor, deleted_rows), now).await?;
                set_secure_delete(&mut tx, true).await?;
                forget_brand(&mut tx, brand, &receipt_id).await?;
                set_secure_delete(&mut tx, false).await?;
            }
            AccessChange::record_brand(&mut tx, brand).await?
        })
    }
}

impl BrandTable {
    fn delete_statement(&self) -> String {
        let (name, identity) = (self.name, self.identity.join(", "));
        if self.identity.is_empty() {
            return format!("DELETE FROM {name} WHERE brand_id = $1");
        }
        format!(
            "DELETE FROM {name} WHERE brand_id = $1 AND ({identity}) IN \
             (SELECT {identity} FROM {name} WHERE brand_id = $1 LIMIT {ROWS_PER_STEP})"
        )
    }
}

pub(crate) async fn set_secure_delete(tx: &mut Tx<'_>, on: bool) -> Result<(), sqlx::Error> {
    if let Tx::Sqlite(connection) = tx {
        let sql = if on { "PRAGMA secure_delete = ON" } else { "PRAGMA secure_delete = OFF" };
        sqlx::query(sql).execute(&mut **connection).await?;
    }
    Ok(())
}

async fn insert_receipt(
    tx: &mut Tx<'_>,
    kind: ErasureKind,
    subject: &str,
    new: &NewErasure,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO erasures (receipt_id, kind, subject, requested_at, requested_by, deleted_rows) \
               VALUES ($1, $2, $3, $4, $5, 0)";
    within!(tx, |db| sqlx::query(sql)
        .bind(&new.receipt_id)
        .bind(kind.as_str())
        .bind(subject)
        .bind(new.requested_at.millis())
        .bind(new.requested_by.as_str())
        .execute(db)
        .await
        .map(|_| ()))
}

/// Nothing may act for the brand any more: it is suspended, its keys are revoked, its members removed, and its open jobs
/// deleted.
async fn stop_brand(tx: &mut Tx<'_>, brand: &BrandId, new: &NewErasure) -> Result<(), sqlx::Error> {
    let reason = Some("It is being erased".to_owned());
    suspend(tx, brand, &Suspension { at: new.requested_at, by: new.requested_by.clone(), reason }).await?;
    let revoke = "UPDATE keys SET revoked_at = $2, revoked_reason = $3, keeps_queued_work = 0 \
                  WHERE brand_id = $1 AND revoked_at IS NULL";
    within!(tx, |db| sqlx::query(revoke)
        .bind(brand.as_str())
        .bind(new.requested_at.millis())
        .bind(RevokedReason::Operator.as_str())
        .execute(db)
        .await
        .map(|_| ()))?;
    lock_jobs(tx, "brand_id = $1 AND status IN ('waiting', 'running')", &[brand.as_str()]).await?;
    for sql in [
        "DELETE FROM members WHERE brand_id = $1",
        // Nothing is sent to its endpoints from now on.
        "UPDATE event_endpoints SET enabled = 0 WHERE brand_id = $1",
        "DELETE FROM jobs WHERE brand_id = $1 AND status IN ('waiting', 'running')",
    ] {
        within!(tx, |db| sqlx::query(sql).bind(brand.as_str()).execute(db).await.map(|_| ()))?;
    }
    Ok(())
}

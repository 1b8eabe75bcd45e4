//! Erases a user: their memberships end, their keys are revoked, and everything that names them is replaced by a pseudonym.
//!
//! The memberships and keys end before the first answer. Then all tables are searched in the background. A minute later they
//! are searched again, because other instances may have written rows meanwhile. Then the receipt forgets the user too.

use serde::Serialize;
use serde_json::json;
use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};
use svc_mcp_tools::events::EventType;

use super::{
    open_erasure::{OpenErasure, OpenRow},
    position::Position,
    pseudonymizer::PersonalData,
    search::EmailFiles,
};
use crate::{
    Erasure, ErasureKind, KeysOf, NewErasure, Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord, forget_user},
    brand_data::{SECOND_SEARCH_AFTER, set_secure_delete},
    engine::{Tx, query, transaction, within},
    parse_column, parse_json_column,
    queued_work::lock_keys_of,
};

/// Memberships that are read with one query.
const MEMBERSHIPS_PER_PAGE: i64 = 100;

/// Who asks for the erasure of a user, and what takes the place of the user's id.
#[derive(Debug, Clone)]
pub struct NewUserErasure {
    pub erasure: NewErasure,
    /// Random, so that nobody can find the user by it.
    pub pseudonym: UserId,
    /// The ids of the events of the user's keys start with this.
    pub event_prefix: String,
}

impl Store {
    /// Starts to erase a user. After this returns, they are no member of any brand, and none of their keys works. A second
    /// call returns the first receipt until that erasure is done.
    pub async fn begin_user_erasure(
        &self,
        user: &UserId,
        new: &NewUserErasure,
    ) -> Result<Erasure, StoreError> {
        let NewErasure { receipt_id, requested_at, requested_by } = &new.erasure;
        self.run("begin_user_erasure", async {
            transaction!(&self.engine, |tx| {
                let sql = "INSERT INTO erasures (receipt_id, kind, subject, requested_at, requested_by, deleted_rows, \
                           erasing_user, traces) VALUES ($1, $2, $3, $4, $5, 0, $6, $7) ON CONFLICT DO NOTHING";
                let added = sqlx::query(sql)
                    .bind(receipt_id)
                    .bind(ErasureKind::User.as_str())
                    .bind(new.pseudonym.as_str())
                    .bind(requested_at.millis())
                    .bind(requested_by.as_str())
                    .bind(user.as_str())
                    .bind(to_json(&PersonalData::of(user)))
                    .execute(&mut *tx)
                    .await?
                    .rows_affected();
                // The record names the receipt, because it stays when the user is forgotten.
                let record = NewAuditRecord::new(AuditAction::UserErase, None, receipt_id);
                self.add_audit_records(&mut Tx::from(&mut *tx), (added > 0).then_some(record)).await?;
            })
        })
        .await?;
        let receipt = self.receipt_where("WHERE erasing_user = $1", user.as_str()).await?;
        // An erasure that ended this moment. Another request starts a new one.
        let receipt = receipt.ok_or(StoreError::Unavailable)?;
        if let Some(open) = self.open_user_erasure(&receipt.receipt_id).await?
            && open.position.is_none()
        {
            self.end_access(&open, *requested_at, &new.event_prefix).await?;
            return self.erasure(&receipt.receipt_id).await?.ok_or(StoreError::Internal);
        }
        Ok(receipt)
    }

    /// The receipt of a user erasure that has work to do now. Several instances may work on it at the same time.
    pub async fn next_user_erasure(&self, now: Timestamp) -> Result<Option<String>, StoreError> {
        self.run_patiently("next_user_erasure", async {
            let sql = "SELECT receipt_id FROM erasures WHERE kind = 'user' AND finished_at IS NULL \
                       AND (rows_deleted_at IS NULL OR rows_deleted_at <= $1) ORDER BY requested_at LIMIT 1";
            query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(now.minus(SECOND_SEARCH_AFTER).millis())
                .fetch_optional(db)
                .await)
        })
        .await
    }

    /// Does the next step of an erasure, and returns whether it should be called again at once.
    ///
    /// `event_prefix`: the ids of the events of keys start with it. It must be new for each step.
    pub async fn erase_user_rows(
        &self,
        receipt_id: &str,
        now: Timestamp,
        event_prefix: &str,
        files: &dyn EmailFiles,
    ) -> Result<bool, StoreError> {
        let Some(open) = self.open_user_erasure(receipt_id).await? else { return Ok(false) };
        let Some(position) = &open.position else {
            self.end_access(&open, now, event_prefix).await?;
            return Ok(true);
        };
        if Self::starts_with_keys(position) {
            // A request that was under way when the membership ended may have created a key after that.
            self.revoke_keys_of_non_member(&open, now, event_prefix).await?;
        }
        if self.search_user(&open, position, now, files).await? {
            return Ok(true);
        }
        self.run_patiently("end_user_search", self.end_user_search(&open, now)).await?;
        Ok(false)
    }

    async fn open_user_erasure(&self, receipt_id: &str) -> Result<Option<OpenErasure>, StoreError> {
        self.run_patiently("open_user_erasure", async {
            let sql = "SELECT receipt_id, subject, requested_by, erasing_user, traces, position, rows_deleted_at \
                       FROM erasures WHERE receipt_id = $1 AND erasing_user IS NOT NULL AND finished_at IS NULL";
            let row: Option<OpenRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(receipt_id).fetch_optional(db).await)?;
            row.map(OpenErasure::try_from).transpose()
        })
        .await
    }

    /// Ends all sessions and memberships, then revokes all keys.
    async fn end_access(
        &self,
        open: &OpenErasure,
        now: Timestamp,
        event_prefix: &str,
    ) -> Result<(), StoreError> {
        self.end_sessions_of(&open.pseudonymizer.user).await?;
        loop {
            let brands = self.brands_with_member(&open.pseudonymizer.user).await?;
            if brands.is_empty() {
                break;
            }
            for brand in brands {
                let work = Box::pin(self.end_membership(open, &brand));
                let change = self.run_patiently("end_membership", work).await?;
                self.publish(change).await;
            }
        }
        self.revoke_keys_of_non_member(open, now, event_prefix).await?;
        self.run_patiently("start_user_search", async {
            transaction!(&self.engine, |tx| {
                sqlx::query("UPDATE erasures SET position = $2 WHERE receipt_id = $1 AND position IS NULL")
                    .bind(&open.receipt_id)
                    .bind(to_json(&Position::start()))
                    .execute(&mut *tx)
                    .await?;
            })
        })
        .await
    }

    async fn revoke_keys_of_non_member(
        &self,
        open: &OpenErasure,
        now: Timestamp,
        event_prefix: &str,
    ) -> Result<(), StoreError> {
        let whose = KeysOf::NonMember(open.pseudonymizer.user.clone());
        self.revoke_keys_of(&whose, &open.requested_by, now, event_prefix).await.map(|_| ())
    }

    async fn brands_with_member(&self, user: &UserId) -> Result<Vec<BrandId>, StoreError> {
        self.run_patiently("brands_with_member", async {
            let sql = "SELECT brand_id FROM members WHERE user_id = $1 ORDER BY brand_id LIMIT $2 + 0";
            let brands: Vec<String> = query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(user.as_str())
                .bind(MEMBERSHIPS_PER_PAGE)
                .fetch_all(db)
                .await)?;
            brands.iter().map(|brand| parse_column(brand, "brand id")).collect()
        })
        .await
    }

    /// Deletes the membership, and remembers its address and name for the search.
    async fn end_membership(&self, open: &OpenErasure, brand: &BrandId) -> Result<AccessChange, sqlx::Error> {
        let user = &open.pseudonymizer.user;
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            lock_keys_of(&mut tx, brand, user).await?;
            set_secure_delete(&mut tx, true).await?;
            let sql = "DELETE FROM members WHERE brand_id = $1 AND user_id = $2 RETURNING email, name";
            let deleted: Option<(Option<String>, Option<String>)> =
                within!(&mut tx, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(user.as_str())
                    .fetch_optional(db)
                    .await)?;
            set_secure_delete(&mut tx, false).await?;
            if let Some((email, name)) = deleted {
                remember(&mut tx, &open.receipt_id, email.as_deref(), name.as_deref()).await?;
                let data = json!({"user_id": user});
                self.add_brand_event(&mut tx, EventType::MemberRemoved, brand, data).await?;
            }
            AccessChange::record_brand(&mut tx, brand).await?
        })
    }

    /// All tables were searched. The first search starts the wait for the second one, and the second one ends the erasure.
    async fn end_user_search(&self, open: &OpenErasure, now: Timestamp) -> Result<(), sqlx::Error> {
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            set_secure_delete(&mut tx, true).await?;
            let sql = "UPDATE erasures SET finished_at = CASE WHEN rows_deleted_at <= $3 THEN $2 END, \
                       rows_deleted_at = COALESCE(rows_deleted_at, $2), \
                       erasing_user = CASE WHEN rows_deleted_at <= $3 THEN NULL ELSE erasing_user END, \
                       traces = CASE WHEN rows_deleted_at <= $3 THEN NULL ELSE traces END, \
                       position = CASE WHEN rows_deleted_at <= $3 THEN NULL ELSE $4 END \
                       WHERE receipt_id = $1 AND finished_at IS NULL RETURNING finished_at";
            let finished: Option<Option<i64>> = within!(&mut tx, |db| sqlx::query_scalar(sql)
                .bind(&open.receipt_id)
                .bind(now.millis())
                .bind(now.minus(SECOND_SEARCH_AFTER).millis())
                .bind(to_json(&Position::start()))
                .fetch_optional(db)
                .await)?;
            if finished.flatten().is_some() {
                forget_user(&mut tx, &open.pseudonymizer.user, &open.pseudonymizer.pseudonym).await?;
            }
            set_secure_delete(&mut tx, false).await?;
        })
    }
}

/// Adds what a membership held to what is searched for.
async fn remember(
    tx: &mut Tx<'_>,
    receipt_id: &str,
    email: Option<&str>,
    name: Option<&str>,
) -> Result<(), sqlx::Error> {
    // The row is locked first: another instance may end other memberships.
    let sql = "UPDATE erasures SET receipt_id = receipt_id WHERE receipt_id = $1 RETURNING traces";
    let traces: Option<String> =
        within!(&mut *tx, |db| sqlx::query_scalar(sql).bind(receipt_id).fetch_one(db).await)?;
    let mut personal_data: PersonalData = match traces {
        Some(traces) => parse_json_column(&traces, "personal data of a user")?,
        None => PersonalData::default(),
    };
    personal_data.add(email, name);
    let sql = "UPDATE erasures SET traces = $2, deleted_rows = deleted_rows + 1 WHERE receipt_id = $1";
    within!(&mut *tx, |db| sqlx::query(sql)
        .bind(receipt_id)
        .bind(to_json(&personal_data))
        .execute(db)
        .await
        .map(|_| ()))
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers are JSON")
}

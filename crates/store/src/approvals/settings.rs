//! Which calls need approval, and who decides.

use svc_mcp_access::{ApprovalRule, ApprovalSettings, BrandId, KeyId, StoreError};

use crate::{
    NewEvent, Store,
    access_change::AccessChange,
    activity::insert_event,
    engine::{Tx, query, transaction, within},
    parse_column, unreadable,
};

impl Store {
    pub async fn approval_settings(&self, brand: &BrandId) -> Result<ApprovalSettings, StoreError> {
        self.run_for(brand, "approval_settings", async {
            let sql = "SELECT approval_minimum, approvers FROM brands WHERE brand_id = $1";
            let row: Option<(String, String)> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_optional(db).await)?;
            let (minimum, approvers) = row.ok_or_else(|| unreadable("brand"))?;
            Ok(ApprovalSettings {
                minimum: parse_column(&minimum, "approval rule")?,
                approvers: parse_column(&approvers, "approvers")?,
            })
        })
        .await
    }

    /// After this returns, the next call of every key of the brand follows the new minimum.
    pub async fn set_approval_settings(
        &self,
        brand: &BrandId,
        settings: ApprovalSettings,
    ) -> Result<(), StoreError> {
        let change = self
            .run("set_approval_settings", async {
                transaction!(&self.engine, |tx| {
                    sqlx::query(
                        "UPDATE brands SET approval_minimum = $2, approvers = $3 WHERE brand_id = $1",
                    )
                    .bind(brand.as_str())
                    .bind(settings.minimum.as_str())
                    .bind(settings.approvers.as_str())
                    .execute(&mut *tx)
                    .await?;
                    AccessChange::record_brand(&mut Tx::from(&mut *tx), brand).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    /// Sets the own rule of a key. After this returns, its next call follows it.
    pub async fn set_key_approval(
        &self,
        brand: &BrandId,
        key: &KeyId,
        rule: ApprovalRule,
        event: &NewEvent,
    ) -> Result<(), StoreError> {
        let change = self
            .run("set_key_approval", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let sql = "UPDATE keys SET approval = $3 WHERE brand_id = $1 AND key_id = $2 \
                               AND revoked_at IS NULL AND approval <> $3";
                    let changed = within!(&mut tx, |db| sqlx::query(sql)
                        .bind(brand.as_str())
                        .bind(key.as_str())
                        .bind(rule.as_str())
                        .execute(db)
                        .await
                        .map(|done| done.rows_affected()))?;
                    if changed > 0 {
                        insert_event(&mut tx, brand, event).await?;
                    }
                    AccessChange::record_brand(&mut tx, brand).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

//! Which calls need approval, and who decides.

use serde_json::json;
use svc_mcp_access::{ApprovalSettings, BrandId, StoreError};
use svc_mcp_tools::events::EventType;

use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord, of_approval_settings},
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    parse_column, unreadable,
};

const SETTINGS: &str = "SELECT approval_minimum, approvers FROM brands WHERE brand_id = $1";

fn decode((minimum, approvers): (String, String)) -> Result<ApprovalSettings, sqlx::Error> {
    Ok(ApprovalSettings {
        minimum: parse_column(&minimum, "approval rule")?,
        approvers: parse_column(&approvers, "approvers")?,
    })
}

impl Store {
    pub async fn approval_settings(&self, brand: &BrandId) -> Result<ApprovalSettings, StoreError> {
        self.run_for(brand, "approval_settings", async {
            let row: Option<(String, String)> = query!(&self.engine, |db| sqlx::query_as(SETTINGS)
                .bind(brand.as_str())
                .fetch_optional(db)
                .await)?;
            decode(row.ok_or_else(|| unreadable("brand"))?)
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
                    let mut tx = Tx::from(&mut *tx);
                    lock_brand(&mut tx, brand).await?;
                    let before: Option<(String, String)> = within!(&mut tx, |db| sqlx::query_as(SETTINGS)
                        .bind(brand.as_str())
                        .fetch_optional(db)
                        .await)?;
                    let sql = "UPDATE brands SET approval_minimum = $2, approvers = $3 WHERE brand_id = $1";
                    within!(&mut tx, |db| sqlx::query(sql)
                        .bind(brand.as_str())
                        .bind(settings.minimum.as_str())
                        .bind(settings.approvers.as_str())
                        .execute(db)
                        .await
                        .map(|_| ()))?;
                    let data = json!({"changed": ["approval_settings"]});
                    self.add_brand_event(&mut tx, EventType::BrandUpdated, brand, data).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let before = before.map(decode).transpose()?.map(of_approval_settings);
                    let record = before.and_then(|before| {
                        NewAuditRecord::new(AuditAction::ApprovalSettingsUpdate, Some(brand), brand.as_str())
                            .with_change(Some(&before), &of_approval_settings(settings))
                    });
                    self.add_audit_records(&mut tx, record).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

//! Which calls need approval, and who decides.

use serde_json::json;
use svc_mcp_access::{ApprovalSettings, BrandId, StoreError};
use svc_mcp_tools::events::EventType;

use crate::{
    Store,
    access_change::AccessChange,
    engine::{Tx, query, transaction},
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
                    let mut tx = Tx::from(&mut *tx);
                    let data = json!({"changed": ["approval_settings"]});
                    self.add_brand_event(&mut tx, EventType::BrandUpdated, brand, data).await?;
                    AccessChange::record_brand(&mut tx, brand).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

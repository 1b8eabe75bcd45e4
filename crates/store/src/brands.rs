//! Brands.

use serde_json::json;
use sqlx_macros::FromRow;
use svc_mcp_access::{Brand, BrandId, Plan, StoreError};
use svc_mcp_tools::events::EventType;

use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord, of_brand},
    brand_data::is_erased,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column,
    plans::PlanRow,
    schedules::change_time_zone,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PutBrandError {
    #[error("a brand with this id was erased")]
    Erased,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The columns of a [`BrandRow`], from `brands b` and `plans p`.
pub(crate) const BRAND_COLUMNS: &str = "b.brand_id, b.name, b.website, b.competitors, b.language, b.time_zone, \
    p.plan_id, p.name AS plan_name, p.mcp_enabled, p.quotas AS plan_quotas";

#[derive(FromRow)]
pub(crate) struct BrandRow {
    brand_id: String,
    name: String,
    website: String,
    competitors: String,
    language: Option<String>,
    time_zone: String,
    #[sqlx(flatten)]
    plan: PlanRow,
}

impl BrandRow {
    pub(crate) fn decode(self) -> Result<(Brand, Plan), sqlx::Error> {
        let plan = Plan::try_from(self.plan)?;
        let brand = Brand {
            brand_id: parse_column(&self.brand_id, "brand id")?,
            name: self.name,
            website: self.website,
            plan_id: plan.plan_id.clone(),
            competitors: parse_json_column(&self.competitors, "competitors")?,
            language: self.language,
            time_zone: self.time_zone,
        };
        Ok((brand, plan))
    }
}

/// Locks the brand's row until the commit, so that such transactions of one brand run one after the other. Returns whether
/// there is such a brand.
pub(crate) async fn lock_brand(tx: &mut Tx<'_>, brand: &BrandId) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE brands SET brand_id = brand_id WHERE brand_id = $1";
    let done = within!(tx, |db| sqlx::query(sql)
        .bind(brand.as_str())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(done > 0)
}

impl Store {
    pub async fn brand(&self, brand: &BrandId) -> Result<Option<(Brand, Plan)>, StoreError> {
        self.run_for(brand, "brand", async {
            let sql = "SELECT b.brand_id, b.name, b.website, b.competitors, b.language, b.time_zone, p.plan_id, p.name AS plan_name, p.mcp_enabled, \
                       p.quotas AS plan_quotas FROM brands b JOIN plans p ON p.plan_id = b.plan_id WHERE b.brand_id = $1";
            let row: Option<BrandRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_optional(db).await)?;
            row.map(BrandRow::decode).transpose()
        })
        .await
    }

    pub async fn put_brand(&self, brand: &Brand) -> Result<(), PutBrandError> {
        let competitors = serde_json::to_string(&brand.competitors).expect("strings are JSON");
        let work = async {
            transaction!(&self.engine, |tx| {
                if is_erased(&mut Tx::from(&mut *tx), &brand.brand_id).await? {
                    return Err(Abort::Refused(PutBrandError::Erased));
                }
                lock_brand(&mut Tx::from(&mut *tx), &brand.brand_id).await?;
                let before = read_brand(&mut Tx::from(&mut *tx), &brand.brand_id).await?;
                let old_zone = before.as_ref().map_or("", |before| &before.time_zone);
                sqlx::query(
                        "INSERT INTO brands (brand_id, name, website, plan_id, competitors, language, time_zone) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7) \
                         ON CONFLICT (brand_id) DO UPDATE SET name = excluded.name, website = excluded.website, \
                         plan_id = excluded.plan_id, competitors = excluded.competitors, \
                         language = excluded.language, time_zone = excluded.time_zone",
                    )
                    .bind(brand.brand_id.as_str())
                    .bind(&brand.name)
                    .bind(&brand.website)
                    .bind(brand.plan_id.as_str())
                    .bind(&competitors)
                    .bind(&brand.language)
                    .bind(&brand.time_zone)
                    .execute(&mut *tx)
                    .await?;
                let mut tx = Tx::from(&mut *tx);
                change_time_zone(&mut tx, &brand.brand_id, old_zone).await?;
                let data = json!({"changed": ["profile"]});
                self.add_brand_event(&mut tx, EventType::BrandUpdated, &brand.brand_id, data).await?;
                let change = AccessChange::record_brand(&mut tx, &brand.brand_id).await?;
                let record = brand_record(AuditAction::BrandPut, before.as_ref(), brand);
                self.add_audit_records(&mut tx, record).await?;
                change
            })
        };
        let change = self.run_or_refuse("put_brand", work).await?;
        self.publish(change).await;
        Ok(())
    }

    /// Changes the language and the time zone of a brand. `None`: it stays as it is.
    pub async fn set_brand_locale(
        &self,
        brand: &BrandId,
        language: Option<&str>,
        time_zone: Option<&str>,
    ) -> Result<(), StoreError> {
        let change = self
            .run_for(brand, "set_brand_locale", async {
                transaction!(&self.engine, |tx| {
                    lock_brand(&mut Tx::from(&mut *tx), brand).await?;
                    let before = read_brand(&mut Tx::from(&mut *tx), brand).await?;
                    let old_zone = before.as_ref().map_or("", |before| &before.time_zone);
                    sqlx::query(
                        "UPDATE brands SET language = COALESCE($2, language), time_zone = COALESCE($3, time_zone) \
                         WHERE brand_id = $1",
                    )
                    .bind(brand.as_str())
                    .bind(language)
                    .bind(time_zone)
                    .execute(&mut *tx)
                    .await?;
                    let mut tx = Tx::from(&mut *tx);
                    change_time_zone(&mut tx, brand, old_zone).await?;
                    let after = read_brand(&mut tx, brand).await?;
                    let changes = [("language", language), ("time_zone", time_zone)];
                    let changed = changes.iter().filter(|(_, new)| new.is_some()).map(|(name, _)| *name);
                    let data = json!({"changed": changed.collect::<Vec<_>>()});
                    self.add_brand_event(&mut tx, EventType::BrandUpdated, brand, data).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let record = after
                        .and_then(|after| brand_record(AuditAction::BrandUpdate, before.as_ref(), &after));
                    self.add_audit_records(&mut tx, record).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

/// The brand as the transaction sees it.
async fn read_brand(tx: &mut Tx<'_>, brand: &BrandId) -> Result<Option<Brand>, sqlx::Error> {
    let sql = format!(
        "SELECT {BRAND_COLUMNS} FROM brands b JOIN plans p ON p.plan_id = b.plan_id WHERE b.brand_id = $1"
    );
    let row: Option<BrandRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .fetch_optional(db)
        .await)?;
    Ok(row.map(BrandRow::decode).transpose()?.map(|(brand, _)| brand))
}

fn brand_record(action: AuditAction, before: Option<&Brand>, after: &Brand) -> Option<NewAuditRecord> {
    NewAuditRecord::new(action, Some(&after.brand_id), after.brand_id.as_str())
        .with_change(before.map(of_brand).as_ref(), &of_brand(after))
}

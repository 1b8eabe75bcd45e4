//! Plans.

use sqlx_macros::FromRow;
use svc_mcp_access::{Plan, PlanId, Quota, Quotas, StoreError};

use crate::{
    Store,
    access_change::{AccessChange, ChangeTarget},
    audit_log::{AuditAction, NewAuditRecord, of_plan},
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_quotas_column,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeletePlanError {
    #[error("brands are on this plan")]
    InUse,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
pub(crate) struct PlanRow {
    plan_id: String,
    plan_name: String,
    mcp_enabled: i64,
    plan_quotas: Option<String>,
}

impl TryFrom<PlanRow> for Plan {
    type Error = sqlx::Error;

    fn try_from(row: PlanRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            plan_id: parse_column(&row.plan_id, "plan id")?,
            name: row.plan_name,
            mcp_enabled: row.mcp_enabled != 0,
            quotas: parse_quotas_column(row.plan_quotas.as_deref())?,
        })
    }
}

impl Store {
    pub async fn plan(&self, plan: &PlanId) -> Result<Option<Plan>, StoreError> {
        self.run("plan", async {
            let sql = "SELECT plan_id, name AS plan_name, mcp_enabled, quotas AS plan_quotas FROM plans WHERE plan_id = $1";
            let row: Option<PlanRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(plan.as_str()).fetch_optional(db).await)?;
            row.map(Plan::try_from).transpose()
        })
        .await
    }

    /// Creates or changes a plan. The quotas that are not named stay as they are; `None` restores the default of one.
    pub async fn change_plan(
        &self,
        plan_id: &PlanId,
        name: &str,
        mcp_enabled: bool,
        limits: &[(Quota, Option<u32>)],
    ) -> Result<Plan, StoreError> {
        let (plan, change) = self
            .run("change_plan", async {
                transaction!(&self.engine, |tx| {
                    let before = lock_plan(&mut Tx::from(&mut *tx), plan_id).await?;
                    // The row is locked now, so that two changes do not overwrite each other's quotas.
                    let (old,): (Option<String>,) = sqlx::query_as(
                        "INSERT INTO plans (plan_id, name, mcp_enabled) VALUES ($1, $2, $3) \
                         ON CONFLICT (plan_id) DO UPDATE SET name = excluded.name, mcp_enabled = excluded.mcp_enabled \
                         RETURNING quotas",
                    )
                    .bind(plan_id.as_str())
                    .bind(name)
                    .bind(i64::from(mcp_enabled))
                    .fetch_one(&mut *tx)
                    .await?;
                    let mut quotas = parse_quotas_column(old.as_deref())?;
                    for (quota, limit) in limits {
                        quotas.set(*quota, *limit);
                    }
                    sqlx::query("UPDATE plans SET quotas = $2 WHERE plan_id = $1")
                        .bind(plan_id.as_str())
                        .bind(quotas_column(&quotas))
                        .execute(&mut *tx)
                        .await?;
                    self.add_plan_event(&mut Tx::from(&mut *tx), plan_id, "put").await?;
                    let target = ChangeTarget::Plan(plan_id.clone());
                    let plan = Plan { plan_id: plan_id.clone(), name: name.to_owned(), mcp_enabled, quotas };
                    let mut tx = Tx::from(&mut *tx);
                    let change = AccessChange::record(&mut tx, target).await?;
                    self.add_audit_records(&mut tx, put_plan_record(before.as_ref(), &plan)).await?;
                    (plan, change)
                })
            })
            .await?;
        self.publish(change).await;
        Ok(plan)
    }

    /// Creates or replaces a plan, with its quotas.
    pub async fn put_plan(&self, plan: &Plan) -> Result<(), StoreError> {
        let quotas = quotas_column(&plan.quotas);
        let change = self
            .run("put_plan", async {
                transaction!(&self.engine, |tx| {
                    let before = lock_plan(&mut Tx::from(&mut *tx), &plan.plan_id).await?;
                    sqlx::query(
                        "INSERT INTO plans (plan_id, name, mcp_enabled, quotas) VALUES ($1, $2, $3, $4) \
                         ON CONFLICT (plan_id) DO UPDATE SET name = excluded.name, mcp_enabled = excluded.mcp_enabled, \
                         quotas = excluded.quotas",
                    )
                    .bind(plan.plan_id.as_str())
                    .bind(&plan.name)
                    .bind(i64::from(plan.mcp_enabled))
                    .bind(&quotas)
                    .execute(&mut *tx)
                    .await?;
                    self.add_plan_event(&mut Tx::from(&mut *tx), &plan.plan_id, "put").await?;
                    let target = ChangeTarget::Plan(plan.plan_id.clone());
                    let mut tx = Tx::from(&mut *tx);
                    let change = AccessChange::record(&mut tx, target).await?;
                    self.add_audit_records(&mut tx, put_plan_record(before.as_ref(), plan)).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    pub async fn delete_plan(&self, plan: &PlanId) -> Result<(), DeletePlanError> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let (brands,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM brands WHERE plan_id = $1")
                    .bind(plan.as_str())
                    .fetch_one(&mut *tx)
                    .await?;
                if brands > 0 {
                    return Err(Abort::Refused(DeletePlanError::InUse));
                }
                let before = lock_plan(&mut Tx::from(&mut *tx), plan).await?;
                sqlx::query("DELETE FROM plans WHERE plan_id = $1")
                    .bind(plan.as_str())
                    .execute(&mut *tx)
                    .await?;
                let mut tx = Tx::from(&mut *tx);
                if before.is_some() {
                    self.add_plan_event(&mut tx, plan, "deleted").await?;
                }
                let change = AccessChange::record(&mut tx, ChangeTarget::Plan(plan.clone())).await?;
                let record = NewAuditRecord::new(AuditAction::PlanDelete, None, plan.as_str());
                let record = before.map(|before| record.with_before(&of_plan(&before)));
                self.add_audit_records(&mut tx, record).await?;
                change
            })
        };
        let change = self.run_or_refuse("delete_plan", work).await?;
        self.publish(change).await;
        Ok(())
    }
}

/// Reads a plan and locks its row until the commit.
async fn lock_plan(tx: &mut Tx<'_>, plan: &PlanId) -> Result<Option<Plan>, sqlx::Error> {
    let sql = "UPDATE plans SET name = name WHERE plan_id = $1 \
               RETURNING plan_id, name AS plan_name, mcp_enabled, quotas AS plan_quotas";
    let row: Option<PlanRow> =
        within!(tx, |db| sqlx::query_as(sql).bind(plan.as_str()).fetch_optional(db).await)?;
    row.map(Plan::try_from).transpose()
}

fn put_plan_record(before: Option<&Plan>, after: &Plan) -> Option<NewAuditRecord> {
    NewAuditRecord::new(AuditAction::PlanPut, None, after.plan_id.as_str())
        .with_change(before.map(of_plan).as_ref(), &of_plan(after))
}

/// `None`: every limit is the default.
fn quotas_column(quotas: &Quotas) -> Option<String> {
    (!quotas.is_default()).then(|| serde_json::to_string(quotas).expect("names and numbers are JSON"))
}

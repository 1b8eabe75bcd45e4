//! Plans, brands and members.

use sqlx_macros::FromRow;
use svc_mcp_access::{Brand, BrandId, Member, Plan, PlanId, Role, StoreError, UserId};

use crate::{
    Store,
    access_change::{AccessChange, ChangeTarget},
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column, parse_quotas_column,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeletePlanError {
    #[error("brands are on this plan")]
    InUse,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A brand as one of its members sees it.
#[derive(Debug, Clone)]
pub struct MemberOf {
    pub brand: Brand,
    pub plan: Plan,
    pub role: Role,
}

#[derive(FromRow)]
struct PlanRow {
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

#[derive(FromRow)]
struct BrandRow {
    brand_id: String,
    name: String,
    website: String,
    competitors: String,
    #[sqlx(flatten)]
    plan: PlanRow,
}

impl BrandRow {
    fn decode(self) -> Result<(Brand, Plan), sqlx::Error> {
        let plan = Plan::try_from(self.plan)?;
        let brand = Brand {
            brand_id: parse_column(&self.brand_id, "brand id")?,
            name: self.name,
            website: self.website,
            plan_id: plan.plan_id.clone(),
            competitors: parse_json_column(&self.competitors, "competitors")?,
        };
        Ok((brand, plan))
    }
}

#[derive(FromRow)]
struct MemberOfRow {
    #[sqlx(flatten)]
    brand: BrandRow,
    role: String,
}

#[derive(FromRow)]
struct MemberRow {
    user_id: String,
    role: String,
    email: Option<String>,
    member_name: Option<String>,
}

/// Locks the brand's row until the commit, so that such transactions of one brand run one after the other.
pub(crate) async fn lock_brand(tx: &mut Tx<'_>, brand: &BrandId) -> Result<(), sqlx::Error> {
    let sql = "UPDATE brands SET brand_id = brand_id WHERE brand_id = $1";
    within!(tx, |db| sqlx::query(sql).bind(brand.as_str()).execute(db).await.map(|_| ()))
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

    pub async fn put_plan(&self, plan: &Plan) -> Result<(), StoreError> {
        let quotas = (!plan.quotas.is_default())
            .then(|| serde_json::to_string(&plan.quotas).expect("names and numbers are JSON"));
        let change = self
            .run("put_plan", async {
                transaction!(&self.engine, |tx| {
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
                    let target = ChangeTarget::Plan(plan.plan_id.clone());
                    AccessChange::record(&mut Tx::from(&mut *tx), target).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    pub async fn delete_plan(&self, plan: &PlanId) -> Result<(), DeletePlanError> {
        let work = Box::pin(async {
            transaction!(&self.engine, |tx| {
                let (brands,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM brands WHERE plan_id = $1")
                    .bind(plan.as_str())
                    .fetch_one(&mut *tx)
                    .await?;
                if brands > 0 {
                    return Err(Abort::Refused(DeletePlanError::InUse));
                }
                sqlx::query("DELETE FROM plans WHERE plan_id = $1")
                    .bind(plan.as_str())
                    .execute(&mut *tx)
                    .await?;
                AccessChange::record(&mut Tx::from(&mut *tx), ChangeTarget::Plan(plan.clone())).await?
            })
        });
        let change = self.run("delete_plan", async { Abort::split(work.await) }).await??;
        self.publish(change).await;
        Ok(())
    }

    pub async fn brand(&self, brand: &BrandId) -> Result<Option<(Brand, Plan)>, StoreError> {
        self.run_for(brand, "brand", async {
            let sql = "SELECT b.brand_id, b.name, b.website, b.competitors, p.plan_id, p.name AS plan_name, p.mcp_enabled, \
                       p.quotas AS plan_quotas FROM brands b JOIN plans p ON p.plan_id = b.plan_id WHERE b.brand_id = $1";
            let row: Option<BrandRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_optional(db).await)?;
            row.map(BrandRow::decode).transpose()
        })
        .await
    }

    pub async fn put_brand(&self, brand: &Brand) -> Result<(), StoreError> {
        let competitors = serde_json::to_string(&brand.competitors).expect("strings are JSON");
        let change = self
            .run("put_brand", async {
                transaction!(&self.engine, |tx| {
                    sqlx::query(
                        "INSERT INTO brands (brand_id, name, website, plan_id, competitors) VALUES ($1, $2, $3, $4, $5) \
                         ON CONFLICT (brand_id) DO UPDATE SET name = excluded.name, website = excluded.website, \
                         plan_id = excluded.plan_id, competitors = excluded.competitors",
                    )
                    .bind(brand.brand_id.as_str())
                    .bind(&brand.name)
                    .bind(&brand.website)
                    .bind(brand.plan_id.as_str())
                    .bind(&competitors)
                    .execute(&mut *tx)
                    .await?;
                    AccessChange::record_brand(&mut Tx::from(&mut *tx), &brand.brand_id).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    /// `None` also if there is no such brand, so that an outsider cannot tell the two cases apart.
    pub async fn membership(&self, brand: &BrandId, user: &UserId) -> Result<Option<Member>, StoreError> {
        self.run("membership", async {
            let sql = "SELECT user_id, role, email, name AS member_name FROM members WHERE brand_id = $1 AND user_id = $2";
            let row: Option<MemberRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(user.as_str())
                .fetch_optional(db)
                .await)?;
            row.map(|row| row.decode(brand)).transpose()
        })
        .await
    }

    pub async fn members(&self, brand: &BrandId) -> Result<Vec<Member>, StoreError> {
        self.run_for(brand, "members", async {
            let sql = "SELECT user_id, role, email, name AS member_name FROM members WHERE brand_id = $1 ORDER BY user_id LIMIT 1000";
            let rows: Vec<MemberRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(|row| row.decode(brand)).collect()
        })
        .await
    }

    pub async fn brands_of(&self, user: &UserId) -> Result<Vec<MemberOf>, StoreError> {
        self.run("brands_of", async {
            let sql = "SELECT b.brand_id, b.name, b.website, b.competitors, p.plan_id, p.name AS plan_name, p.mcp_enabled, \
                       p.quotas AS plan_quotas, m.role FROM members m JOIN brands b ON b.brand_id = m.brand_id JOIN plans p ON p.plan_id = b.plan_id \
                       WHERE m.user_id = $1 ORDER BY b.name, b.brand_id LIMIT 1000";
            let rows: Vec<MemberOfRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(user.as_str()).fetch_all(db).await)?;
            let decode = |row: MemberOfRow| {
                let (brand, plan) = row.brand.decode()?;
                Ok(MemberOf { brand, plan, role: parse_column(&row.role, "role")? })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    pub async fn put_member(&self, member: &Member) -> Result<(), StoreError> {
        let change = self
            .run("put_member", async {
                transaction!(&self.engine, |tx| {
                    sqlx::query(
                        "INSERT INTO members (brand_id, user_id, role, email, name) VALUES ($1, $2, $3, $4, $5) \
                         ON CONFLICT (brand_id, user_id) DO UPDATE SET role = excluded.role, email = excluded.email, \
                         name = excluded.name",
                    )
                    .bind(member.brand_id.as_str())
                    .bind(member.user_id.as_str())
                    .bind(member.role.as_str())
                    .bind(&member.email)
                    .bind(&member.name)
                    .execute(&mut *tx)
                    .await?;
                    AccessChange::record_brand(&mut Tx::from(&mut *tx), &member.brand_id).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

impl MemberRow {
    fn decode(self, brand: &BrandId) -> Result<Member, sqlx::Error> {
        Ok(Member {
            brand_id: brand.clone(),
            user_id: parse_column(&self.user_id, "user id")?,
            role: parse_column(&self.role, "role")?,
            email: self.email,
            name: self.member_name,
        })
    }
}

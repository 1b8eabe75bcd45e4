//! Plans, brands and members.

use serde_json::json;
use sqlx_macros::FromRow;
use svc_mcp_access::{Brand, BrandId, Member, Plan, PlanId, Quota, Quotas, Role, StoreError, UserId};
use svc_mcp_tools::events::EventType;

use crate::{
    Store,
    access_change::{AccessChange, ChangeTarget},
    audit_log::{AuditAction, NewAuditRecord, of_brand, of_member, of_plan},
    brand_data::is_erased,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column, parse_quotas_column,
    schedules::change_time_zone,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeletePlanError {
    #[error("brands are on this plan")]
    InUse,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PutBrandError {
    #[error("a brand with this id was erased")]
    Erased,
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

/// What to change of a member.
#[derive(Debug, Clone, Default)]
pub struct MemberChange {
    /// `None`: it stays as it is.
    pub role: Option<Role>,
    pub email: TextChange,
    pub name: TextChange,
}

#[derive(Debug, Clone, Default)]
pub enum TextChange {
    #[default]
    Keep,
    Remove,
    Set(String),
}

impl From<Option<String>> for TextChange {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Remove, Self::Set)
    }
}

impl TextChange {
    /// The new text, and 1 if it replaces the old one.
    fn columns(&self) -> (Option<&str>, i64) {
        match self {
            Self::Keep => (None, 0),
            Self::Remove => (None, 1),
            Self::Set(text) => (Some(text), 1),
        }
    }
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

#[derive(FromRow)]
struct MemberOfRow {
    #[sqlx(flatten)]
    brand: BrandRow,
    role: String,
}

#[derive(FromRow)]
pub(crate) struct MemberRow {
    user_id: String,
    role: String,
    email: Option<String>,
    member_name: Option<String>,
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
        let work = Box::pin(async {
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
        });
        let change = self.run("delete_plan", async { Abort::split(work.await) }).await??;
        self.publish(change).await;
        Ok(())
    }

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
        let work = Box::pin(async {
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
        });
        let change = self.run("put_brand", async { Abort::split(work.await) }).await??;
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
            let sql = "SELECT b.brand_id, b.name, b.website, b.competitors, b.language, b.time_zone, p.plan_id, p.name AS plan_name, p.mcp_enabled, \
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

    /// Creates or replaces a member.
    pub async fn put_member(&self, member: &Member) -> Result<(), StoreError> {
        let change = MemberChange {
            role: Some(member.role),
            email: member.email.clone().into(),
            name: member.name.clone().into(),
        };
        self.change_member(&member.brand_id, &member.user_id, &change).await.map(|_| ())
    }

    /// Changes a member, or creates one if there is a role. `None`: the user is no member, and no role is given.
    pub async fn change_member(
        &self,
        brand: &BrandId,
        user: &UserId,
        change: &MemberChange,
    ) -> Result<Option<Member>, StoreError> {
        let ((email, has_email), (name, has_name)) = (change.email.columns(), change.name.columns());
        let work = Box::pin(async {
            transaction!(&self.engine, |tx| {
                let before = lock_member(&mut Tx::from(&mut *tx), brand, user).await?;
                let query = match change.role {
                    Some(role) => sqlx::query_as(ADD_OR_CHANGE_MEMBER).bind(role.as_str()),
                    None => sqlx::query_as(CHANGE_MEMBER),
                };
                let row: Option<MemberRow> = query
                    .bind(brand.as_str())
                    .bind(user.as_str())
                    .bind(email)
                    .bind(name)
                    .bind(has_email)
                    .bind(has_name)
                    .fetch_optional(&mut *tx)
                    .await?;
                let member = row.map(|row| row.decode(brand)).transpose()?;
                let mut tx = Tx::from(&mut *tx);
                if let (None, Some(added)) = (&before, &member) {
                    let data = json!({"user_id": user, "role": added.role.as_str()});
                    self.add_brand_event(&mut tx, EventType::MemberAdded, brand, data).await?;
                }
                let change = AccessChange::record_brand(&mut tx, brand).await?;
                let record = member.as_ref().and_then(|member| {
                    NewAuditRecord::new(AuditAction::MemberPut, Some(brand), user.as_str())
                        .with_change(before.as_ref().map(of_member).as_ref(), &of_member(member))
                });
                self.add_audit_records(&mut tx, record).await?;
                (member, change)
            })
        });
        let (member, change) = self.run("change_member", work).await?;
        self.publish(change).await;
        Ok(member)
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

/// Reads a member and locks its row until the commit.
pub(crate) async fn lock_member(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    user: &UserId,
) -> Result<Option<Member>, sqlx::Error> {
    let sql = "UPDATE members SET role = role WHERE brand_id = $1 AND user_id = $2 \
               RETURNING user_id, role, email, name AS member_name";
    let row: Option<MemberRow> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.as_str())
        .bind(user.as_str())
        .fetch_optional(db)
        .await)?;
    row.map(|row| row.decode(brand)).transpose()
}

fn put_plan_record(before: Option<&Plan>, after: &Plan) -> Option<NewAuditRecord> {
    NewAuditRecord::new(AuditAction::PlanPut, None, after.plan_id.as_str())
        .with_change(before.map(of_plan).as_ref(), &of_plan(after))
}

fn brand_record(action: AuditAction, before: Option<&Brand>, after: &Brand) -> Option<NewAuditRecord> {
    NewAuditRecord::new(action, Some(&after.brand_id), after.brand_id.as_str())
        .with_change(before.map(of_brand).as_ref(), &of_brand(after))
}

const ADD_OR_CHANGE_MEMBER: &str = "INSERT INTO members (role, brand_id, user_id, email, name) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (brand_id, user_id) DO UPDATE SET role = excluded.role, \
    email = CASE WHEN $6 = 1 THEN excluded.email ELSE members.email END, \
    name = CASE WHEN $7 = 1 THEN excluded.name ELSE members.name END \
    RETURNING user_id, role, email, name AS member_name";
const CHANGE_MEMBER: &str = "UPDATE members SET email = CASE WHEN $5 = 1 THEN $3 ELSE email END, \
    name = CASE WHEN $6 = 1 THEN $4 ELSE name END WHERE brand_id = $1 AND user_id = $2 \
    RETURNING user_id, role, email, name AS member_name";

/// `None`: every limit is the default.
fn quotas_column(quotas: &Quotas) -> Option<String> {
    (!quotas.is_default()).then(|| serde_json::to_string(quotas).expect("names and numbers are JSON"))
}

impl MemberRow {
    pub(crate) fn decode(self, brand: &BrandId) -> Result<Member, sqlx::Error> {
        Ok(Member {
            brand_id: brand.clone(),
            user_id: parse_column(&self.user_id, "user id")?,
            role: parse_column(&self.role, "role")?,
            email: self.email,
            name: self.member_name,
        })
    }
}

//! Members of brands.

use serde_json::json;
use sqlx_macros::FromRow;
use svc_mcp_access::{Brand, BrandId, Member, Plan, Role, StoreError, UserId};
use svc_mcp_tools::events::EventType;

use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord, of_member},
    brands::BrandRow,
    engine::{Tx, query, transaction, within},
    parse_column,
};

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

impl Store {
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

const ADD_OR_CHANGE_MEMBER: &str = "INSERT INTO members (role, brand_id, user_id, email, name) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (brand_id, user_id) DO UPDATE SET role = excluded.role, \
    email = CASE WHEN $6 = 1 THEN excluded.email ELSE members.email END, \
    name = CASE WHEN $7 = 1 THEN excluded.name ELSE members.name END \
    RETURNING user_id, role, email, name AS member_name";

const CHANGE_MEMBER: &str = "UPDATE members SET email = CASE WHEN $5 = 1 THEN $3 ELSE email END, \
    name = CASE WHEN $6 = 1 THEN $4 ELSE name END WHERE brand_id = $1 AND user_id = $2 \
    RETURNING user_id, role, email, name AS member_name";

//! Plans and brands, as the operator lists them.

use sqlx_macros::FromRow;
use svc_mcp_access::{Brand, BrandId, Plan, PlanId, Role, StoreError, Suspension, Timestamp, UserId};

use super::{
    search::{Part, Position, SearchPage, begins_with},
    statement::{Statement, fetch_all},
};
use crate::{
    Cursor, Store,
    brands::{BRAND_COLUMNS, BrandRow},
    parse_column,
    plans::PlanRow,
};

/// Which brands to list, in the order of their ids.
#[derive(Debug, Clone, Default)]
pub struct BrandSearch {
    /// The beginning of the id or of the name, in any case.
    pub q: Option<String>,
    pub plan: Option<PlanId>,
    /// Only suspended brands, or only others.
    pub suspended: Option<bool>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

#[derive(Debug, Clone)]
pub struct ListedBrand {
    pub brand: Brand,
    pub suspension: Option<Suspension>,
    /// Of the user whose brands are listed.
    pub role: Option<Role>,
}

#[derive(FromRow)]
struct ListedBrandRow {
    #[sqlx(flatten)]
    brand: BrandRow,
    suspended_at: Option<i64>,
    suspended_by: Option<String>,
    suspension_reason: Option<String>,
    position: String,
    role: Option<String>,
}

impl ListedBrandRow {
    fn decode(self) -> Result<(ListedBrand, String), sqlx::Error> {
        let (brand, _) = self.brand.decode()?;
        let suspension = suspension(self.suspended_at, self.suspended_by.as_deref(), self.suspension_reason)?;
        let role = self.role.map(|role| parse_column(&role, "role")).transpose()?;
        Ok((ListedBrand { brand, suspension, role }, self.position))
    }
}

pub(super) fn suspension(
    at: Option<i64>,
    by: Option<&str>,
    reason: Option<String>,
) -> Result<Option<Suspension>, sqlx::Error> {
    let Some(at) = at else { return Ok(None) };
    let by = parse_column(by.unwrap_or_default(), "user id")?;
    Ok(Some(Suspension { at: Timestamp::from_millis(at), by, reason }))
}

impl Store {
    pub async fn list_plans(
        &self,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<SearchPage<Plan>, StoreError> {
        self.run("list_plans", async {
            let mut statement = Statement::new(
                "SELECT plan_id, name AS plan_name, mcp_enabled, quotas AS plan_quotas FROM plans",
            );
            let id = statement.text(after.map_or("", |cursor| &cursor.id));
            statement.and(&format!("plan_id > {id}"));
            statement.push(" ORDER BY plan_id");
            statement.limit(limit);
            let rows: Vec<PlanRow> = fetch_all!(&self.engine, statement)?;
            let plans = rows.into_iter().map(Plan::try_from).collect::<Result<Vec<_>, _>>()?;
            Ok(SearchPage::cut(plans, limit, |plan| id_cursor(plan.plan_id.as_str())))
        })
        .await
    }

    /// Sorted by id. With a search, those whose id begins with the text come first, then those whose name does.
    pub async fn search_brands(&self, search: &BrandSearch) -> Result<SearchPage<ListedBrand>, StoreError> {
        self.run("search_brands", async {
            let limit = search.limit as usize;
            let mut position = Position::decode(search.after.as_ref());
            let mut found: Vec<(Position, ListedBrand)> = Vec::new();
            loop {
                let part = position.part;
                let wanted = search.limit.saturating_sub(u32::try_from(found.len()).unwrap_or(0));
                let statement = brands_statement(search, &position, wanted);
                let rows: Vec<ListedBrandRow> = fetch_all!(&self.engine, statement)?;
                for row in rows {
                    let (brand, text) = row.decode()?;
                    let id = brand.brand.brand_id.to_string();
                    found.push((Position { part, text, id }, brand));
                }
                if found.len() > limit || part == Part::ByText || search.q.is_none() {
                    break;
                }
                position = Position::start(Part::ByText);
            }
            let page = SearchPage::cut(found, search.limit, |(position, _)| position.cursor());
            Ok(SearchPage {
                items: page.items.into_iter().map(|(_, brand)| brand).collect(),
                next: page.next,
            })
        })
        .await
    }

    /// The brands that a user acts for, sorted by id.
    pub async fn list_brands_of(
        &self,
        user: &UserId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<SearchPage<ListedBrand>, StoreError> {
        self.run("list_brands_of", async {
            let mut statement = Statement::new(&format!(
                "SELECT {BRAND_COLUMNS}, b.suspended_at, b.suspended_by, b.suspension_reason, b.search_id AS position, \
                 m.role AS role FROM members m JOIN brands b ON b.brand_id = m.brand_id \
                 JOIN plans p ON p.plan_id = b.plan_id"
            ));
            let (user, id) =
                (statement.text(user.as_str()), statement.text(after.map_or("", |cursor| &cursor.id)));
            statement.and(&format!("m.user_id = {user} AND m.brand_id > {id}"));
            statement.push(" ORDER BY m.brand_id");
            statement.limit(limit);
            let rows: Vec<ListedBrandRow> = fetch_all!(&self.engine, statement)?;
            let brands = rows
                .into_iter()
                .map(|row| row.decode().map(|(brand, _)| brand))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(SearchPage::cut(brands, limit, |listed| id_cursor(listed.brand.brand_id.as_str())))
        })
        .await
    }

    /// One brand, with its suspension.
    pub async fn listed_brand(&self, brand: &BrandId) -> Result<Option<ListedBrand>, StoreError> {
        self.run_for(brand, "listed_brand", async {
            let mut statement = brands_of(None);
            let id = statement.text(brand.as_str());
            statement.and(&format!("b.brand_id = {id}"));
            let rows: Vec<ListedBrandRow> = fetch_all!(&self.engine, statement)?;
            rows.into_iter().next().map(|row| row.decode().map(|(brand, _)| brand)).transpose()
        })
        .await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_brands(&self, search: &BrandSearch) -> Result<Vec<String>, StoreError> {
        let mut lines = Vec::new();
        for part in [Part::ById, Part::ByText] {
            let statement = brands_statement(search, &Position::start(part), search.limit);
            lines.extend(self.explain(&statement).await?);
        }
        Ok(lines)
    }
}

pub(super) fn id_cursor(id: &str) -> Cursor {
    Cursor { at: Timestamp::from_millis(0), id: id.to_owned() }
}

fn brands_of(part: Option<Part>) -> Statement {
    let column = if part == Some(Part::ByText) { "b.search_name" } else { "b.search_id" };
    Statement::new(&format!(
        "SELECT {BRAND_COLUMNS}, b.suspended_at, b.suspended_by, b.suspension_reason, {column} AS position, \
         CAST(NULL AS TEXT) AS role FROM brands b JOIN plans p ON p.plan_id = b.plan_id"
    ))
}

fn brands_statement(search: &BrandSearch, position: &Position, limit: u32) -> Statement {
    let mut statement = brands_of(Some(position.part));
    let column = if position.part == Part::ByText { "b.search_name" } else { "b.search_id" };
    if let Some(q) = &search.q {
        let condition = begins_with(&mut statement, column, q);
        statement.and(&condition);
        if position.part == Part::ByText {
            let by_id = begins_with(&mut statement, "b.search_id", q);
            statement.and(&format!("NOT ({by_id})"));
        }
    }
    if let Some(plan) = &search.plan {
        let plan = statement.text(plan.as_str());
        statement.and(&format!("b.plan_id = {plan}"));
    }
    match search.suspended {
        Some(true) => statement.and("b.suspended_at IS NOT NULL"),
        Some(false) => statement.and("b.suspended_at IS NULL"),
        None => {}
    }
    position.add_to(&mut statement, column, "b.brand_id");
    statement.push(&format!(" ORDER BY {column}, b.brand_id"));
    statement.limit(limit);
    statement
}

//! Members and users, as the operator lists them.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, Member, StoreError, UserId};

use super::{
    brands::id_cursor,
    search::{Part, Position, SearchPage, begins_with},
    statement::{Statement, fetch_all},
};
use crate::{Cursor, Store, members::MemberRow, parse_column};

/// A user who is a member of at least one brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUser {
    pub user_id: UserId,
    /// Of one of their memberships.
    pub email: Option<String>,
    pub name: Option<String>,
    /// How many brands they act for.
    pub brands: u64,
}

#[derive(FromRow)]
struct UserRow {
    user_id: String,
    position: String,
    email: Option<String>,
    user_name: Option<String>,
    brands: i64,
}

impl Store {
    /// The members of a brand, sorted by id.
    pub async fn list_members(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<SearchPage<Member>, StoreError> {
        self.run_for(brand, "list_members", async {
            let mut statement =
                Statement::new("SELECT user_id, role, email, name AS member_name FROM members");
            let (brand_id, id) =
                (statement.text(brand.as_str()), statement.text(after.map_or("", |cursor| &cursor.id)));
            statement.and(&format!("brand_id = {brand_id} AND user_id > {id}"));
            statement.push(" ORDER BY user_id");
            statement.limit(limit);
            let rows: Vec<MemberRow> = fetch_all!(&self.engine, statement)?;
            let members = rows.into_iter().map(|row| row.decode(brand)).collect::<Result<Vec<_>, _>>()?;
            Ok(SearchPage::cut(members, limit, |member| id_cursor(member.user_id.as_str())))
        })
        .await
    }

    /// Users whose id begins with `q`, sorted by id, then those whose email address does. Without `q`, all users.
    pub async fn search_users(
        &self,
        q: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<SearchPage<ListedUser>, StoreError> {
        self.run("search_users", async {
            let mut position = Position::decode(after);
            let mut found: Vec<(Position, ListedUser)> = Vec::new();
            loop {
                let part = position.part;
                let wanted = limit.saturating_sub(u32::try_from(found.len()).unwrap_or(0));
                let statement = users_statement(q, &position, wanted);
                let rows: Vec<UserRow> = fetch_all!(&self.engine, statement)?;
                for row in rows {
                    let user_id: UserId = parse_column(&row.user_id, "user id")?;
                    let position = Position { part, text: row.position, id: row.user_id };
                    let brands = u64::try_from(row.brands).unwrap_or(0);
                    found.push((
                        position,
                        ListedUser { user_id, email: row.email, name: row.user_name, brands },
                    ));
                }
                if found.len() > limit as usize || part == Part::ByText || q.is_none() {
                    break;
                }
                position = Position::start(Part::ByText);
            }
            let page = SearchPage::cut(found, limit, |(position, _)| position.cursor());
            Ok(SearchPage { items: page.items.into_iter().map(|(_, user)| user).collect(), next: page.next })
        })
        .await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_users(&self, q: &str) -> Result<Vec<String>, StoreError> {
        let mut lines = Vec::new();
        for part in [Part::ById, Part::ByText] {
            lines.extend(self.explain(&users_statement(Some(q), &Position::start(part), 50)).await?);
        }
        Ok(lines)
    }
}

fn users_statement(q: Option<&str>, position: &Position, limit: u32) -> Statement {
    let column = if position.part == Part::ByText { "m.search_email" } else { "m.search_id" };
    let mut statement = Statement::new(&format!(
        "SELECT m.user_id, {column} AS position, MAX(m.email) AS email, MAX(m.name) AS user_name, \
         (SELECT COUNT(*) FROM members own WHERE own.user_id = m.user_id) AS brands FROM members m"
    ));
    if let Some(q) = q {
        let condition = begins_with(&mut statement, column, q);
        statement.and(&condition);
        if position.part == Part::ByText {
            let by_id = begins_with(&mut statement, "m.search_id", q);
            statement.and(&format!("NOT ({by_id})"));
        }
    }
    position.add_to(&mut statement, column, "m.user_id");
    statement.push(&format!(" GROUP BY {column}, m.user_id ORDER BY {column}, m.user_id"));
    statement.limit(limit);
    statement
}

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_store::{Cursor, ListedUser};

use super::MAX_SEARCH_CHARS;
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, LongCursorText, PLAIN_TEXT},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListUsers {
    /// The beginning of the id or of the email address, in any case
    #[schemars(length(min = 1, max = MAX_SEARCH_CHARS), regex(pattern = PLAIN_TEXT))]
    q: Option<String>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListUsers {}

/// A user who is a member of at least one brand
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "User")]
pub(crate) struct UserView {
    user_id: String,
    /// Of one of their memberships
    email: Option<String>,
    name: Option<String>,
    /// How many brands they act for
    brands: u64,
}

impl From<ListedUser> for UserView {
    fn from(user: ListedUser) -> Self {
        Self { user_id: user.user_id.into(), email: user.email, name: user.name, brands: user.brands }
    }
}

/// A page of users, sorted by id. A search lists those whose id begins with the text first, then those whose email address
/// does; a user with several such addresses is listed with each
#[derive(Debug, Serialize, JsonSchema)]
struct UserList {
    users: Vec<UserView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/users", list_users)
        .describe(Tag::Operator, "list_users", "List and search the users who are members of a brand")
        .query::<ListUsers>()
        .json::<UserList>(200, "The users")
}

async fn list_users(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListUsers>,
) -> Result<Json<UserList>, Problem> {
    let page = app.store.search_users(query.q.as_deref(), query.cursor.as_ref(), query.limit.get()).await?;
    let users = page.items.into_iter().map(UserView::from).collect();
    Ok(Json(UserList { users, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, UserId, key::SHOWN_LENGTH, user_id::MAX_USER_ID_CHARS};
use svc_mcp_store::{Cursor, KeySearch, KeySearchStatus};

use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, Id, LongCursorText, PLAIN_TEXT, USER_ID},
        },
        keys::KeyView,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListKeys {
    /// The first characters of the secret, as far as lists show them, with or without `svc_mcp_`
    #[schemars(
        length(min = 1, max = SHOWN_LENGTH),
        regex(pattern = PLAIN_TEXT),
        example = &"svc_mcp_4fT9aZ"
    )]
    prefix: Option<String>,
    /// Only keys that this user created
    #[schemars(with = "Option<String>", length(min = 1, max = MAX_USER_ID_CHARS), regex(pattern = USER_ID))]
    user: Option<UserId>,
    /// Only keys of this brand
    #[schemars(with = "Option<Id>")]
    brand: Option<BrandId>,
    /// `active`, `paused`, `expired` or `revoked`. A key has exactly one of these
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = KeySearchStatus::NAMES))]
    status: Option<KeySearchStatus>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListKeys {}

/// A page of keys, newest first; with `prefix`, sorted by it
#[derive(Debug, Serialize, JsonSchema)]
struct OperatorKeyList {
    keys: Vec<KeyView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/keys", list_keys)
        .describe(Tag::Operator, "operator_list_keys", "List and search the keys of all brands")
        .details("To search for a whole secret, use `POST /api/admin/keys/search`: a secret never belongs in a URL.")
        .query::<ListKeys>()
        .json::<OperatorKeyList>(200, "The keys")
}

async fn list_keys(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListKeys>,
) -> Result<Json<OperatorKeyList>, Problem> {
    let ListKeys { prefix, user, brand, status, limit, cursor } = query;
    let now = app.clock.now();
    let search =
        KeySearch { prefix, user, brand, status, without_revoked: false, after: cursor, limit: limit.get() };
    let page = app.store.search_keys(&search, now).await?;
    let keys = page.items.into_iter().map(|key| KeyView::new(key, now)).collect();
    Ok(Json(OperatorKeyList { keys, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_store::{Cursor, KeyFilter};

use super::{KEYS, KeyView};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, PageLimit, ValidatedQuery,
            schemas::{self, CursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListKeys {
    #[serde(default)]
    include_revoked: bool,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListKeys {}

/// A page of keys, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct KeyList {
    keys: Vec<KeyView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(KEYS, list_keys)
        .describe(Tag::Keys, "list_keys", "List the brand's keys")
        .query::<ListKeys>()
        .json::<KeyList>(200, "The keys")
}

async fn list_keys(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ListKeys>,
) -> Result<Json<KeyList>, Problem> {
    let filter =
        KeyFilter { include_revoked: query.include_revoked, after: query.cursor, limit: query.limit.get() };
    let (keys, next) = app.store.keys(&manager.brand_id, &filter).await?;
    let now = app.clock.now();
    Ok(Json(KeyList {
        keys: keys.into_iter().map(|key| KeyView::new(key, now)).collect(),
        next_cursor: next.map(|cursor| cursor.encode()),
    }))
}

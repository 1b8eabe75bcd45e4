use std::sync::Arc;

use axum::{Json, extract::State};

use super::{Activity, ActivityQuery, find};
use crate::{
    app::App,
    http::{
        extract::{Manager, ValidatedQuery},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/mcp-keys/{key_id}/activity", key_activity)
        .describe(Tag::Keys, "key_activity", "What happened with one key")
        .query::<ActivityQuery>()
        .json::<Activity>(200, "The events")
}

async fn key_activity(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ActivityQuery>,
) -> Result<Json<Activity>, Problem> {
    let key = manager.key(&app).await?;
    find(&app, &manager.brand_id, Some(key.key_id), query).await
}

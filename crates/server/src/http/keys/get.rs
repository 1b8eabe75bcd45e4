use std::sync::Arc;

use axum::{Json, extract::State};

use super::{KEY, KeyView};
use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(KEY, get_key).describe(Tag::Keys, "get_key", "One key").json::<KeyView>(200, "The key")
}

async fn get_key(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<KeyView>, Problem> {
    let key = manager.key(&app).await?;
    Ok(Json(KeyView::new(key, app.clock.now())))
}

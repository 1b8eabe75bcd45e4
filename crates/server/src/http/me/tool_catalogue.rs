use std::sync::Arc;

use axum::{Json, extract::State};
use serde_json::Value;

use crate::{
    app::App,
    http::{
        extract::SignedIn,
        openapi::Catalogue,
        operation::{Operation, Tag},
        tool_lists::catalogue,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/api/tools", tool_catalogue)
        .describe(Tag::Account, "tool_catalogue", "All tools, for choosing what a key may do")
        .json::<Catalogue>(200, "Every tool")
}

async fn tool_catalogue(State(app): State<Arc<App>>, _: SignedIn) -> Json<Value> {
    Json(catalogue(&app.registry))
}

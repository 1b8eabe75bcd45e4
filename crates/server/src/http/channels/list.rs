use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use super::{CHANNELS, ChannelView};
use crate::{
    app::App,
    http::{
        extract::Administrator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Serialize, JsonSchema)]
struct Channels {
    channels: Vec<ChannelView>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(CHANNELS, list_channels)
        .describe(Tag::Brand, "list_channels", "The brand's channels")
        .details("`feed`, which every brand has, comes first.")
        .json::<Channels>(200, "The channels")
}

async fn list_channels(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<Channels>, Problem> {
    let stored = app.store.channels(&administrator.brand_id).await?;
    let channels =
        std::iter::once(ChannelView::feed()).chain(stored.iter().map(ChannelView::stored)).collect();
    Ok(Json(Channels { channels }))
}

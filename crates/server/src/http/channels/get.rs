use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::{BrandId, ChannelId};
use svc_mcp_tools::posts::FEED;

use super::{CHANNEL, ChannelView};
use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(CHANNEL, get_channel)
        .describe(Tag::Brand, "get_channel", "One channel")
        .json::<ChannelView>(200, "The channel")
}

async fn get_channel(
    State(app): State<Arc<App>>,
    _: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
) -> Result<Json<ChannelView>, Problem> {
    if channel_id.as_str() == FEED {
        return Ok(Json(ChannelView::feed()));
    }
    let stored = app.store.channel(&brand_id, &channel_id).await?;
    stored.map(|stored| Json(ChannelView::stored(&stored))).ok_or_else(|| Problem::not_found("channel"))
}

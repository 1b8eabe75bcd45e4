use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::{BrandId, ChannelId};
use svc_mcp_tools::posts::FEED;

use super::CHANNEL;
use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete(CHANNEL, delete_channel)
        .describe(Tag::Brand, "delete_channel", "Delete a channel")
        .details(
            "Posts that were still to be published there are cancelled. Deleting it again changes nothing and answers the \
             same.",
        )
        .empty(204, "It is deleted")
}

async fn delete_channel(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
) -> Result<StatusCode, Problem> {
    if channel_id.as_str() == FEED {
        return Err(Problem::new(
            Code::ChannelFixed,
            "Every brand has the channel `feed`; it cannot be deleted.",
        ));
    }
    administrator.store(&app).delete_channel(&brand_id, &channel_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::{BrandId, ChannelId, id};
use svc_mcp_tools::{
    connection_test::{TestOutcome, TestedConnection},
    posts::{ChannelTest, FEED},
};

use crate::{
    app::App,
    http::{
        connection_tests::{TestView, count_test},
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/channels/{channel_id}/test", test_channel)
        .describe(Tag::Brand, "test_channel", "Test a channel without publishing")
        .details(
            "For administrators of the brand. Mastodon and Bluesky check the credential, a webhook gets a signed message of the \
             type `ping`, and the feed names its addresses. A brand has 10 tests an hour.",
        )
        .json::<TestView>(200, "What the test has shown. `ok` says whether it works")
}

async fn test_channel(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
) -> Result<Json<TestView>, Problem> {
    let message_id = id::fresh("msg_test", &mut app.entropy.clone());
    let test = ChannelTest {
        brand_id: &brand_id,
        outbound: &app.context.outbound,
        sealing: app.sealing.as_deref(),
        now: app.clock.now(),
        message_id: &message_id,
        public_url: &app.public_url,
    };
    let is_feed = channel_id.as_str() == FEED;
    let stored = app.store.channel(&brand_id, &channel_id).await?;
    if stored.is_none() && !is_feed {
        return Err(Problem::not_found("channel"));
    }
    count_test(&app, &administrator, TestedConnection::Channel(channel_id)).await?;
    let outcome = match &stored {
        Some(stored) => TestOutcome::within_timeout(test.run(stored)).await,
        None => test.feed(),
    };
    Ok(Json(outcome.into()))
}

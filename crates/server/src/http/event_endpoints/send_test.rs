use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::{BrandId, EndpointId, id};
use svc_mcp_tools::{
    connection_test::{TestOutcome, TestedConnection},
    events::EndpointTest,
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
    Operation::post("/api/brands/{brand_id}/event-endpoints/{endpoint_id}/test", test_event_endpoint)
        .describe(Tag::Brand, "test_event_endpoint", "Send a test event to an endpoint")
        .details(
            "For administrators of the brand. The endpoint gets a signed event of the type `ping`, also while it is off. It is \
             not tried again, and is no delivery. A brand has 10 tests an hour.",
        )
        .json::<TestView>(200, "What the test has shown. `ok` says whether it works")
}

async fn test_event_endpoint(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, endpoint_id)): PathIds<(BrandId, EndpointId)>,
) -> Result<Json<TestView>, Problem> {
    let stored = app.store.event_endpoint(&brand_id, &endpoint_id).await?;
    let endpoint = stored.ok_or_else(|| Problem::not_found("event endpoint"))?;
    count_test(&app, &administrator, TestedConnection::EventEndpoint(endpoint_id)).await?;
    let event_id = id::fresh("evt_test", &mut app.entropy.clone());
    let test = EndpointTest {
        brand_id: &brand_id,
        outbound: &app.context.outbound,
        sealing: app.sealing.as_deref(),
        now: app.clock.now(),
        event_id: &event_id,
    };
    Ok(Json(TestOutcome::within_timeout(test.run(&endpoint)).await.into()))
}

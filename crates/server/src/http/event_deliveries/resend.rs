use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::{BrandId, id::is_id};
use svc_mcp_store::ResendError;

use super::view::DeliveryView;
use crate::{
    app::App,
    http::{
        extract::{Administrator, Operator, PathIds},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

const DETAILS: &str = "At once, with the same `webhook-id` and body, and with all its tries. One that is being sent now is left \
    alone. An endpoint that is off gets nothing (409 `endpoint_off`).";

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/event-deliveries/{delivery_id}/resend", resend)
        .describe(Tag::Brand, "resend_event_delivery", "Send an event again")
        .details(DETAILS)
        .json::<DeliveryView>(200, "The delivery, which waits now")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::post("/api/admin/event-deliveries/{delivery_id}/resend", resend_any)
        .describe(Tag::Operator, "resend_any_event_delivery", "Send an event of any brand again")
        .details(DETAILS)
        .json::<DeliveryView>(200, "The delivery, which waits now")
}

async fn resend(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, delivery_id)): PathIds<(BrandId, String)>,
) -> Result<Json<DeliveryView>, Problem> {
    check(&delivery_id)?;
    let store = administrator.store(&app);
    let sent = store.resend_delivery(&brand_id, &delivery_id, app.clock.now()).await;
    sent.map(|delivery| Json(delivery.into())).map_err(problem)
}

async fn resend_any(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(delivery_id): PathIds<String>,
) -> Result<Json<DeliveryView>, Problem> {
    check(&delivery_id)?;
    let sent = operator.store(&app).resend_any_delivery(&delivery_id, app.clock.now()).await;
    sent.map(|delivery| Json(delivery.into())).map_err(problem)
}

fn check(delivery_id: &str) -> Result<(), Problem> {
    if is_id(delivery_id) { Ok(()) } else { Err(Problem::not_found("event delivery")) }
}

fn problem(error: ResendError) -> Problem {
    match error {
        ResendError::Unknown => Problem::not_found("event delivery"),
        ResendError::EndpointOff => Problem::new(
            Code::EndpointOff,
            "The endpoint is off, so nothing is sent to it. Save it with `enabled` true, then send the event again.",
        ),
        ResendError::Store(error) => error.into(),
    }
}

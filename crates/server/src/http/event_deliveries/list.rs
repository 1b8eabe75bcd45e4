use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, EndpointId};
use svc_mcp_store::{Cursor, Delivery, DeliverySearch, SearchPage};
use svc_mcp_tools::events::DeliveryState;

use super::view::DeliveryView;
use crate::{
    app::App,
    http::{
        extract::{
            Administrator, Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, CursorText, Id},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListDeliveries {
    /// Only deliveries to this endpoint
    #[schemars(with = "Option<Id>")]
    endpoint: Option<EndpointId>,
    /// `pending`, `delivered` or `failed`
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = DeliveryState::NAMES))]
    status: Option<DeliveryState>,
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListDeliveries {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAllDeliveries {
    /// Only events of this brand
    #[schemars(with = "Option<Id>")]
    brand: Option<BrandId>,
    /// Only deliveries to this endpoint; `operator` is the operator's own
    #[schemars(with = "Option<Id>")]
    endpoint: Option<EndpointId>,
    /// `pending`, `delivered` or `failed`
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = DeliveryState::NAMES))]
    status: Option<DeliveryState>,
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListAllDeliveries {}

/// A page of deliveries, newest first. They are kept for 30 days
#[derive(Debug, Serialize, JsonSchema)]
struct DeliveryList {
    event_deliveries: Vec<DeliveryView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

impl From<SearchPage<Delivery>> for DeliveryList {
    fn from(page: SearchPage<Delivery>) -> Self {
        Self {
            event_deliveries: page.items.into_iter().map(DeliveryView::from).collect(),
            next_cursor: page.next.map(|cursor| cursor.encode()),
        }
    }
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/event-deliveries", list_deliveries)
        .describe(Tag::Brand, "list_event_deliveries", "What was sent to the brand's event endpoints")
        .query::<ListDeliveries>()
        .json::<DeliveryList>(200, "The deliveries")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::get("/api/admin/event-deliveries", list_all_deliveries)
        .describe(
            Tag::Operator,
            "list_all_event_deliveries",
            "What was sent to the event endpoints of all brands",
        )
        .details("With the deliveries to the operator's own endpoint, `operator`.")
        .query::<ListAllDeliveries>()
        .json::<DeliveryList>(200, "The deliveries")
}

async fn list_deliveries(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedQuery(query): ValidatedQuery<ListDeliveries>,
) -> Result<Json<DeliveryList>, Problem> {
    let ListDeliveries { endpoint, status, limit, cursor } = query;
    let search = DeliverySearch { endpoint, state: status, after: cursor, limit: limit.get() };
    Ok(Json(app.store.event_deliveries(&administrator.brand_id, &search).await?.into()))
}

async fn list_all_deliveries(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListAllDeliveries>,
) -> Result<Json<DeliveryList>, Problem> {
    let ListAllDeliveries { brand, endpoint, status, limit, cursor } = query;
    let search = DeliverySearch { endpoint, state: status, after: cursor, limit: limit.get() };
    Ok(Json(app.store.search_deliveries(brand.as_ref(), &search).await?.into()))
}

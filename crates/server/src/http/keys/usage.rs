use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State};
use serde::Serialize;
use svc_mcp_access::rate;
use svc_mcp_store::{Peak, UsageLine};
use utoipa::ToSchema;

use crate::{
    app::App,
    http::{
        extract::{Manager, Params},
        problem::Problem,
    },
};

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

/// How much the brand's keys were used
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Usage {
    /// The first day, in UTC
    #[schema(example = "2026-10-17")]
    from: String,
    /// The last day, which is today
    to: String,
    usage: Vec<UsageView>,
    /// How close each key came to its limit in the last hour
    peaks: Vec<PeakView>,
}

/// One key's use of one tool on one day
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageLine)]
pub(crate) struct UsageView {
    day: String,
    key_id: String,
    /// Null: the list of tools
    tool: Option<String>,
    /// Requests that were allowed
    calls: u64,
    /// Of these, how many failed
    errors: u64,
    /// Requests that were refused
    denied: u64,
    p50_ms: Option<f64>,
    p95_ms: Option<f64>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Peak)]
pub(crate) struct PeakView {
    key_id: String,
    most_in_a_minute: u32,
    limit: usize,
}

impl From<UsageLine> for UsageView {
    fn from(line: UsageLine) -> Self {
        Self {
            day: line.day,
            key_id: line.key_id.into(),
            tool: line.tool,
            calls: line.calls,
            errors: line.errors,
            denied: line.denied,
            p50_ms: line.p50_ms,
            p95_ms: line.p95_ms,
        }
    }
}

impl From<Peak> for PeakView {
    fn from(peak: Peak) -> Self {
        Self { key_id: peak.key_id.into(), most_in_a_minute: peak.most, limit: rate::LIMIT }
    }
}

/// How much the brand's keys were used, by day, key and tool
#[utoipa::path(get, path = "/api/brands/{brand_id}/mcp-usage", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("days" = Option<u32>, Query, description = "1 to 366, 30 by default")),
    responses((status = 200, description = "The usage", body = Usage)))]
pub(crate) async fn usage(
    State(app): State<Arc<App>>,
    manager: Manager,
    mut params: Params,
) -> Result<Json<Usage>, Problem> {
    let days = params.number("days", 30, 366);
    params.0.finish()?;
    let now = app.clock.now();
    let from = now.minus(DAY * (days - 1)).day();
    let usage = app.store.usage(&manager.brand_id, &from).await?;
    let peaks = app.store.peaks(&manager.brand_id, now.minus(HOUR)).await?;
    Ok(Json(Usage {
        from,
        to: now.day(),
        usage: usage.into_iter().map(UsageView::from).collect(),
        peaks: peaks.into_iter().map(PeakView::from).collect(),
    }))
}

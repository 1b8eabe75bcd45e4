use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{QuotaUsage, rate};
use svc_mcp_store::{DailyUsage, Peak};

use crate::{
    app::App,
    http::{
        extract::{Input, Manager, ValidatedQuery, schemas::Time},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

const DEFAULT_DAYS: u32 = 30;
const MAX_DAYS: u32 = 366;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UsageQuery {
    /// 1 to 366, 30 by default
    #[serde(default = "default_days")]
    #[schemars(range(min = 1, max = MAX_DAYS))]
    days: u32,
}

impl Input for UsageQuery {}

fn default_days() -> u32 {
    DEFAULT_DAYS
}

/// How much the brand's keys were used
#[derive(Debug, Serialize, JsonSchema)]
struct Usage {
    /// The first day, in UTC
    #[schemars(example = &"2026-10-17")]
    from: String,
    /// The last day, which is today
    to: String,
    usage: Vec<UsageView>,
    /// How close each key came to its limit in the last hour
    peaks: Vec<PeakView>,
    /// What the brand may use, and how much of it is used now
    quotas: Vec<QuotaView>,
}

/// One quota of the brand
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "QuotaUsage")]
struct QuotaView {
    #[schemars(example = &"posts_per_day")]
    quota: &'static str,
    limit: u32,
    /// More than the limit, if the limit was lowered. `pending_approvals`: of the key that has most. `concurrent_waits`: on
    /// the instance that answers
    used: u32,
    /// When some of it becomes free by itself. Null: nothing is used, that is not known, or only people can free it
    #[schemars(with = "Option<Time>")]
    frees_at: Option<String>,
}

impl From<QuotaUsage> for QuotaView {
    fn from(usage: QuotaUsage) -> Self {
        let QuotaUsage { quota, limit, used, frees_at } = usage;
        Self { quota: quota.as_str(), limit, used, frees_at: frees_at.map(|at| at.to_string()) }
    }
}

/// One key's use of one tool on one day
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "UsageLine")]
struct UsageView {
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

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Peak")]
struct PeakView {
    key_id: String,
    most_in_a_minute: u32,
    limit: usize,
}

impl From<DailyUsage> for UsageView {
    fn from(line: DailyUsage) -> Self {
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

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/mcp-usage", usage)
        .describe(
            Tag::Keys,
            "usage",
            "How much the brand's keys were used, by day, key and tool, and its quotas",
        )
        .query::<UsageQuery>()
        .json::<Usage>(200, "The usage")
}

async fn usage(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<UsageQuery>,
) -> Result<Json<Usage>, Problem> {
    let now = app.clock.now();
    let from = now.minus(DAY * (query.days - 1)).day();
    let usage = app.store.usage(&manager.brand_id, &from).await?;
    let peaks = app.store.peaks(&manager.brand_id, now.minus(HOUR)).await?;
    let (_, plan) = app.store.brand(&manager.brand_id).await?.ok_or_else(|| Problem::not_found("brand"))?;
    let quotas = app.context.quota_usage(&manager.brand_id, None, &plan.quotas, now).await?;
    Ok(Json(Usage {
        quotas: quotas.into_iter().map(QuotaView::from).collect(),
        from,
        to: now.day(),
        usage: usage.into_iter().map(UsageView::from).collect(),
        peaks: peaks.into_iter().map(PeakView::from).collect(),
    }))
}

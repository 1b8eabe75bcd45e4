use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::QuotaUsage;

use crate::{
    app::App,
    http::{
        extract::{Manager, schemas::Time},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// What a brand may use
#[derive(Debug, Serialize, JsonSchema)]
struct QuotaList {
    /// Always all of them, in the same order
    quotas: Vec<QuotaLine>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Quota")]
struct QuotaLine {
    #[schemars(example = &"posts_per_day")]
    name: &'static str,
    limit: u32,
    /// More than the limit, if the limit was lowered. `pending_approvals`: of the key that has most. `concurrent_waits`: on
    /// the instance that answers
    used: u32,
    /// When some of it becomes free by itself. Null: nothing is used, that is not known, or only people can free it
    #[schemars(with = "Option<Time>")]
    frees_at: Option<String>,
}

impl From<QuotaUsage> for QuotaLine {
    fn from(usage: QuotaUsage) -> Self {
        let QuotaUsage { quota, limit, used, frees_at } = usage;
        Self { name: quota.as_str(), limit, used, frees_at: frees_at.map(|at| at.to_string()) }
    }
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/quotas", list_quotas)
        .describe(Tag::Brand, "list_quotas", "What the brand may use, and how much of it is used now")
        .json::<QuotaList>(200, "The quotas")
}

async fn list_quotas(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<QuotaList>, Problem> {
    let (_, plan) = app.store.brand(&manager.brand_id).await?.ok_or_else(|| Problem::not_found("brand"))?;
    let now = app.clock.now();
    let usage = app.context.quota_usage(&manager.brand_id, None, &plan.quotas, now).await?;
    Ok(Json(QuotaList { quotas: usage.into_iter().map(QuotaLine::from).collect() }))
}

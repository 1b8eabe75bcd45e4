use std::{collections::BTreeMap, sync::Arc};

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use svc_mcp_access::{PlanId, Quota};

use super::{PATH, PlanView, QuotaChanges};
use crate::{
    app::App,
    http::{
        extract::{Input, Operator, PathIds, ValidatedJson, schemas::PLAIN_TEXT, trim_fields},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const MAX_NAME_CHARS: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutPlan {
    #[schemars(length(min = 1, max = MAX_NAME_CHARS), regex(pattern = PLAIN_TEXT), example = &"Business")]
    name: String,
    /// Whether brands on this plan have MCP
    mcp_enabled: bool,
    /// What a brand on this plan may use. Quotas that are left out stay as they are; null restores the default of one
    #[serde(default)]
    #[schemars(with = "QuotaChanges", example = json!({"posts_per_day": 1000, "keys": null}))]
    quotas: BTreeMap<Quota, Option<u32>>,
}

impl Input for PutPlan {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["name"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::put(PATH, put_plan)
        .describe(Tag::Operator, "put_plan", "Create or change a plan")
        .details(
            "Takes effect on the next request of every key of every brand on the plan. Keys are kept. A lower quota refuses \
             new work and deletes nothing, except for stored audits and analyses: the oldest that have ended are deleted.",
        )
        .body::<PutPlan>()
        .json::<PlanView>(200, "The plan")
}

async fn put_plan(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(plan_id): PathIds<PlanId>,
    ValidatedJson(body): ValidatedJson<PutPlan>,
) -> Result<Json<PlanView>, Problem> {
    let PutPlan { name, mcp_enabled, quotas } = body;
    let limits: Vec<(Quota, Option<u32>)> = quotas.into_iter().collect();
    let plan = operator.store(&app).change_plan(&plan_id, &name, mcp_enabled, &limits).await?;
    Ok(Json(plan.into()))
}

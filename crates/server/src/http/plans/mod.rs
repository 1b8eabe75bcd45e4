//! Plans, managed by the operator.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod put;

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_mcp_access::{Plan, Quota, Quotas, quota::MAX_QUOTA};

const PATH: &str = "/api/admin/plans/{plan_id}";

/// What a brand has paid for
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Plan")]
pub(crate) struct PlanView {
    plan_id: String,
    name: String,
    mcp_enabled: bool,
    /// The limits that the plan sets itself
    #[serde(skip_serializing_if = "Quotas::is_default")]
    #[schemars(with = "QuotaLimits")]
    quotas: Quotas,
    /// The limit of every quota, and whether it is the default
    #[schemars(example = json!({"keys": {"limit": 50, "default": true}}))]
    effective_quotas: BTreeMap<&'static str, EffectiveQuota>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EffectiveQuota {
    limit: u32,
    /// False: the plan sets it
    default: bool,
}

impl From<Plan> for PlanView {
    fn from(plan: Plan) -> Self {
        let effective = |quota: &Quota| {
            let (limit, default) = (plan.quotas.limit(*quota), !plan.quotas.is_overridden(*quota));
            (quota.as_str(), EffectiveQuota { limit, default })
        };
        Self {
            effective_quotas: Quota::ALL.iter().map(effective).collect(),
            plan_id: plan.plan_id.into(),
            name: plan.name,
            mcp_enabled: plan.mcp_enabled,
            quotas: plan.quotas,
        }
    }
}

/// The schema of a plan's quotas: each quota by its name.
struct QuotaLimits;

impl JsonSchema for QuotaLimits {
    fn schema_name() -> Cow<'static, str> {
        "Quotas".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        quotas_schema(&json!("integer"))
    }
}

/// The schema of changes of a plan's quotas. Null: the default.
struct QuotaChanges;

impl JsonSchema for QuotaChanges {
    fn schema_name() -> Cow<'static, str> {
        "QuotaChanges".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        quotas_schema(&json!(["integer", "null"]))
    }
}

fn quotas_schema(kind: &Value) -> Schema {
    let limit = |quota: &Quota| {
        let description = format!("{}. Default: {}", quota.description(), quota.default_limit());
        let schema = json!({"type": kind, "minimum": 0, "maximum": MAX_QUOTA, "description": description});
        (quota.as_str().to_owned(), schema)
    };
    let properties: Map<String, Value> = Quota::ALL.iter().map(limit).collect();
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

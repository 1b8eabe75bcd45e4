use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{QuotaUsage, ToolAccess, rate};

use crate::{
    local_time::format_local,
    posts::{BrandChannel, Channel},
    report::RecipientStatus,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct GetBrand;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BrandView {
    brand_id: String,
    name: String,
    /// The brand's own website.
    website: String,
    /// Hosts or addresses of competitors.
    competitors: Vec<String>,
    /// The language of the brand's texts, such as `de`. Absent: not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// Times without an offset are in this zone, and so are schedules.
    time_zone: String,
    /// The time now in `time_zone`.
    local_time: String,
    /// The channels posts can be published on, with their limits.
    channels: Vec<Channel>,
    /// The recipients of report emails, masked, and whether they confirmed.
    report_recipients: Vec<RecipientView>,
    plan: PlanView,
    /// What the brand may use and has used. A call beyond it fails with `quota_reached`.
    quotas: Vec<QuotaView>,
    /// What your key may do.
    key: KeyView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RecipientView {
    /// Masked, such as `a…@example.com`. `send_report_email` accepts it in this form.
    recipient: String,
    /// Only `confirmed` recipients get reports.
    status: RecipientStatus,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PlanView {
    plan_id: String,
    name: String,
    mcp_enabled: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct QuotaView {
    quota: &'static str,
    limit: u32,
    used: u32,
    /// When some of it becomes free by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frees_at: Option<String>,
}

impl From<QuotaUsage> for QuotaView {
    fn from(usage: QuotaUsage) -> Self {
        let QuotaUsage { quota, limit, used, frees_at } = usage;
        Self { quota: quota.as_str(), limit, used, frees_at: frees_at.map(|at| at.to_string()) }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct KeyView {
    key_id: String,
    /// `read`, `write` or `full` (which is the same as `write`).
    scope: String,
    /// The tools this key can use. Null: all that the scope allows.
    tools: Option<Vec<String>>,
    /// Requests per minute.
    requests_per_minute: u32,
    /// Requests left in the current minute, after this call.
    requests_left: u32,
    /// In this many seconds one more request is free, because the oldest one is then a minute old.
    reset_seconds: u32,
}

impl Tool for GetBrand {
    type Arguments = Arguments;
    type Output = BrandView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_brand",
        title: "Brand profile",
        description: "Returns the brand you act for: name, website, competitors, language, time zone and local time, plan, \
            quotas (limit and use), channels with their text limits, report recipients (masked), and what your key may do (scope, tools, \
            requests left in this minute and when one more is free). Call it first: a key belongs to exactly one \
            brand.",
        example: "{}",
    };

    async fn run(&self, call: &Call, _: Arguments) -> Result<Outcome<BrandView>, ToolError> {
        let profile = call.profile().await?;
        let key_state = &call.caller.key_state;
        let (brand, plan) = (&profile.brand, &profile.plan);
        Ok(Outcome::new(BrandView {
            brand_id: brand.brand_id.to_string(),
            name: brand.name.clone(),
            website: brand.website.clone(),
            competitors: brand.competitors.clone(),
            language: brand.language.clone(),
            time_zone: brand.time_zone.clone(),
            local_time: format_local(call.now, &brand.time_zone),
            channels: profile.channels_with_feed().iter().map(BrandChannel::view).collect(),
            report_recipients: profile
                .recipients
                .iter()
                .filter(|recipient| recipient.listed)
                .map(|recipient| RecipientView {
                    recipient: recipient.address.masked(),
                    status: recipient.status,
                })
                .collect(),
            plan: PlanView {
                plan_id: plan.plan_id.to_string(),
                name: plan.name.clone(),
                mcp_enabled: plan.mcp_enabled,
            },
            quotas: call.quota_usage().await?.into_iter().map(QuotaView::from).collect(),
            key: KeyView {
                key_id: key_state.key_id.to_string(),
                scope: key_state.scope.to_string(),
                tools: key_state.tools.as_ref().map(|chosen| chosen.names().map(str::to_owned).collect()),
                requests_per_minute: u32::try_from(rate::LIMIT).unwrap_or(u32::MAX),
                requests_left: u32::try_from(call.caller.rate.remaining).unwrap_or(u32::MAX),
                reset_seconds: call.caller.rate.frees_in_seconds(),
            },
        }))
    }
}

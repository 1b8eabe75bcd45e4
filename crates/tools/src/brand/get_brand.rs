use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{ToolAccess, rate};

use crate::{
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
    /// The channels posts can be published on, with their limits.
    channels: Vec<Channel>,
    /// The recipients of report emails, masked, and whether they confirmed.
    report_recipients: Vec<RecipientView>,
    plan: PlanView,
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
}

impl Tool for GetBrand {
    type Arguments = Arguments;
    type Output = BrandView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_brand",
        title: "Brand profile",
        description: "Returns the brand you act for: its name, website, competitors, plan, the channels for posts with their \
            text limits, the recipients of its reports (masked), and what your key may do (scope, tools, requests left \
            in this minute). Call it first, before you write a post or start other work, so that you use the right name \
            and channels. A key belongs to exactly one brand, so this tool takes no arguments.",
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
            key: KeyView {
                key_id: key_state.key_id.to_string(),
                scope: key_state.scope.to_string(),
                tools: key_state.tools.as_ref().map(|chosen| chosen.names().map(str::to_owned).collect()),
                requests_per_minute: u32::try_from(rate::LIMIT).unwrap_or(u32::MAX),
                requests_left: u32::try_from(call.caller.rate.remaining).unwrap_or(u32::MAX),
            },
        }))
    }
}

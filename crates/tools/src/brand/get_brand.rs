use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{ToolAccess, rate};

use crate::{
    posts::{BrandChannel, Channel, channels_of},
    report::RecipientStatus,
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
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
    /// The brand's own site.
    website: String,
    /// Hosts or addresses of its competitors.
    competitors: Vec<String>,
    /// Where posts can go, with the longest text each takes.
    channels: Vec<Channel>,
    /// Who gets the brand's reports by email, masked, and whether they confirmed it.
    report_recipients: Vec<RecipientView>,
    plan: PlanView,
    /// What your key may do.
    key: KeyView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RecipientView {
    /// Masked, such as `a…@example.com`. `send_report_email` takes it so.
    recipient: String,
    /// Only `confirmed` ones get reports.
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
    /// The tools this key is narrowed to. Null: all that the scope allows.
    tools: Option<Vec<String>>,
    /// How many requests a minute the key has.
    requests_per_minute: u32,
    /// How many of them are left right now, this call already taken.
    requests_left: u32,
}

impl Tool for GetBrand {
    type Arguments = Arguments;
    type Output = BrandView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "get_brand",
        title: "Brand profile",
        description: "Returns the brand you act for: its name, website, competitors, plan, the channels posts can go \
            to with their text limits, who gets its reports (masked), and what your key may do (scope, tools, requests left in this minute). Call it \
            first, before writing a post or starting any other work, so that you use the right name and channels. \
            There is exactly one brand for a key, so it takes no arguments.",
        example: "{}",
    };

    async fn run(&self, call: &Call, _: Arguments) -> Result<Outcome<BrandView>, Stopped> {
        let profile = call.profile().await?;
        let standing = &call.caller.standing;
        let (brand, plan) = (&profile.brand, &profile.plan);
        Ok(Outcome::of(BrandView {
            brand_id: brand.brand_id.to_string(),
            name: brand.name.clone(),
            website: brand.website.clone(),
            competitors: brand.competitors.clone(),
            channels: channels_of(&profile).iter().map(BrandChannel::view).collect(),
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
                key_id: standing.key_id.to_string(),
                scope: standing.scope.to_string(),
                tools: standing.tools.as_ref().map(|chosen| chosen.names().map(str::to_owned).collect()),
                requests_per_minute: u32::try_from(rate::LIMIT).unwrap_or(u32::MAX),
                requests_left: u32::try_from(call.caller.rate.remaining).unwrap_or(u32::MAX),
            },
        }))
    }
}

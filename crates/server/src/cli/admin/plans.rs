//! `svc-mcp admin plans`

use std::fmt::Write as _;

use anyhow::{Context, anyhow};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use svc_mcp_access::{Plan, PlanId, Quota, quota::MAX_QUOTA, validate::plain_text};

use super::{
    Common,
    list::{ListArgs, collect, print_list},
    print_result,
    table::{Table, yes_or_no},
    with_store,
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the plans
    List {
        #[command(flatten)]
        list: ListArgs,
    },
    /// Create or change a plan
    Set {
        plan: PlanId,
        #[arg(long)]
        name: String,
        /// Whether brands on this plan have MCP
        #[arg(long, value_enum)]
        mcp: Switch,
        /// How much a brand on this plan may use, such as `posts_per_day=1000`, or `posts_per_day=default`. Can be repeated;
        /// quotas that are not named keep their numbers
        #[arg(long = "quota", value_name = "NAME=NUMBER", value_parser = parse_quota)]
        quotas: Vec<(Quota, Option<u32>)>,
        #[command(flatten)]
        common: Common,
    },
    /// Show a plan with the limit of every quota
    Show {
        plan: PlanId,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Switch {
    On,
    Off,
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { list } => list_plans(&list).await,
        Command::Set { plan, name, mcp, quotas, common } => {
            set_plan(plan, &name, matches!(mcp, Switch::On), quotas, &common).await
        }
        Command::Show { plan, common } => show_plan(&plan, &common).await,
    }
}

async fn list_plans(list: &ListArgs) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| store.list_plans(after.as_ref(), limit).await).await
    })
    .await?;
    print_list(
        list,
        "plans",
        &found,
        |plan: &Plan| json!(plan),
        |plans| {
            let mut table = Table::new(&["PLAN", "NAME", "MCP", "QUOTAS"]);
            for plan in plans {
                let quotas: Vec<String> = plan
                    .quotas
                    .overrides()
                    .map(|(quota, limit)| format!("{}={limit}", quota.as_str()))
                    .collect();
                table.add([
                    plan.plan_id.to_string(),
                    plan.name.clone(),
                    yes_or_no(plan.mcp_enabled),
                    quotas.join(" "),
                ]);
            }
            table
        },
    )
}

async fn set_plan(
    plan_id: PlanId,
    name: &str,
    mcp_enabled: bool,
    limits: Vec<(Quota, Option<u32>)>,
    common: &Common,
) -> anyhow::Result<()> {
    let name = plain_text(name, 100).map_err(|error| anyhow!("--name {error}"))?;
    let plan = with_store(common, async |store| {
        Ok(store.change_plan(&plan_id, &name, mcp_enabled, &limits).await?)
    })
    .await?;
    let limits: Vec<String> =
        plan.quotas.overrides().map(|(quota, limit)| format!("\n{}: {limit}", quota.as_str())).collect();
    let mcp = if mcp_enabled { "on" } else { "off" };
    let sentence = format!("Plan {} is set, with MCP {mcp}.{}", plan.plan_id, limits.concat());
    print_result(common.json, &json!(crate::http::plan_view(plan)), &sentence)
}

async fn show_plan(plan_id: &PlanId, common: &Common) -> anyhow::Result<()> {
    let plan = with_store(common, async |store| {
        store.plan(plan_id).await?.with_context(|| {
            format!("there is no plan {plan_id}; create it with `svc-mcp admin plans set {plan_id} …`")
        })
    })
    .await?;
    let mcp = if plan.mcp_enabled { "on" } else { "off" };
    let mut text = format!("Plan {} ({}), with MCP {mcp}.", plan.plan_id, plan.name);
    for quota in Quota::ALL {
        let default = if plan.quotas.is_overridden(*quota) { "" } else { " (default)" };
        let _ = write!(text, "\n{}: {}{default}", quota.as_str(), plan.quotas.limit(*quota));
    }
    print_result(common.json, &json!(crate::http::plan_view(plan)), &text)
}

/// `NAME=NUMBER`, or `NAME=default` for the default number.
fn parse_quota(text: &str) -> anyhow::Result<(Quota, Option<u32>)> {
    let (name, limit) = text.split_once('=').context("must be NAME=NUMBER")?;
    let names = || Quota::ALL.iter().map(|quota| quota.as_str()).collect::<Vec<_>>().join(", ");
    let quota = name.parse::<Quota>().with_context(|| format!("the quotas are {}", names()))?;
    if limit == "default" {
        return Ok((quota, None));
    }
    let limit = limit.parse::<u32>().ok().filter(|limit| *limit <= MAX_QUOTA);
    let limit = limit.with_context(|| format!("the number must be 0 to {MAX_QUOTA}, or `default`"))?;
    Ok((quota, Some(limit)))
}

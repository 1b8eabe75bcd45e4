//! `svc-mcp admin brands`

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use svc_mcp_access::{
    Brand, BrandId, Clock, DEFAULT_TIME_ZONE, PlanId, Suspension,
    brand::{NOT_A_LANGUAGE, is_language},
    id,
    validate::plain_text,
};
use svc_mcp_store::{BrandSearch, KeysOf, ListedBrand};
use svc_mcp_tools::{
    local_time::{UNKNOWN_TIME_ZONE, canonical_name},
    net::parse_http_url,
};

use super::{
    Common, actor,
    brand_data::{erase_brand, export_brand, import_brand},
    find_brand,
    list::{ListArgs, collect, print_list},
    print_result,
    stopped::print_revoked_keys,
    table::{Table, optional, time},
    with_store,
};
use crate::{
    clock::{MachineClock, machine_entropy},
    config::MailArgs,
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List and search brands
    List {
        /// The beginning of the id or of the name, in any case
        #[arg(long)]
        q: Option<String>,
        /// Only brands on this plan
        #[arg(long)]
        plan: Option<PlanId>,
        #[arg(long, value_enum)]
        status: Option<Status>,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Create or change a brand
    Set {
        brand: BrandId,
        #[arg(long)]
        name: String,
        #[arg(long)]
        plan: PlanId,
        #[arg(long, value_name = "URL")]
        website: String,
        /// The language of the brand's texts, such as `de`. Without it, it stays as it is
        #[arg(long, value_name = "CODE")]
        language: Option<String>,
        /// The brand's time zone, such as `Europe/Berlin`. Without it, it stays as it is; a new brand has `UTC`
        #[arg(long, value_name = "NAME")]
        time_zone: Option<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Stop everything of a brand until it is resumed: its keys are refused, its work is held, and its feed is closed
    Suspend {
        brand: BrandId,
        /// For other operators; members of the brand do not see it
        #[arg(long)]
        reason: Option<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Let a suspended brand work again
    Resume {
        brand: BrandId,
        #[command(flatten)]
        common: Common,
    },
    /// Write all rows of a brand to standard output, one JSON object in each line
    Export {
        brand: BrandId,
        #[command(flatten)]
        common: Common,
    },
    /// Import a brand from an export into a service that does not have it. Its keys work again
    Import {
        /// The file, or `-` for standard input
        file: PathBuf,
        #[command(flatten)]
        common: Common,
    },
    /// Erase everything of a brand. This cannot be undone: export it first
    Erase {
        brand: BrandId,
        /// The id of the brand, once more
        #[arg(long, value_name = "BRAND")]
        confirm: BrandId,
        #[command(flatten)]
        mail: MailArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Revoke all keys of a brand, and cancel what they have queued
    RevokeKeys {
        brand: BrandId,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Status {
    Active,
    Suspended,
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { q, plan, status, list } => list_brands(q, plan, status, &list).await,
        Command::Set { brand, name, plan, website, language, time_zone, common } => {
            let locale = check_locale(language, time_zone)?;
            set_brand(brand, &name, plan, &website, locale, &common).await
        }
        Command::Suspend { brand, reason, common } => suspend(&brand, reason, &common).await,
        Command::Resume { brand, common } => {
            let listed = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                store.resume_brand(&brand, MachineClock::default().now()).await?;
                Ok(store.listed_brand(&brand).await?)
            })
            .await?;
            let view = listed.map(crate::http::brand_view);
            print_result(common.json, &json!(view), &format!("{brand} is not suspended."))
        }
        Command::Export { brand, common } => export_brand(&brand, &common).await,
        Command::Import { file, common } => import_brand(&file, &common).await,
        Command::Erase { brand, confirm, mail, common } => {
            erase_brand(&brand, &confirm, &mail, &common).await
        }
        Command::RevokeKeys { brand, common } => {
            let done = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                let events = id::fresh("evt", &mut machine_entropy());
                let now = MachineClock::default().now();
                Ok(store.revoke_keys_of(&KeysOf::Brand(brand.clone()), &actor(), now, &events).await?)
            })
            .await?;
            print_revoked_keys(common.json, brand.as_str(), done)
        }
    }
}

async fn list_brands(
    q: Option<String>,
    plan: Option<PlanId>,
    status: Option<Status>,
    list: &ListArgs,
) -> anyhow::Result<()> {
    let suspended = status.map(|status| status == Status::Suspended);
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| {
            let (q, plan) = (q.clone(), plan.clone());
            store.search_brands(&BrandSearch { q, plan, suspended, after, limit }).await
        })
        .await
    })
    .await?;
    print_list(list, "brands", &found, |listed| json!(crate::http::brand_view(listed.clone())), brands_table)
}

pub(super) fn brands_table(brands: &[ListedBrand]) -> Table {
    let mut table = Table::new(&["BRAND", "NAME", "PLAN", "STATUS", "SUSPENDED", "REASON"]);
    for ListedBrand { brand, suspension, .. } in brands {
        let suspension = suspension.as_ref();
        table.add([
            brand.brand_id.to_string(),
            brand.name.clone(),
            brand.plan_id.to_string(),
            if suspension.is_some() { "suspended" } else { "active" }.to_owned(),
            optional(suspension.map(|suspension| time(suspension.at))),
            optional(suspension.and_then(|suspension| suspension.reason.clone())),
        ]);
    }
    table
}

async fn suspend(brand: &BrandId, reason: Option<String>, common: &Common) -> anyhow::Result<()> {
    let check = |reason: String| plain_text(&reason, 500).map_err(|error| anyhow!("--reason {error}"));
    let reason = reason.map(check).transpose()?;
    let listed = with_store(common, async |store| {
        find_brand(store, brand).await?;
        let suspension = Suspension { at: MachineClock::default().now(), by: actor(), reason };
        store.suspend_brand(brand, &suspension).await?;
        Ok(store.listed_brand(brand).await?)
    })
    .await?;
    let sentence = format!("{brand} is suspended. `svc-mcp admin brands resume {brand}` takes it back.");
    print_result(common.json, &json!(listed.map(crate::http::brand_view)), &sentence)
}

/// The language and the time zone, if they are given.
fn check_locale(
    language: Option<String>,
    time_zone: Option<String>,
) -> anyhow::Result<(Option<String>, Option<String>)> {
    if language.as_deref().is_some_and(|code| !is_language(code)) {
        bail!("--language {NOT_A_LANGUAGE}");
    }
    let canonical =
        |name: String| canonical_name(&name).ok_or_else(|| anyhow!("--time-zone {UNKNOWN_TIME_ZONE}"));
    Ok((language, time_zone.map(canonical).transpose()?))
}

async fn set_brand(
    brand: BrandId,
    name: &str,
    plan: PlanId,
    website: &str,
    (language, time_zone): (Option<String>, Option<String>),
    common: &Common,
) -> anyhow::Result<()> {
    let name = plain_text(name, 200).map_err(|error| anyhow!("--name {error}"))?;
    let website = website.trim().to_owned();
    parse_http_url(&website).map_err(|error| anyhow!("--website {error}"))?;
    let brand = with_store(common, async |store| {
        if store.plan(&plan).await?.is_none() {
            bail!("there is no plan {plan}; create it with `svc-mcp admin plans set {plan} …`");
        }
        let known = store.brand(&brand).await?.map(|(brand, _)| brand);
        let (competitors, old_language, old_time_zone) = known.map_or_else(
            || (Vec::new(), None, DEFAULT_TIME_ZONE.to_owned()),
            |brand| (brand.competitors, brand.language, brand.time_zone),
        );
        let brand = Brand {
            brand_id: brand.clone(),
            name,
            website,
            plan_id: plan.clone(),
            competitors,
            language: language.or(old_language),
            time_zone: time_zone.unwrap_or(old_time_zone),
        };
        store.put_brand(&brand).await?;
        Ok(brand)
    })
    .await?;
    let sentence = format!("Brand {} is set, on plan {}.", brand.brand_id, brand.plan_id);
    print_result(common.json, &json!(brand), &sentence)
}

//! The operator's commands. They write to the store directly; a running service sees the change within a second.

use std::fmt::Write as _;

use anyhow::{Context, anyhow, bail};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use svc_mcp_access::{
    Brand, BrandId, Clock, KeyId, Member, Plan, PlanId, Quota, Role, UserId, id, quota::MAX_QUOTA,
    validate::plain_text,
};
use svc_mcp_store::{
    EventKind, EventOutcome, KeyFilter, MemberRemoval, NewEvent, QueuedWork, Store, WorkCounts,
};
use svc_mcp_tools::{net::parse_http_url, report::EmailAddress};

use super::{
    print, print_result,
    rewrap::{rewrap_channels, rewrap_keys},
};
use crate::{
    clock::{MachineClock, machine_entropy},
    config::StoreArgs,
    service::{missing_database, open_shared, open_store, sealing_keys},
};

/// The actor in the activity.
const ACTOR: &str = "svc-mcp-admin";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Brands
    #[command(subcommand)]
    Brand(BrandCommand),
    /// Members of a brand
    #[command(subcommand)]
    Member(MemberCommand),
    /// Keys of a brand
    #[command(subcommand)]
    Keys(KeysCommand),
    /// The keys that seal what may be revealed
    #[command(subcommand)]
    RevealKeys(RevealKeysCommand),
}

/// Options of every admin command.
#[derive(Debug, clap::Args)]
struct Common {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Create the SQLite database if there is none yet
    #[arg(long)]
    init: bool,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, Subcommand)]
enum PlanCommand {
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
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Subcommand)]
enum BrandCommand {
    /// Create or change a brand
    Set {
        brand: BrandId,
        #[arg(long)]
        name: String,
        #[arg(long)]
        plan: PlanId,
        #[arg(long, value_name = "URL")]
        website: String,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Subcommand)]
enum MemberCommand {
    /// Make a user a member of a brand, or change their role
    Set {
        brand: BrandId,
        user: UserId,
        /// admin or member
        #[arg(long)]
        role: Role,
        #[arg(long)]
        name: Option<String>,
        #[arg(long)]
        email: Option<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Remove a user from a brand: their keys stop working
    Remove {
        brand: BrandId,
        user: UserId,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Subcommand)]
enum KeysCommand {
    /// List a brand's keys
    List {
        brand: BrandId,
        #[arg(long)]
        include_revoked: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Revoke a key
    Revoke {
        brand: BrandId,
        key: KeyId,
        /// Let the posts, mails, audits and analyses that the key has queued go on
        #[arg(long)]
        keep_queued: bool,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Subcommand)]
enum RevealKeysCommand {
    /// Seal everything again under the newest sealing key
    Rewrap {
        #[command(flatten)]
        common: Common,
    },
}

pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        AdminCommand::Plan(PlanCommand::Set { plan, name, mcp, quotas, common }) => {
            set_plan(plan, &name, matches!(mcp, Switch::On), quotas, &common).await
        }
        AdminCommand::Brand(BrandCommand::Set { brand, name, plan, website, common }) => {
            set_brand(brand, &name, plan, &website, &common).await
        }
        AdminCommand::Member(MemberCommand::Set { brand, user, role, name, email, common }) => {
            let name = name
                .map(|name| plain_text(&name, 200).map_err(|error| anyhow!("--name {error}")))
                .transpose()?;
            let email = email.map(|email| email.trim().to_owned());
            if let Some(email) = &email {
                email.parse::<EmailAddress>().map_err(|error| anyhow!("--email {error}"))?;
            }
            let member = Member { brand_id: brand, user_id: user, role, email, name };
            with_store(&common, async |store| {
                find_brand(store, &member.brand_id).await?;
                Ok(store.put_member(&member).await?)
            })
            .await?;
            let sentence = format!("{} is {} of {}.", member.user_id, member.role.as_str(), member.brand_id);
            print_result(common.json, &json!(member), &sentence)
        }
        AdminCommand::Member(MemberCommand::Remove { brand, user, common }) => {
            let removed = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                let removal = MemberRemoval {
                    actor: ACTOR.parse().expect("a plain id"),
                    at: MachineClock::default().now(),
                    event_prefix: id::fresh("evt", &mut machine_entropy()),
                };
                Ok(store.remove_member(&brand, &user, &removal).await?)
            })
            .await?;
            let sentence = if removed {
                format!("{user} is no longer a member of {brand}.")
            } else {
                format!("{user} was not a member of {brand}.")
            };
            print_result(common.json, &json!({"removed": removed}), &sentence)
        }
        AdminCommand::Keys(KeysCommand::List { brand, include_revoked, common }) => {
            list_keys(&brand, include_revoked, &common).await
        }
        AdminCommand::Keys(KeysCommand::Revoke { brand, key, keep_queued, common }) => {
            let queued = if keep_queued { QueuedWork::Keep } else { QueuedWork::Cancel };
            revoke_key(&brand, &key, queued, &common).await
        }
        AdminCommand::RevealKeys(RevealKeysCommand::Rewrap { common }) => rewrap(&common).await,
    }
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
        let mut quotas = store.plan(&plan_id).await?.map(|plan| plan.quotas).unwrap_or_default();
        for (quota, limit) in limits {
            quotas.set(quota, limit);
        }
        let plan = Plan { plan_id, name, mcp_enabled, quotas };
        store.put_plan(&plan).await?;
        Ok(plan)
    })
    .await?;
    let limits: Vec<String> =
        plan.quotas.overrides().map(|(quota, limit)| format!("\n{}: {limit}", quota.as_str())).collect();
    let mcp = if mcp_enabled { "on" } else { "off" };
    let sentence = format!("Plan {} is set, with MCP {mcp}.{}", plan.plan_id, limits.concat());
    print_result(common.json, &json!(plan), &sentence)
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

async fn set_brand(
    brand: BrandId,
    name: &str,
    plan: PlanId,
    website: &str,
    common: &Common,
) -> anyhow::Result<()> {
    let name = plain_text(name, 200).map_err(|error| anyhow!("--name {error}"))?;
    let website = website.trim().to_owned();
    parse_http_url(&website).map_err(|error| anyhow!("--website {error}"))?;
    let brand = with_store(common, async |store| {
        if store.plan(&plan).await?.is_none() {
            bail!("there is no plan {plan}; create it with `svc-mcp admin plan set {plan} …`");
        }
        let known = store.brand(&brand).await?;
        let competitors = known.map(|(brand, _)| brand.competitors).unwrap_or_default();
        let brand = Brand { brand_id: brand.clone(), name, website, plan_id: plan.clone(), competitors };
        store.put_brand(&brand).await?;
        Ok(brand)
    })
    .await?;
    let sentence = format!("Brand {} is set, on plan {}.", brand.brand_id, brand.plan_id);
    print_result(common.json, &json!(brand), &sentence)
}

async fn list_keys(brand: &BrandId, include_revoked: bool, common: &Common) -> anyhow::Result<()> {
    let now = MachineClock::default().now();
    let keys = with_store(common, async |store| {
        find_brand(store, brand).await?;
        let mut all = Vec::new();
        let mut filter = KeyFilter { include_revoked, after: None, limit: 100 };
        loop {
            let (keys, next) = store.keys(brand, &filter).await?;
            all.extend(keys);
            filter.after = next;
            if filter.after.is_none() {
                return Ok(all);
            }
        }
    })
    .await?;
    if common.json {
        let keys: Vec<_> = keys.into_iter().map(|key| crate::http::key_view(key, now)).collect();
        return print(&json!({"keys": keys}).to_string());
    }
    if keys.is_empty() {
        return print(&format!("{brand} has no keys."));
    }
    for key in keys {
        let used = key.last_used_at.map_or_else(|| "never used".to_owned(), |at| format!("last used {at}"));
        let status = json!(key.status(now));
        let status = status.as_str().unwrap_or_default();
        print(&format!(
            "{}  {}…  {:5}  {status:7}  {used}  {}",
            key.key_id,
            key.prefix,
            key.scope.as_str(),
            key.label
        ))?;
    }
    Ok(())
}

async fn revoke_key(brand: &BrandId, key: &KeyId, queued: QueuedWork, common: &Common) -> anyhow::Result<()> {
    let stopped = with_store(common, async |store| {
        let found = store.key(brand, key).await?.with_context(|| {
            format!("{brand} has no key {key}; `svc-mcp admin keys list {brand}` shows its keys")
        })?;
        let event = NewEvent {
            event_id: id::fresh("evt", &mut machine_entropy()),
            at: MachineClock::default().now(),
            kind: EventKind::Revoked,
            key_id: found.key_id,
            actor: ACTOR.parse().expect("a plain id"),
            tool: None,
            outcome: EventOutcome::Ok,
            reason: (queued == QueuedWork::Keep).then_some("queued_work_kept"),
            latency_us: None,
        };
        Ok(store.revoke_key(brand, key, queued, &event).await?)
    })
    .await?;
    let counts = |counts: WorkCounts| {
        let WorkCounts { posts, mails, jobs, approvals } = counts;
        let mut text = format!("{posts} posts, {mails} mails, {jobs} audits and analyses");
        if approvals > 0 {
            let _ = write!(text, ", {approvals} calls that waited for approval");
        }
        text
    };
    let mut sentence = format!("{key} is revoked.");
    if stopped.cancelled != WorkCounts::default() {
        let _ = write!(sentence, " Cancelled: {}.", counts(stopped.cancelled));
    }
    if stopped.already_sending != WorkCounts::default() {
        let _ = write!(sentence, " Already being sent: {}.", counts(stopped.already_sending));
    }
    let mut result = json!(crate::http::revoked_view(stopped));
    result["revoked"] = json!(key);
    print_result(common.json, &result, &sentence)
}

async fn rewrap(common: &Common) -> anyhow::Result<()> {
    check_database(common)?;
    let mut entropy = machine_entropy();
    let keys = sealing_keys(&common.store, &entropy)?
        .context("revealing is off: set SVC_REVEAL_KEYS to the new sealing key, followed by the old ones")?;
    let (keys_done, channels_done) = with_store(common, async |store| {
        let keys_done = rewrap_keys(store, &keys, &mut entropy).await?;
        let channels_done = rewrap_channels(store, &keys, &mut entropy).await?;
        Ok((keys_done, channels_done))
    })
    .await?;
    let newest = keys.newest();
    let sentence = format!(
        "{} keys and {} channels are now sealed with {newest}.",
        keys_done.resealed, channels_done.resealed
    );
    let result = json!({
        "resealed": keys_done.resealed,
        "unopened": keys_done.unopened,
        "channels_resealed": channels_done.resealed,
        "channels_unopened": channels_done.unopened,
        "sealing_key": newest,
    });
    print_result(common.json, &result, &sentence)?;
    if keys_done.unopened + channels_done.unopened > 0 {
        bail!(
            "{} keys and {} channels cannot be opened with the configured sealing keys and were not changed; \
             add the missing sealing keys to SVC_REVEAL_KEYS",
            keys_done.unopened,
            channels_done.unopened
        );
    }
    Ok(())
}

async fn with_store<T>(
    common: &Common,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    check_database(common)?;
    let shared = open_shared(&common.store, &machine_entropy())?;
    let store = open_store(&common.store, shared).await?;
    let result = work(&store).await;
    store.close().await;
    result
}

/// In a wrong directory nothing is created, unless the operator asks for it.
fn check_database(common: &Common) -> anyhow::Result<()> {
    if common.init {
        return Ok(());
    }
    match missing_database(&common.store)? {
        None => Ok(()),
        Some(file) => bail!(
            "there is no database {}: set SVC_DATA_DIR (or SVC_DATABASE_URL) as for the service, or create a new \
             database with --init",
            file.display()
        ),
    }
}

async fn find_brand(store: &Store, brand: &BrandId) -> anyhow::Result<()> {
    let found = store.brand(brand).await?;
    found.map(|_| ()).with_context(|| {
        format!("there is no brand {brand}; create it with `svc-mcp admin brand set {brand} …`")
    })
}

//! What an operator does from a shell, straight on the store. A running service notices within a second.

use clap::{Subcommand, ValueEnum};
use serde_json::json;
use svc_mcp_access::{
    Brand, BrandId, Clock, KeyId, Member, Plan, PlanId, Role, UserId, id,
    validate::{email_address, plain_text, web_address},
};
use svc_mcp_store::{EventKind, EventOutcome, KeyFilter, NewEvent, Store};

use super::{
    answer, print,
    rewrap::{rewrap_channels, rewrap_keys},
};
use crate::{
    clock::{MachineClock, machine_entropy},
    config::StoreArgs,
    service::{open_shared, open_store, sealing_keys},
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
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

/// What every one of these commands takes.
#[derive(Debug, clap::Args)]
struct Common {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
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

pub(super) async fn run(args: Args) -> Result<(), String> {
    match args.what {
        What::Plan(PlanCommand::Set { plan, name, mcp, common }) => {
            let name = named("name", plain_text(&name, 100))?;
            let plan = Plan { plan_id: plan, name, mcp_enabled: matches!(mcp, Switch::On) };
            with_store(&common, async |store| store.put_plan(&plan).await.map_err(told)).await?;
            let words = format!(
                "Plan {} is set, with MCP {}.",
                plan.plan_id,
                if plan.mcp_enabled { "on" } else { "off" }
            );
            answer(common.json, &json!(plan), &words)
        }
        What::Brand(BrandCommand::Set { brand, name, plan, website, common }) => {
            set_brand(brand, &name, plan, &website, &common).await
        }
        What::Member(MemberCommand::Set { brand, user, role, name, email, common }) => {
            let name = name.map(|name| named("name", plain_text(&name, 200))).transpose()?;
            let email = email.map(|email| named("email", email_address(&email))).transpose()?;
            let member = Member { brand_id: brand, user_id: user, role, email, name };
            with_store(&common, async |store| {
                find_brand(store, &member.brand_id).await?;
                store.put_member(&member).await.map_err(told)
            })
            .await?;
            let words = format!("{} is {} of {}.", member.user_id, member.role.as_str(), member.brand_id);
            answer(common.json, &json!(member), &words)
        }
        What::Member(MemberCommand::Remove { brand, user, common }) => {
            let removed = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                store.remove_member(&brand, &user).await.map_err(told)
            })
            .await?;
            let words = if removed { "is no longer" } else { "was not" };
            answer(common.json, &json!({"removed": removed}), &format!("{user} {words} a member of {brand}."))
        }
        What::Keys(KeysCommand::List { brand, include_revoked, common }) => {
            list_keys(&brand, include_revoked, &common).await
        }
        What::Keys(KeysCommand::Revoke { brand, key, common }) => revoke_key(&brand, &key, &common).await,
        What::RevealKeys(RevealKeysCommand::Rewrap { common }) => rewrap(&common).await,
    }
}

async fn set_brand(
    brand: BrandId,
    name: &str,
    plan: PlanId,
    website: &str,
    common: &Common,
) -> Result<(), String> {
    let name = named("name", plain_text(name, 200))?;
    let website = named("website", web_address(website))?;
    let brand = with_store(common, async |store| {
        if store.plan(&plan).await.map_err(told)?.is_none() {
            return Err(format!("there is no plan {plan}; create it with `svc-mcp admin plan set {plan} …`"));
        }
        let known = store.brand(&brand).await.map_err(told)?;
        let competitors = known.map(|(brand, _)| brand.competitors).unwrap_or_default();
        let brand = Brand { brand_id: brand.clone(), name, website, plan_id: plan.clone(), competitors };
        store.put_brand(&brand).await.map_err(told)?;
        Ok(brand)
    })
    .await?;
    let words = format!("Brand {} is set, on plan {}.", brand.brand_id, brand.plan_id);
    answer(common.json, &json!(brand), &words)
}

async fn list_keys(brand: &BrandId, include_revoked: bool, common: &Common) -> Result<(), String> {
    let now = MachineClock::default().now();
    let keys = with_store(common, async |store| {
        find_brand(store, brand).await?;
        let mut all = Vec::new();
        let mut filter = KeyFilter { include_revoked, after: None, limit: 100 };
        loop {
            let (keys, next) = store.keys(brand, &filter).await.map_err(told)?;
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

async fn revoke_key(brand: &BrandId, key: &KeyId, common: &Common) -> Result<(), String> {
    with_store(common, async |store| {
        let found = store.key(brand, key).await.map_err(told)?;
        let found = found.ok_or_else(|| {
            format!("{brand} has no key {key}; `svc-mcp admin keys list {brand}` shows them")
        })?;
        let event = NewEvent {
            event_id: id::fresh("evt", &mut machine_entropy()),
            at: MachineClock::default().now(),
            kind: EventKind::Revoked,
            key_id: found.key_id,
            actor: "svc-mcp-admin".parse().expect("a plain id"),
            tool: None,
            outcome: EventOutcome::Ok,
            reason: None,
            latency_us: None,
        };
        store.revoke_key(brand, key, &event).await.map_err(told)
    })
    .await?;
    answer(common.json, &json!({"revoked": key}), &format!("{key} is revoked."))
}

async fn rewrap(common: &Common) -> Result<(), String> {
    let mut entropy = machine_entropy();
    let keys = sealing_keys(&common.store, &entropy)?
        .ok_or("revealing is off: set SVC_REVEAL_KEYS to the new sealing key followed by the old ones")?;
    let (of_keys, of_channels) = with_store(common, async |store| {
        let of_keys = rewrap_keys(store, &keys, &mut entropy).await.map_err(told)?;
        let of_channels = rewrap_channels(store, &keys, &mut entropy).await.map_err(told)?;
        Ok((of_keys, of_channels))
    })
    .await?;
    let newest = keys.newest();
    let words = format!(
        "{} keys and {} channels are now sealed with {newest}.",
        of_keys.resealed, of_channels.resealed
    );
    let told = json!({
        "resealed": of_keys.resealed,
        "unopened": of_keys.stuck,
        "channels_resealed": of_channels.resealed,
        "channels_unopened": of_channels.stuck,
        "sealing_key": newest,
    });
    answer(common.json, &told, &words)?;
    if of_keys.stuck + of_channels.stuck > 0 {
        return Err(format!(
            "{} keys and {} channels do not open with the configured sealing keys and stay as they are; add the missing ones to SVC_REVEAL_KEYS",
            of_keys.stuck, of_channels.stuck
        ));
    }
    Ok(())
}

async fn with_store<T>(
    common: &Common,
    work: impl AsyncFnOnce(&Store) -> Result<T, String>,
) -> Result<T, String> {
    let shared = open_shared(&common.store, &machine_entropy())?;
    let store = open_store(&common.store, shared).await?;
    let done = work(&store).await;
    store.close().await;
    done
}

async fn find_brand(store: &Store, brand: &BrandId) -> Result<(), String> {
    let found = store.brand(brand).await.map_err(told)?;
    found.map(|_| ()).ok_or_else(|| {
        format!("there is no brand {brand}; create it with `svc-mcp admin brand set {brand} …`")
    })
}

fn told(_: svc_mcp_access::decision::Unavailable) -> String {
    "the store does not answer".into()
}

fn named<T>(flag: &str, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|error| format!("--{flag} {error}"))
}

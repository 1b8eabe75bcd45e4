//! `svc-mcp admin keys`

use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{
    BrandId, Clock, KeyId, Secret, UserId, id,
    key::{Key, KeyToken, SHOWN_LENGTH},
};
use svc_mcp_store::{EventKind, EventOutcome, KeySearch, KeySearchStatus, NewEvent, QueuedWork};

use super::{
    Common, actor, find_brand,
    list::{ListArgs, collect, print_list},
    print, print_result,
    stopped::stopped_sentence,
    table::{Table, time},
    with_store,
};
use crate::{
    clock::{MachineClock, machine_entropy},
    http::NOT_A_KEY,
};

/// More than a key has, so that a file that is no key is noticed.
const MAX_INPUT_BYTES: u64 = 1_024;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List and search the keys of one brand, or of all
    List {
        /// Without it, the keys of all brands
        brand: Option<BrandId>,
        /// The first characters of the secret, as far as lists show them
        #[arg(long)]
        prefix: Option<String>,
        /// Only keys that this user created
        #[arg(long)]
        user: Option<UserId>,
        /// `active`, `paused`, `expired` or `revoked`
        #[arg(long, value_parser = parse_status)]
        status: Option<KeySearchStatus>,
        #[arg(long)]
        include_revoked: bool,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Find the key that has this secret, which is read from standard input
    Find {
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

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { brand, prefix, user, status, include_revoked, list } => {
            prefix.as_deref().map_or(Ok(()), check_prefix)?;
            let without_revoked = !include_revoked && status.is_none();
            let search = KeySearch { prefix, user, brand, status, without_revoked, ..KeySearch::default() };
            list_keys(search, &list).await
        }
        Command::Find { common } => find_key(&common).await,
        Command::Revoke { brand, key, keep_queued, common } => {
            let queued = if keep_queued { QueuedWork::Keep } else { QueuedWork::Cancel };
            revoke_key(&brand, &key, queued, &common).await
        }
    }
}

/// The message does not repeat the text, as that of an argument parser would: it may be a whole secret.
fn check_prefix(prefix: &str) -> anyhow::Result<()> {
    if prefix.is_empty() || prefix.len() > SHOWN_LENGTH {
        bail!(
            "--prefix must be 1 to {SHOWN_LENGTH} characters; for a whole secret use `svc-mcp admin keys find`"
        );
    }
    Ok(())
}

fn parse_status(text: &str) -> anyhow::Result<KeySearchStatus> {
    text.parse().map_err(|()| anyhow!("must be {}", KeySearchStatus::NAMES.join(", ")))
}

async fn list_keys(search: KeySearch, list: &ListArgs) -> anyhow::Result<()> {
    let now = MachineClock::default().now();
    let found = with_store(&list.common, async |store| {
        if let Some(brand) = &search.brand {
            find_brand(store, brand).await?;
        }
        collect(list.limit, async |after, limit| {
            store.search_keys(&KeySearch { after, limit, ..search.clone() }, now).await
        })
        .await
    })
    .await?;
    if let Some(brand) = search.brand.as_ref().filter(|_| found.items.is_empty() && !list.common.json) {
        return print(&format!("{brand} has no keys."));
    }
    print_list(
        list,
        "keys",
        &found,
        |key| json!(crate::http::key_view(key.clone(), now)),
        |keys| {
            let mut table =
                Table::new(&["KEY", "BRAND", "USER", "PREFIX", "SCOPE", "STATUS", "LAST USED", "LABEL"]);
            for key in keys {
                let used = key.last_used_at.map_or_else(|| "never used".to_owned(), time);
                table.add([
                    key.key_id.to_string(),
                    key.brand_id.to_string(),
                    key.created_by.to_string(),
                    format!("{}…", key.prefix),
                    key.scope.as_str().to_owned(),
                    status_of(key, now),
                    used,
                    key.label.clone(),
                ]);
            }
            table
        },
    )
}

fn status_of(key: &Key, now: svc_mcp_access::Timestamp) -> String {
    let status = json!(key.status(now));
    let is_paused = key.pause.is_some() && status == "active";
    if is_paused { "paused" } else { status.as_str().unwrap_or_default() }.to_owned()
}

async fn find_key(common: &Common) -> anyhow::Result<()> {
    let secret = read_secret()?;
    let digest = KeyToken::digest_of(secret.expose().trim().as_bytes())
        .map_err(|_| anyhow!("what was read {NOT_A_KEY}"))?;
    drop(secret);
    let found = with_store(common, async |store| Ok(store.find_key_by_digest(&digest).await?)).await?;
    let key = found
        .context("there is no key with this secret; it may have been deleted 400 days after its revoke")?;
    let now = MachineClock::default().now();
    let sentence = format!(
        "{} is a key of {}, created by {}: {}. `svc-mcp admin keys revoke {} {}` revokes it.",
        key.key_id,
        key.brand_id,
        key.created_by,
        status_of(&key, now),
        key.brand_id,
        key.key_id
    );
    print_result(common.json, &json!(crate::http::key_view(key, now)), &sentence)
}

/// Never from the arguments: other processes and the history of the shell see those.
fn read_secret() -> anyhow::Result<Secret> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        write!(io::stderr(), "Paste the key and press Enter: ")?;
    }
    let mut line = String::new();
    stdin
        .lock()
        .take(MAX_INPUT_BYTES)
        .read_line(&mut line)
        .context("cannot read the key from standard input")?;
    Ok(Secret::new(line))
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
            actor: actor(),
            tool: None,
            outcome: EventOutcome::Ok,
            reason: (queued == QueuedWork::Keep).then_some("queued_work_kept"),
            latency_us: None,
        };
        Ok(store.revoke_key(brand, key, queued, &event).await?)
    })
    .await?;
    let sentence = format!("{key} is revoked.{}", stopped_sentence(stopped));
    let mut result = json!(crate::http::revoked_view(stopped));
    result["revoked"] = json!(key);
    print_result(common.json, &result, &sentence)
}

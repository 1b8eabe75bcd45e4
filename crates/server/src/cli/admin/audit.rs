//! `svc-mcp admin audit`

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Timestamp, UserId};
use svc_mcp_store::{AuditAction, AuditHead, AuditRecord, AuditSearch};

use super::{
    Common,
    list::{ListArgs, collect, print_list},
    ndjson::Lines,
    print_result,
    table::{Table, optional, time},
    with_store,
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the changes by people and commands, oldest first
    List {
        /// Only records of this time or later, such as 2026-11-15T00:00:00Z
        #[arg(long, value_name = "TIME")]
        since: Option<Timestamp>,
        /// Only records before this time
        #[arg(long, value_name = "TIME")]
        until: Option<Timestamp>,
        #[arg(long)]
        brand: Option<BrandId>,
        /// Only changes by this user; `svc-mcp-admin` is the command line
        #[arg(long, value_name = "USER")]
        actor: Option<UserId>,
        /// Only this action, such as `key.revoke`
        #[arg(long, value_parser = parse_action)]
        action: Option<AuditAction>,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Write all records with their hashes to standard output, one JSON object in each line
    Export {
        /// From the first record of this time on
        #[arg(long, value_name = "TIME")]
        since: Option<Timestamp>,
        #[command(flatten)]
        common: Common,
    },
    /// Check that no record was changed, removed or added
    Verify {
        /// The hash of a record that you know, such as the last one of an earlier check. It must still be there
        #[arg(long, value_name = "HASH", value_parser = parse_hash, conflicts_with = "export")]
        head: Option<String>,
        /// A file that `export` has written. Its last record must still be there
        #[arg(long, value_name = "FILE")]
        export: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
}

fn parse_action(text: &str) -> anyhow::Result<AuditAction> {
    text.parse().map_err(|()| anyhow!("must be {}", AuditAction::NAMES.join(", ")))
}

fn parse_hash(text: &str) -> anyhow::Result<String> {
    let text = text.to_ascii_lowercase();
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!("must be 64 hexadecimal digits");
    }
    Ok(text)
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { since, until, brand, actor, action, list } => {
            let search = AuditSearch { since, until, brand, actor, action, ..AuditSearch::default() };
            list_records(search, &list).await
        }
        Command::Export { since, common } => export(since, &common).await,
        Command::Verify { head, export, common } => {
            let known = match (head, export) {
                (Some(hash), _) => Some(AuditHead { sequence: None, hash }),
                (None, Some(file)) => Some(last_of(&file)?),
                (None, None) => None,
            };
            verify(known.as_ref(), &common).await
        }
    }
}

async fn list_records(search: AuditSearch, list: &ListArgs) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| {
            store.search_audit_log(&AuditSearch { after, limit, ..search.clone() }).await
        })
        .await
    })
    .await?;
    print_list(
        list,
        "records",
        &found,
        |record| json!(crate::http::audit_record_view(record.clone())),
        |records| {
            let mut table =
                Table::new(&["NUMBER", "TIME", "ACTOR", "ROLE", "ADDRESS", "ACTION", "BRAND", "TARGET"]);
            for record in records {
                table.add([
                    record.sequence.to_string(),
                    time(record.at),
                    record.actor.clone(),
                    record.role.clone(),
                    optional(record.address.clone()),
                    record.action.clone(),
                    optional(record.brand_id.clone()),
                    record.target.id.clone(),
                ]);
            }
            table
        },
    )
}

async fn export(since: Option<Timestamp>, common: &Common) -> anyhow::Result<()> {
    with_store(common, async |store| {
        let mut last = match since {
            None => 0,
            Some(since) => match store.first_audit_record(since).await? {
                Some(first) => first - 1,
                None => return Ok(()),
            },
        };
        let mut lines = Lines::default();
        loop {
            let page = store.audit_page(last).await?;
            let Some(end) = page.last() else { return lines.finish() };
            last = end.sequence;
            for record in page {
                if !lines.write(&crate::http::audit_record_view(record))? {
                    return Ok(());
                }
            }
        }
    })
    .await
}

/// The last record of an export.
fn last_of(file: &Path) -> anyhow::Result<AuditHead> {
    let name = file.display();
    let mut last = None;
    for line in BufReader::new(File::open(file).with_context(|| format!("cannot open {name}"))?).lines() {
        last = Some(line.with_context(|| format!("cannot read {name}"))?)
            .filter(|line| !line.is_empty())
            .or(last);
    }
    let last = last.with_context(|| format!("{name} has no records"))?;
    let record: AuditRecord = serde_json::from_str(&last)
        .with_context(|| format!("the last line of {name} is not a record of the audit log"))?;
    if record.compute_hash() != record.hash {
        bail!("the last record of {name} was changed: its hash is not that of its fields");
    }
    Ok(AuditHead { sequence: Some(record.sequence), hash: record.hash })
}

async fn verify(known: Option<&AuditHead>, common: &Common) -> anyhow::Result<()> {
    let verified = with_store(common, async |store| Ok(store.verify_audit_log(known).await)).await?;
    match verified {
        Ok(verified) => {
            let sentence = format!(
                "The audit log is complete: {} records. The last hash is {}.",
                verified.records, verified.hash
            );
            let result = json!({"valid": true, "records": verified.records, "hash": verified.hash});
            print_result(common.json, &result, &sentence)
        }
        Err(svc_mcp_store::AuditFault::Store(error)) => Err(error.into()),
        Err(fault) => {
            if common.json {
                let result = json!({"valid": false, "record": fault.sequence(), "reason": fault.to_string()});
                print_result(true, &result, "")?;
            }
            Err(anyhow!("the audit log is broken: {fault}"))
        }
    }
}

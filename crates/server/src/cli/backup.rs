//! `svc-mcp backup`

use std::{fmt::Write as _, fs, io, path::PathBuf};

use anyhow::Context;
use serde_json::json;
use svc_mcp_access::{Clock, Secret};
use svc_mcp_store::{NamedSecret, NewBackup, SECRET_FILES, create_backup};

use super::{print_result, sqlite_file};
use crate::{clock::MachineClock, config::StoreArgs};

/// The service may run meanwhile.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A new or empty directory for this backup, in a directory that exists
    dir: PathBuf,
    /// Include the generated secrets (reveal.keys, jwt.secret), in a file of their own
    #[arg(long)]
    with_secrets: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let database = sqlite_file(&args.store, "back PostgreSQL up with pg_dump")?;
    let generated = generated_secrets(&args.store)?;
    let names: Vec<String> = generated.iter().map(|secret| secret.name.clone()).collect();
    let new = NewBackup {
        database,
        target: args.dir.clone(),
        secrets: if args.with_secrets { generated } else { Vec::new() },
        at: MachineClock::default().now(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let manifest = create_backup(new).await?;
    let left_out: &[String] = if args.with_secrets { &[] } else { &names };
    let value = json!({
        "backup": args.dir,
        "created_at": manifest.created_at,
        "schema": manifest.schema,
        "rows": manifest.rows(),
        "bytes": manifest.bytes(),
        "secrets": manifest.secrets,
        "secrets_left_out": left_out,
    });
    let mut sentence = format!(
        "The backup {} is complete and checked: {} rows, {} bytes.",
        args.dir.display(),
        manifest.rows(),
        manifest.bytes()
    );
    if !left_out.is_empty() {
        let _ = write!(
            sentence,
            "\nIt does not have the generated secrets ({}). Without them, a restored service takes its MCP keys, but it cannot \
             reveal keys, use the stored secrets of channels and event endpoints, or take application tokens that were signed \
             with jwt.secret. Keep these files of {} in another place, or use --with-secrets.",
            left_out.join(", "),
            args.store.data_dir.display()
        );
    }
    print_result(args.json, &value, &sentence)
}

fn generated_secrets(store: &StoreArgs) -> anyhow::Result<Vec<NamedSecret>> {
    let mut secrets = Vec::new();
    for name in SECRET_FILES {
        let path = store.data_dir.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => secrets.push(NamedSecret { name: name.to_owned(), value: Secret::new(text) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }
    Ok(secrets)
}

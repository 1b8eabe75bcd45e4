//! `svc-mcp restore`

use std::{fmt::Write as _, path::PathBuf};

use serde_json::json;
use svc_mcp_access::Clock;
use svc_mcp_store::{NewRestore, SECRET_FILES, restore_backup};

use super::{admin::command_line, print_result, sqlite_file};
use crate::{clock::MachineClock, config::StoreArgs};

/// Stop the service first, and run this as its user.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of the backup
    dir: PathBuf,
    /// Replace the database and the generated secrets that are there
    #[arg(long)]
    replace: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let database = sqlite_file(&args.store, "restore PostgreSQL with pg_restore")?;
    let new = NewRestore {
        backup: args.dir.clone(),
        database: database.clone(),
        data_dir: args.store.data_dir.clone(),
        replace: args.replace,
        by: command_line(),
        at: MachineClock::default().now(),
    };
    let restored = restore_backup(new).await?;
    let manifest = restored.manifest;
    let value = json!({
        "database": database,
        "backup_at": manifest.created_at,
        "rows": manifest.rows(),
        "secrets": restored.secrets,
        "jobs_held": true,
    });
    let mut sentence = format!(
        "{} is restored from the backup of {}: {} rows.\n\
         All jobs are held, because what went out after the backup would go out again. Look at them with `svc-mcp admin jobs \
         list --status waiting`, then let them run with `svc-mcp admin jobs resume`.",
        database.display(),
        manifest.created_at,
        manifest.rows()
    );
    if restored.secrets.len() < SECRET_FILES.len() {
        let _ = write!(
            sentence,
            "\nNot in the backup: {}. Put your copies into {} before you start the service, or set SVC_REVEAL_KEYS and \
             SVC_JWT_SECRET as before.",
            missing(&restored.secrets).join(", "),
            args.store.data_dir.display()
        );
    }
    print_result(args.json, &value, &sentence)
}

fn missing(restored: &[String]) -> Vec<&'static str> {
    SECRET_FILES.into_iter().filter(|name| !restored.iter().any(|restored| restored == name)).collect()
}

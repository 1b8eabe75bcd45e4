//! The operator's commands, one file for each noun. They work on the store directly; a running service sees a change within
//! a second.

mod activity;
mod approvals;
mod audit;
mod brand_data;
mod brands;
mod events;
mod jobs;
mod keys;
mod list;
mod members;
mod ndjson;
mod plans;
mod posts;
mod reveal_keys;
mod rewrap;
mod stopped;
mod table;
mod users;

use anyhow::{Context, bail};
use clap::Subcommand;
use svc_mcp_access::{BrandId, Clock, UserId, id};
use svc_mcp_store::{ActorRole, ChangedBy, Store};

use super::{print, print_result};
use crate::{
    clock::{MachineClock, machine_entropy},
    config::StoreArgs,
    service::{missing_database, open_shared, open_store},
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Plans
    #[command(subcommand, alias = "plan")]
    Plans(plans::Command),
    /// Brands
    #[command(subcommand, alias = "brand")]
    Brands(brands::Command),
    /// Members of a brand
    #[command(subcommand, alias = "member")]
    Members(members::Command),
    /// The users who are members of a brand
    #[command(subcommand)]
    Users(users::Command),
    /// Keys of all brands
    #[command(subcommand)]
    Keys(keys::Command),
    /// Background work of all brands
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Events that were sent to endpoints
    #[command(subcommand)]
    Events(events::Command),
    /// Posts of a brand
    #[command(subcommand)]
    Posts(posts::Command),
    /// Calls that wait for approval
    #[command(subcommand)]
    Approvals(approvals::Command),
    /// The audit log: who has changed what
    #[command(subcommand)]
    Audit(audit::Command),
    /// The activity of all brands
    #[command(subcommand)]
    Activity(activity::Command),
    /// The keys that seal what may be revealed
    #[command(subcommand)]
    RevealKeys(reveal_keys::Command),
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

pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        AdminCommand::Plans(command) => plans::run(command).await,
        AdminCommand::Brands(command) => brands::run(command).await,
        AdminCommand::Members(command) => members::run(command).await,
        AdminCommand::Users(command) => users::run(command).await,
        AdminCommand::Keys(command) => keys::run(command).await,
        AdminCommand::Jobs(command) => jobs::run(command).await,
        AdminCommand::Events(command) => events::run(command).await,
        AdminCommand::Posts(command) => posts::run(command).await,
        AdminCommand::Approvals(command) => approvals::run(command).await,
        AdminCommand::Audit(command) => audit::run(command).await,
        AdminCommand::Activity(command) => activity::run(command).await,
        AdminCommand::RevealKeys(command) => reveal_keys::run(command).await,
    }
}

/// The actor in the activity.
fn actor() -> UserId {
    "svc-mcp-admin".parse().expect("a plain id")
}

/// Who makes the changes of a command, in the audit log.
pub(super) fn command_line() -> ChangedBy {
    ChangedBy {
        actor: actor(),
        role: ActorRole::CommandLine,
        at: MachineClock::default().now(),
        change_id: id::fresh("chg", &mut machine_entropy()),
        address: None,
        request_id: None,
    }
}

async fn with_store<T>(
    common: &Common,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    check_database(common)?;
    let shared = open_shared(&common.store, &machine_entropy())?;
    let store = open_store(&common.store, shared).await?;
    let result = work(&store.by(command_line())).await;
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
        format!("there is no brand {brand}; create it with `svc-mcp admin brands set {brand} …`")
    })
}

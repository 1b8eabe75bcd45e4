//! The command line. A new user starts with `demo`.

mod admin;
mod backup;
mod completions;
mod demo;
mod man;
mod reload;
mod restore;
mod serve;
mod token;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use serde_json::Value;
use svc_mcp_store::Location;

use crate::{
    allocator,
    clock::machine_entropy,
    config::{
        ServeArgs, StoreArgs,
        sources::{self, Settings, SourceArgs},
    },
    core_dumps,
    error_chain::error_chain,
    http::router,
    service::{location, open_shared, open_store},
};

/// Keys that let AI agents act for one brand, and the tools those keys open.
#[derive(Debug, Parser)]
#[command(name = "svc-mcp", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    sources: SourceArgs,

    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// The settings of a service that serves.
    fn into_serve_args(self) -> Option<ServeArgs> {
        match self.command {
            Command::Serve(args) => Some(args.into_serve_args()),
            Command::Demo(args) => Some(args.into_serve_args()),
            _ => None,
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a ready-made brand with sample content, and print how to use it
    Demo(demo::Args),
    /// Serve
    Serve(serve::Args),
    /// Bring the database's tables up to date, and exit
    Migrate(MigrateArgs),
    /// Back the SQLite database up, while the service may run
    Backup(backup::Args),
    /// Restore a backup of the SQLite database, while the service is stopped
    Restore(restore::Args),
    /// Print the API document (OpenAPI 3.1)
    Openapi(OpenapiArgs),
    /// Print an application token (JWT) for a user
    Token(token::Args),
    /// What an operator does: plans, brands, members, users, keys, jobs, posts, approvals and the audit log
    Admin(admin::Args),
    /// Print a script that completes commands and flags in a shell
    Completions(completions::Args),
    /// Write manual pages for all commands
    Man(man::Args),
}

#[derive(Debug, clap::Args)]
struct MigrateArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct OpenapiArgs {
    /// Accepted for consistency: the document is always JSON
    #[arg(long)]
    json: bool,
}

pub fn run() -> ExitCode {
    let (cli, settings) = sources::parse::<Cli>().unwrap_or_else(|error| error.exit());
    if matches!(cli.command, Command::Demo(_) | Command::Serve(_))
        && let Err(error) = allocator::give_memory_back_soon()
    {
        let _ = writeln!(io::stderr(), "warning: freed memory is given back late: {error}");
    }
    if let Err(error) = core_dumps::disable() {
        let _ = writeln!(io::stderr(), "warning: core dumps stay on: {error}");
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&anyhow::Error::new(error).context("cannot start")),
    };
    match runtime.block_on(dispatch(cli.command, settings)) {
        Ok(code) => code,
        Err(error) => failed(&error),
    }
}

async fn dispatch(command: Command, settings: Settings) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(args) => Box::pin(demo::run(args, settings)).await,
        Command::Serve(args) => return Box::pin(serve::run(args, settings)).await,
        Command::Migrate(args) => migrate(&args).await,
        Command::Backup(args) => Box::pin(backup::run(args)).await,
        Command::Restore(args) => Box::pin(restore::run(args)).await,
        Command::Openapi(_) => print(&format!("{:#}", router::document())),
        Command::Token(args) => token::run(&args),
        Command::Admin(args) => Box::pin(admin::run(args)).await,
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}

async fn migrate(args: &MigrateArgs) -> anyhow::Result<()> {
    let shared = open_shared(&args.store, &machine_entropy())?;
    let store = open_store(&args.store, shared).await?;
    store.close().await;
    print_result(args.json, &serde_json::json!({"migrated": true}), "The database's tables are up to date.")
}

/// The database of a command for SQLite only. With PostgreSQL, the error says what to do `instead`.
fn sqlite_file(args: &StoreArgs, instead: &str) -> anyhow::Result<PathBuf> {
    match location(args)? {
        Location::Sqlite { file } => Ok(file),
        Location::Postgres { .. } => bail!("this is for SQLite: {instead}, as docs/operations.md says"),
    }
}

/// Prints the error and its causes in one line.
fn failed(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {}", error_chain(error.as_ref()));
    ExitCode::FAILURE
}

/// Writes to standard output. A closed pipe is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints a result as JSON for programs, or as a sentence for people.
fn print_result(json: bool, value: &Value, sentence: &str) -> anyhow::Result<()> {
    if json { print(&value.to_string()) } else { print(sentence) }
}

//! The command line. `demo` is what a new user types first.

mod admin;
mod demo;
mod rewrap;
mod serve;
mod token;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use serde_json::Value;

use crate::{
    clock::machine_entropy,
    config::StoreArgs,
    http::router,
    service::{open_shared, open_store},
};

/// Keys that let AI agents act for one brand, and the tools those keys open.
#[derive(Debug, Parser)]
#[command(name = "svc-mcp", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a ready-made brand with sample content, and print how to use it
    Demo(demo::Args),
    /// Serve
    Serve(serve::Args),
    /// Bring the database's tables up to date, and exit
    Migrate(MigrateArgs),
    /// Print the API document (OpenAPI 3.1)
    Openapi(OpenapiArgs),
    /// Print an application token (JWT) for a user
    Token(token::Args),
    /// Manage plans, brands, members and keys
    Admin(admin::Args),
}

#[derive(Debug, clap::Args)]
struct MigrateArgs {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct OpenapiArgs {
    /// The document is JSON anyway
    #[arg(long)]
    json: bool,
}

pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("cannot start: {error}")),
    };
    match runtime.block_on(dispatch(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

async fn dispatch(command: Command) -> Result<(), String> {
    match command {
        Command::Demo(args) => demo::run(args).await,
        Command::Serve(args) => serve::run(args).await,
        Command::Migrate(args) => migrate(&args).await,
        Command::Openapi(_) => {
            print(&router::document().to_pretty_json().map_err(|error| error.to_string())?)
        }
        Command::Token(args) => token::run(&args),
        Command::Admin(args) => admin::run(args).await,
    }
}

async fn migrate(args: &MigrateArgs) -> Result<(), String> {
    let shared = open_shared(&args.store, &machine_entropy())?;
    let store = open_store(&args.store, shared).await?;
    store.close().await;
    answer(args.json, &serde_json::json!({"migrated": true}), "The database's tables are up to date.")
}

fn failed(error: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::FAILURE
}

/// Writes to standard output. A reader that has gone away is no error.
fn print(text: &str) -> Result<(), String> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// One answer, for programs or for people.
fn answer(json: bool, value: &Value, words: &str) -> Result<(), String> {
    if json { print(&value.to_string()) } else { print(words) }
}

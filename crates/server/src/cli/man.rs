use std::{fs, path::PathBuf};

use anyhow::Context;
use serde_json::json;

use super::{Cli, print_result};
use crate::config::sources;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory for the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let dir = args.dir.display().to_string();
    let write = || {
        fs::create_dir_all(&args.dir)?;
        clap_mangen::generate_to(sources::command::<Cli>(), &args.dir)
    };
    write().with_context(|| format!("cannot write manual pages to {dir}"))?;
    print_result(args.json, &json!({"dir": dir}), &format!("The manual pages are in {dir}."))
}

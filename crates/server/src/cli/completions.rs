use std::io::Write;

use clap_complete::Shell;

use super::{Cli, print};
use crate::config::sources;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut sources::command::<Cli>(), "svc-mcp", &mut script);
    script.flush()?;
    // For bash, clap_complete 4.6 writes the hyphen of the program's name in two ways, so that no subcommand would be found.
    let script = String::from_utf8(script)?.replace("svc__subcmd__mcp", "svc__mcp");
    print(script.trim_end())
}

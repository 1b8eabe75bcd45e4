//! `svc-mcp`: see `svc-mcp --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_mcp::cli::run()
}

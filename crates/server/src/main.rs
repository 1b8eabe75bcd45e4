//! `svc-mcp`: see `svc-mcp --help`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    svc_mcp::cli::run()
}

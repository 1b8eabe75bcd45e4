//! How soon the allocator gives freed memory back to the system.
//!
//! After a second, as by default, one brand's large requests and crawls hold 115 MiB in the attack of
//! docs/threat-model.md. After 10 ms they hold 69 MiB, and the latencies are the same.

use std::{env, io, os::unix::process::CommandExt, process::Command};

const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";
const PURGE_DELAY_MILLISECONDS: &str = "10";

/// Starts this program again with the setting, in the same process. The allocator reads its settings before `main`, and
/// only from the environment. Returns if the setting is there already, or with the error that prevented it.
pub(crate) fn give_memory_back_soon() -> io::Result<()> {
    if env::var_os(PURGE_DELAY).is_some() {
        return Ok(());
    }
    let mut arguments = env::args_os();
    let mut program = Command::new(env::current_exe()?);
    if let Some(name) = arguments.next() {
        program.arg0(name);
    }
    Err(program.args(arguments).env(PURGE_DELAY, PURGE_DELAY_MILLISECONDS).exec())
}

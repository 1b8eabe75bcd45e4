//! Threads that only compute give way to those that answer requests.

use std::cell::Cell;

thread_local! {
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}

/// Lowers the priority of this thread for good: only a privileged process could raise it again. Without this, the scheduler
/// lets a long computation finish its time slice of some milliseconds while a short request waits.
pub(crate) fn lower_priority() {
    if !IS_LOWERED.replace(true) {
        lower();
    }
}

#[cfg(target_os = "linux")]
fn lower() {
    /// From -20 (the highest) to 19.
    const NICENESS: i32 = 10;
    // On Linux this is the calling thread. It also works if this fails, only less evenly.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// Elsewhere it would be the whole process.
#[cfg(not(target_os = "linux"))]
fn lower() {}

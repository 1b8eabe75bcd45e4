//! Threads that only compute or write what can wait give way to those that answer requests: they have a lower priority and leave
//! one core free.

use std::{cell::Cell, thread::available_parallelism};

thread_local! {
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}

/// On how many cores threads compute. More threads than that would only need more memory.
pub(crate) fn computing_cores() -> usize {
    available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

/// Makes this thread one that gives way, for good: only a privileged process could raise its priority again. Without
/// this, the scheduler lets a long computation finish its time slice of some milliseconds while a short request waits.
pub fn lower_priority() {
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
    leave_one_core();
}

/// Elsewhere it would be the whole process.
#[cfg(not(target_os = "linux"))]
fn lower() {}

/// This thread leaves the first core of the process to the other threads, unless it is the only one. The priority alone
/// does not stop a slice that has begun.
#[cfg(target_os = "linux")]
fn leave_one_core() {
    use rustix::{
        process::getpid,
        thread::{CpuSet, sched_getaffinity, sched_setaffinity},
    };

    // Of the main thread: this one may have been started by a thread that has left a core already.
    let Ok(mut cores) = sched_getaffinity(Some(getpid())) else { return };
    let first = (0..CpuSet::MAX_CPU).find(|core| cores.is_set(*core));
    if let Some(first) = first.filter(|_| cores.count() > 1) {
        cores.unset(first);
        let _ = sched_setaffinity(None, &cores);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use rustix::{
        process::{getpid, getpriority_process},
        thread::sched_getaffinity,
    };

    use super::*;

    #[test]
    fn thread_that_computes_has_less_priority_and_leaves_one_core() {
        let of_this_thread = || {
            let cores = sched_getaffinity(None).expect("the cores of a thread").count();
            (getpriority_process(None).expect("the priority of a thread"), cores)
        };
        let all = sched_getaffinity(Some(getpid())).expect("the cores of the process").count();
        let before = of_this_thread();
        let lowered = thread::spawn(move || {
            lower_priority();
            // A thread that it starts takes over both, and leaves no second core.
            let started = thread::spawn(move || {
                lower_priority();
                of_this_thread()
            });
            assert_eq!(started.join().expect("no panic"), of_this_thread());
            of_this_thread()
        });
        assert_eq!(lowered.join().expect("no panic"), (10, (all - 1).max(1)));
        assert_eq!(of_this_thread(), before, "other threads keep theirs");
    }
}

//! A core dump would hold secrets: keys of requests, the JWT secret, the sealing keys.

use std::io;

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// Turns core dumps off. The limit alone would not stop a dump that the kernel pipes into a program.
pub(crate) fn disable() -> io::Result<()> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

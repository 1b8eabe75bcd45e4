//! Keeps every core busy, in the lowest scheduling class. On a machine with few cores, any computation delays requests a
//! little, even if it has nothing to do with the service. Phases with this load show how much.

use std::{
    hint,
    io::{self, Read},
    process::{Child, Stdio},
    thread,
};

use crate::background_process;

pub(crate) const COMMAND: &str = "busy-cores";

#[derive(Debug)]
pub(crate) struct BusyCores(Child);

impl BusyCores {
    pub(crate) fn start() -> Self {
        let child = background_process(COMMAND).stdin(Stdio::piped()).spawn();
        Self(child.expect("the load starts"))
    }
}

impl Drop for BusyCores {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The process of the load. It ends when the benchmark closes the pipe.
pub(crate) fn run() {
    for _ in 0..thread::available_parallelism().map_or(1, Into::into) {
        thread::spawn(|| {
            loop {
                hint::spin_loop();
            }
        });
    }
    let _ = io::stdin().read_to_end(&mut Vec::new());
}

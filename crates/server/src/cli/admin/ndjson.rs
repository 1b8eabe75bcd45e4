//! Writes JSON objects to standard output, one in each line.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

use anyhow::Context;
use serde::Serialize;

#[derive(Debug)]
pub(super) struct Lines(BufWriter<Stdout>);

impl Default for Lines {
    fn default() -> Self {
        Self(BufWriter::new(io::stdout()))
    }
}

impl Lines {
    /// False: the reader has closed the pipe, and wants no more.
    pub(super) fn write(&mut self, value: &impl Serialize) -> anyhow::Result<bool> {
        let mut line = serde_json::to_string(value).context("cannot write a line")?;
        line.push('\n');
        match self.0.write_all(line.as_bytes()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            other => other.map(|()| true).context("cannot write to standard output"),
        }
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context("cannot write to standard output")
            }
            _ => Ok(()),
        }
    }
}

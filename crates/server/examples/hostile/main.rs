//! A benchmark: what a brand notices of another brand that attacks the service with 50 keys and a hostile site.
//!
//! `make bench-hostile` measures the release build for a minute of attack on each engine. Quiet phases, phases with busy
//! cores and phases with the attack alternate, so that all are measured on the same machine in the same state.
//! `--binary PATH` measures another version.

#![expect(clippy::print_stdout, reason = "the figures are printed for the user")]

mod attacker;
mod busy_cores;
mod measure;
mod report;

use std::{
    env,
    path::PathBuf,
    process::{Command, ExitCode},
    time::Duration,
};

use svc_mcp_testkit::hostile::Engine;

use crate::measure::Options;

const USAGE: &str = "usage: hostile [--binary PATH] [--seconds N] [--engine sqlite|postgres]";

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments == [attacker::COMMAND] {
        attacker::run().await;
        return ExitCode::SUCCESS;
    }
    if arguments == [busy_cores::COMMAND] {
        busy_cores::run();
        return ExitCode::SUCCESS;
    }
    let Some((options, engines)) = parse(&arguments) else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    for engine in engines {
        println!("{engine}: {:?} of attack", options.attack_time);
        let measured = measure::measure(engine, &options).await;
        println!("{}", report::Report(&measured));
    }
    ExitCode::SUCCESS
}

/// This program with another command, in the scheduling class of tasks that run only on idle cores.
fn background_process(command: &str) -> Command {
    let this = env::current_exe().expect("the path of this program");
    let mut process = Command::new("chrt");
    process.args(["--idle", "0"]).arg(this).arg(command);
    process
}

fn parse(arguments: &[String]) -> Option<(Options, Vec<Engine>)> {
    let mut options = Options { binary: None, attack_time: Duration::from_mins(1) };
    let mut engines = vec![Engine::Sqlite, Engine::Postgres];
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return None };
        match (name.as_str(), value.as_str()) {
            // The service runs in another directory.
            ("--binary", path) => options.binary = Some(PathBuf::from(path).canonicalize().ok()?),
            ("--seconds", seconds) => options.attack_time = Duration::from_secs(seconds.parse().ok()?),
            ("--engine", "sqlite") => engines = vec![Engine::Sqlite],
            ("--engine", "postgres") => engines = vec![Engine::Postgres],
            _ => return None,
        }
    }
    Some((options, engines))
}

//! A benchmark: what other brands notice while a brand with 100,000 rows is exported and erased.
//!
//! `make bench-erasure` measures the release build on each engine. Quiet phases, exports and erasures alternate, so that all
//! are measured on the same machine in the same state. `--binary PATH` measures another build.

#![expect(clippy::print_stdout, reason = "the figures are printed for the user")]

mod load;
mod rows;

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use svc_mcp_testkit::{
    Api,
    hostile::{Engine, Installation, InstallationOptions},
};
use tokio::time::{Instant, sleep};

use load::{Load, Responses};

const USAGE: &str = "usage: erasure [--binary PATH] [--rounds N] [--engine sqlite|postgres]";
/// Enough keys for 150 requests a second.
const NEIGHBOUR_KEYS: usize = 200;
const WARM_UP_TIME: Duration = Duration::from_secs(3);
const QUIET_TIME: Duration = Duration::from_secs(10);
/// An operator may send 120 requests a minute.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
const MAX_RATIO: f64 = 2.0;

struct Options {
    binary: Option<PathBuf>,
    rounds: usize,
    engines: Vec<Engine>,
}

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(options) = parse(&arguments) else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    for engine in &options.engines {
        measure(*engine, &options).await;
    }
    ExitCode::SUCCESS
}

fn parse(arguments: &[String]) -> Option<Options> {
    let mut options = Options { binary: None, rounds: 4, engines: vec![Engine::Sqlite, Engine::Postgres] };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return None };
        match (name.as_str(), value.as_str()) {
            // The service runs in another directory.
            ("--binary", path) => options.binary = Some(PathBuf::from(path).canonicalize().ok()?),
            ("--rounds", rounds) => options.rounds = rounds.parse().ok().filter(|rounds| *rounds > 0)?,
            ("--engine", "sqlite") => options.engines = vec![Engine::Sqlite],
            ("--engine", "postgres") => options.engines = vec![Engine::Postgres],
            _ => return None,
        }
    }
    Some(options)
}

async fn measure(engine: Engine, options: &Options) {
    let installation = InstallationOptions {
        engine,
        binary: options.binary.clone(),
        neighbour_keys: NEIGHBOUR_KEYS,
        // The brand of the attacker does nothing here.
        site: "http://127.0.0.1:9".to_owned(),
    };
    let installation = Installation::start(installation).await;
    let operator = installation.instance.program.operator_token();
    let operator = Api::new(&operator).at(installation.instance.address);
    let load = Load::new(&installation.neighbour).await;
    load.during(sleep(WARM_UP_TIME), &mut Responses::default()).await;
    let [mut quiet, mut exporting, mut erasing] = [const { Responses::new() }; 3];
    let (mut export_times, mut erase_times) = (Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let brand = format!("large-{round}");
        rows::fill(&installation, &operator, &brand, engine).await;
        load.during(sleep(QUIET_TIME), &mut quiet).await;
        export_times.push(load.during(export(&operator, &brand), &mut exporting).await);
        load.during(sleep(QUIET_TIME), &mut quiet).await;
        erase_times.push(load.during(erase(&operator, &brand), &mut erasing).await);
    }
    println!("{engine}: {} rounds, a brand of {} rows in each", options.rounds, rows::ROWS);
    println!("{:<28} {:>10} {:>10} {:>10}", "other brands", "quiet", "exporting", "erasing");
    for (name, share) in [("list p50", 0.5), ("list p99", 0.99)] {
        let of = |responses: &Responses| millis(responses.list_quantile(share));
        println!("{name:<28} {:>10} {:>10} {:>10}", of(&quiet), of(&exporting), of(&erasing));
    }
    let count = |responses: &Responses| responses.count();
    println!("{:<28} {:>10} {:>10} {:>10}", "requests", count(&quiet), count(&exporting), count(&erasing));
    let failed = [&quiet, &exporting, &erasing].map(Responses::failed);
    println!("{:<28} {:>10} {:>10} {:>10}", "not answered with 200", failed[0], failed[1], failed[2]);
    println!("exports took {}, erasures {}", times(&export_times), times(&erase_times));
    for (name, responses) in [("exporting", &exporting), ("erasing", &erasing)] {
        let ratio = responses.list_quantile(0.99).as_secs_f64() / quiet.list_quantile(0.99).as_secs_f64();
        let kept = if ratio <= MAX_RATIO { "kept" } else { "EXCEEDED" };
        println!("list p99 {name} ÷ quiet: {ratio:.2} (at most {MAX_RATIO}): {kept}");
    }
    let total: u64 = failed.iter().sum();
    println!("failed requests: {total} (at most 0): {}\n", if total == 0 { "kept" } else { "EXCEEDED" });
}

/// Reads the whole export, and returns how long it took.
async fn export(operator: &Api, brand: &str) -> Duration {
    let started = Instant::now();
    let export = operator.get(&format!("/api/admin/brands/{brand}/export")).await.expect_status(200);
    let took = started.elapsed();
    assert!(export.text.lines().count() > rows::ROWS, "the export is complete");
    took
}

/// Erases the brand, and returns how long it took until all rows were deleted.
async fn erase(operator: &Api, brand: &str) -> Duration {
    let path = format!("/api/admin/brands/{brand}");
    let started = Instant::now();
    operator.delete(&path).await.expect_status(202);
    // The row of the brand is the last one.
    while operator.get(&path).await.status != 404 {
        sleep(POLL_INTERVAL).await;
    }
    started.elapsed()
}

fn millis(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1e3)
}

fn times(times: &[Duration]) -> String {
    let seconds: Vec<String> = times.iter().map(|time| format!("{:.1} s", time.as_secs_f64())).collect();
    seconds.join(", ")
}

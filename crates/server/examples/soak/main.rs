//! A soak: mixed load over three instances behind a balancer, and a fault every few seconds.
//!
//! `cargo run -p svc-mcp --example soak -- 5` runs for five minutes (after `cargo build -p svc-mcp`). At the end no
//! acknowledged write is lost or doubled, nothing was admitted that should not have been, every error has a fault that
//! explains it, and memory is flat; else it says what is wrong and fails.

#![expect(clippy::print_stdout, reason = "the summary is for whoever runs it")]

mod faults;
mod load;
mod notes;
mod verdict;

use std::{
    env,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::StdRng};
use svc_mcp_testkit::cluster::{Cluster, Wishes};
use tokio::{sync::RwLock, task::JoinSet};

use crate::{load::Load, notes::Notes};

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let minutes = env::args().nth(1).unwrap_or_else(|| "5".into());
    let Ok(minutes) = minutes.parse::<f64>() else {
        println!("usage: soak [MINUTES]");
        return ExitCode::from(2);
    };
    let span = Duration::from_secs_f64(minutes * 60.0);
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let wishes = Wishes {
        own_postgres: true,
        links: true,
        balancer: true,
        arguments: &["--drain-delay", "2", "--job-lease", "3"],
        ..Wishes::default()
    };
    let cluster = Cluster::start(wishes).await;
    let notes = Arc::new(Notes::default());
    let load = Load::start(&cluster, &notes, &mut random).await;
    let cluster = Arc::new(RwLock::new(cluster));
    let mut watchers = JoinSet::new();
    watchers.spawn(notes::watch(Arc::clone(&cluster), Arc::clone(&notes)));
    let started = Instant::now();
    println!("running for {minutes} minutes");
    // Without Redis each instance counts for itself. The first part leaves Redis alone, so that the one limit is tried
    // together with everything else that breaks.
    faults::inject(&cluster, &notes, started + span.mul_f64(0.4), false, &mut random).await;
    notes.redis_is_next();
    faults::inject(&cluster, &notes, started + span, true, &mut random).await;
    println!("no more faults: what is under way comes to its end");
    let loaded = load.stop().await;
    watchers.shutdown().await;
    let cluster = cluster.read().await;
    let verdict = verdict::reach(&cluster, &notes, loaded, started.elapsed()).await;
    println!("{verdict}");
    if verdict.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

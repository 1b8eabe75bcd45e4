use std::sync::Arc;

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{
    clock::{MachineClock, machine_entropy},
    config::{LogFormat, ServeArgs},
    log::{self, Log},
    service::{self, Running},
    telemetry::{self, Telemetry},
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Log in JSON, the same as --log-format json
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    serve: ServeArgs,
}

pub(super) async fn run(mut args: Args) -> anyhow::Result<()> {
    if args.json {
        args.serve.log.log_format = LogFormat::Json;
    }
    let stop = StopSignals::listen()?;
    let (running, _log) = start(&args.serve).await?;
    tracing::info!(address = %running.address, "listening");
    if let Some(address) = running.metrics_address {
        tracing::info!(%address, "metrics");
    }
    until_stopped(running, stop).await;
    Ok(())
}

/// The log ends when the second value is dropped.
pub(super) async fn start(args: &ServeArgs) -> anyhow::Result<(Running, Log)> {
    let mut log = log::start(&args.log)?;
    let metrics = telemetry::start_metrics()?;
    let access_log = log.access_log.take();
    let telemetry = Telemetry { metrics, lost_lines: log.lost_lines.clone(), access_log };
    let clock = Arc::new(MachineClock::default());
    Ok((service::start(args, clock, machine_entropy(), Some(telemetry)).await?, log))
}

/// SIGTERM and SIGINT. The handlers are installed before anything starts, so that no signal is lost.
pub(super) struct StopSignals {
    terminated: Signal,
    interrupted: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("cannot listen for signals");
        Ok(Self {
            terminated: listen(SignalKind::terminate())?,
            interrupted: listen(SignalKind::interrupt())?,
        })
    }
}

/// Serves until a stop signal, then finishes the requests in flight.
pub(super) async fn until_stopped(running: Running, mut stop: StopSignals) {
    tokio::select! {
        _ = stop.terminated.recv() => {}
        _ = stop.interrupted.recv() => {}
    }
    tracing::info!("stopping: finishing the requests in flight");
    running.stop().await;
    tracing::info!("stopped");
}

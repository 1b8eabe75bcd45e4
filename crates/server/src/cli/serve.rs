use std::sync::Arc;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{
    clock::{MachineClock, machine_entropy},
    config::{LogFormat, ServeArgs},
    service::{self, Running},
    telemetry,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Log in JSON, the same as --log-format json
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    serve: ServeArgs,
}

pub(super) async fn run(mut args: Args) -> Result<(), String> {
    if args.json {
        args.serve.log.log_format = LogFormat::Json;
    }
    let stop = StopSignals::listen()?;
    let running = start(&args.serve).await?;
    tracing::info!(address = %running.address, "listening");
    if let Some(address) = running.metrics_address {
        tracing::info!(%address, "metrics");
    }
    until_stopped(running, stop).await;
    Ok(())
}

pub(super) async fn start(args: &ServeArgs) -> Result<Running, String> {
    telemetry::start_log(&args.log)?;
    let metrics = telemetry::start_metrics()?;
    service::start(args, Arc::new(MachineClock::default()), machine_entropy(), Some(metrics)).await
}

/// SIGTERM and SIGINT. Listened for before anything starts, so that none comes too early to be heard.
pub(super) struct StopSignals {
    terminated: Signal,
    interrupted: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> Result<Self, String> {
        let listen = |kind| signal(kind).map_err(|error| error.to_string());
        Ok(Self {
            terminated: listen(SignalKind::terminate())?,
            interrupted: listen(SignalKind::interrupt())?,
        })
    }
}

/// Serves until told to stop, then finishes what is in flight.
pub(super) async fn until_stopped(running: Running, mut stop: StopSignals) {
    tokio::select! {
        _ = stop.terminated.recv() => {}
        _ = stop.interrupted.recv() => {}
    }
    tracing::info!("stopping: finishing what is in flight");
    running.stop().await;
    tracing::info!("stopped");
}

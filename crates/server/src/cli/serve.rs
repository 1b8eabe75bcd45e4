use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use crate::{
    clock::{MachineClock, machine_entropy},
    config::ServeArgs,
    service::{self, Running},
    telemetry,
};

pub(super) async fn run(args: &ServeArgs) -> Result<(), String> {
    let running = start(args).await?;
    tracing::info!(address = %running.address, "listening");
    until_stopped(running).await
}

pub(super) async fn start(args: &ServeArgs) -> Result<Running, String> {
    telemetry::start_log(&args.log)?;
    let metrics = telemetry::start_metrics()?;
    service::start(args, Arc::new(MachineClock::default()), machine_entropy(), Some(metrics)).await
}

/// Serves until SIGTERM or SIGINT, then finishes what is in flight.
pub(super) async fn until_stopped(running: Running) -> Result<(), String> {
    let listen = |kind| signal(kind).map_err(|error| error.to_string());
    let (mut terminated, mut interrupted) =
        (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
    }
    tracing::info!("stopping: finishing what is in flight");
    running.stop().await;
    tracing::info!("stopped");
    Ok(())
}

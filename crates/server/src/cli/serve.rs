use std::{process::ExitCode, sync::Arc};

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{print, reload::Reload};
use crate::{
    check,
    clock::{MachineClock, machine_entropy},
    config::{LogFormat, ServeArgs, Summary, example_secrets, sources::Settings},
    log::{self, Log},
    service::{self, Running},
    telemetry::{self, Telemetry},
    traces::Traces,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Check the settings, reach the database, Redis, the mail server, the public keys and the collector of traces, and exit: 0 if all is well,
    /// else 1. Nothing is created, changed or served
    #[arg(long)]
    check: bool,

    /// Log in JSON, the same as --log-format json; with --check, print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    serve: ServeArgs,
}

impl Args {
    pub(super) fn into_serve_args(self) -> ServeArgs {
        let mut serve = self.serve;
        if self.json {
            serve.log.log_format = LogFormat::Json;
        }
        serve
    }
}

pub(super) async fn run(args: Args, settings: Settings) -> anyhow::Result<ExitCode> {
    let (only_check, json) = (args.check, args.json);
    let args = args.into_serve_args();
    if only_check {
        return Box::pin(check(&args, json)).await;
    }
    let signals = Signals::listen()?;
    let config = settings.file.clone();
    let started = start(&args, settings).await?;
    let running = &started.running;
    Summary::of(&args).log(&running.app.public_url, config.as_deref());
    tracing::info!(address = %running.address, "listening");
    if let Some(address) = running.metrics_address {
        tracing::info!(%address, "metrics");
    }
    until_stopped(started, signals).await;
    Ok(ExitCode::SUCCESS)
}

/// Prints a line for each check. Warnings on standard error have more details.
async fn check(args: &ServeArgs, json: bool) -> anyhow::Result<ExitCode> {
    let _log = log::start(&args.log)?;
    let report = Box::pin(check::run(args, &MachineClock::default(), &machine_entropy())).await;
    print(&if json { report.as_json().to_string() } else { report.as_text() })?;
    Ok(if report.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A running service, and what a signal can change in it.
pub(super) struct Started {
    pub(super) running: Running,
    reload: Reload,
    /// The log ends when this is dropped.
    _log: Log,
}

pub(super) async fn start(args: &ServeArgs, settings: Settings) -> anyhow::Result<Started> {
    let mut log = log::start(&args.log)?;
    example_secrets::find(args)?;
    let metrics = telemetry::start_metrics()?;
    let access_log = log.access_log.take();
    let traces = Traces::start(&args.traces)?;
    let telemetry = Telemetry { metrics, lost_lines: log.lost_lines.clone(), access_log, traces };
    let clock = Arc::new(MachineClock::default());
    let running = service::start(args, clock, machine_entropy(), Some(telemetry)).await?;
    let reload = Reload { filter: log.filter.clone(), log: args.log.log.clone(), settings };
    Ok(Started { running, reload, _log: log })
}

/// The handlers are installed before anything starts, so that no signal is lost.
pub(super) struct Signals {
    terminated: Signal,
    interrupted: Signal,
    hangup: Signal,
}

impl Signals {
    pub(super) fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("cannot listen for signals");
        Ok(Self {
            terminated: listen(SignalKind::terminate())?,
            interrupted: listen(SignalKind::interrupt())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }
}

/// Serves until SIGTERM or SIGINT, then finishes the requests in flight. SIGHUP reads the log filter and the public keys
/// again.
pub(super) async fn until_stopped(mut started: Started, mut signals: Signals) {
    loop {
        tokio::select! {
            _ = signals.terminated.recv() => break,
            _ = signals.interrupted.recv() => break,
            _ = signals.hangup.recv() => {}
        }
        // A slow server of public keys must not delay the stop.
        tokio::select! {
            _ = signals.terminated.recv() => break,
            _ = signals.interrupted.recv() => break,
            () = started.reload.run(&started.running.app) => {}
        }
    }
    tracing::info!("stopping: finishing the requests in flight");
    started.running.stop().await;
    tracing::info!("stopped");
}

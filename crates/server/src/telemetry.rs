//! Logs and metrics. They never hold a secret: a request is named by its route, not by its path.

use std::{io::IsTerminal, time::Duration};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{
    EnvFilter,
    filter::ParseError,
    fmt,
    layer::SubscriberExt,
    util::{SubscriberInitExt, TryInitError},
};

use crate::{
    config::{LogArgs, LogFormat},
    http::histogram::BUCKETS,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum TelemetryError {
    #[error("--log {filter}")]
    Filter { filter: String, source: ParseError },
    #[error("cannot start the log")]
    Log(#[source] TryInitError),
    #[error("cannot start the metrics")]
    Metrics(#[source] BuildError),
}

pub(crate) fn start_log(args: &LogArgs) -> Result<(), TelemetryError> {
    let filter = EnvFilter::try_new(&args.log)
        .map_err(|source| TelemetryError::Filter { filter: args.log.clone(), source })?;
    let to_stderr = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let log = tracing_subscriber::registry().with(filter);
    let started = match args.log_format {
        LogFormat::Text => log.with(to_stderr.with_target(false)).try_init(),
        LogFormat::Json => log.with(to_stderr.json().flatten_event(true)).try_init(),
    };
    started.map_err(TelemetryError::Log)
}

/// Installs the metrics recorder. The handle renders the metrics in Prometheus's format.
pub(crate) fn start_metrics() -> Result<PrometheusHandle, TelemetryError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(TelemetryError::Metrics)?;
    describe();
    Ok(handle)
}

/// How often the recorder compacts its values, so that a service that nobody scrapes does not grow.
pub(crate) const METRICS_UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

// Counted and written by `http/metrics.rs`.
pub(crate) const REQUESTS: &str = "svc_mcp_requests_total";
pub(crate) const REQUEST_SECONDS: &str = "svc_mcp_request_seconds";
pub(crate) const DECISIONS: &str = "svc_mcp_decisions_total";

fn describe() {
    use metrics::{describe_counter as counter, describe_gauge as gauge, describe_histogram as histogram};
    counter!("svc_mcp_cache_total", "Lookups of keys in the cache, by result");
    gauge!("svc_mcp_cache_keys", "Keys in the cache");
    gauge!("svc_mcp_limiter_windows", "Keys with a window in this process");
    histogram!("svc_mcp_store_seconds", "Time of store queries, by query");
    counter!("svc_mcp_store_errors_total", "Failed store queries, by query");
    counter!(
        "svc_mcp_shed_total",
        "Work that was refused at once because of overload, by who refused it: http, store"
    );
    gauge!("svc_mcp_degraded", "1 while Redis does not respond and limits are counted per instance");
    gauge!(
        "svc_mcp_jwks_usable",
        "0 while the JWK set is missing or too old and application tokens are refused"
    );
    gauge!("svc_mcp_jwks_age_seconds", "Time since the JWK set was read");
    gauge!("svc_mcp_connections", "Open connections");
    counter!(
        "svc_mcp_connections_refused_total",
        "Connections that were closed at once because their address had too many"
    );
    gauge!("svc_mcp_keys_waiting", "Used keys whose counts and last use are not written yet");
    counter!("svc_mcp_uses_lost_total", "Uses of keys that were lost");
    counter!(
        "svc_mcp_events_counted_only_total",
        "Uses of keys that are in the usage but not in the activity"
    );
    counter!("svc_mcp_event_tries_total", "Tries to send an event, by outcome");
    counter!("svc_mcp_jobs_total", "Finished job runs, by kind and outcome");
    histogram!("svc_mcp_job_seconds", "Time of job runs, by kind");
    gauge!("svc_mcp_jobs_held", "1 while all jobs are held, by the operator or after a restore");
    counter!("svc_mcp_panics_total", "Requests whose handler panicked");
}

//! Metrics. They never hold a secret: a request is named by its route, not by its path. Brands and users are never labels.

use std::time::Duration;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_appender::non_blocking::ErrorCounter;
use tracing_subscriber::{filter::ParseError, reload, util::TryInitError};

use crate::{
    http::{access_log::AccessLog, histogram::BUCKETS},
    traces::Traces,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum TelemetryError {
    #[error("--log {filter}")]
    Filter { filter: String, source: ParseError },
    #[error("cannot start the log")]
    Log(#[source] TryInitError),
    #[error("cannot change the filter of the log")]
    Reload(#[source] reload::Error),
    #[error("cannot start the metrics")]
    Metrics(#[source] BuildError),
}

/// What a running service reports to. Tests run without it.
#[derive(Debug)]
pub struct Telemetry {
    pub(crate) metrics: PrometheusHandle,
    pub(crate) lost_lines: ErrorCounter,
    /// `None`: requests are not logged.
    pub(crate) access_log: Option<AccessLog>,
    /// `None`: traces are off.
    pub(crate) traces: Option<Traces>,
}

/// Installs the metrics recorder. The handle renders the metrics in Prometheus's format.
pub(crate) fn start_metrics() -> Result<PrometheusHandle, TelemetryError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(JOB_SECONDS.into()), &JOB_BUCKETS))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(TelemetryError::Metrics)?;
    describe();
    Ok(handle)
}

/// How often the recorder compacts its values, so that a service that nobody scrapes does not grow.
pub(crate) const METRICS_UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The upper bounds of the buckets for jobs, in seconds. An audit may run for 30 minutes.
const JOB_BUCKETS: [f64; 11] = [0.01, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 180.0, 600.0, 1200.0, 1800.0];
const JOB_SECONDS: &str = "svc_mcp_job_seconds";

// Counted and written by `http/metrics.rs`.
pub(crate) const REQUESTS: &str = "svc_mcp_requests_total";
pub(crate) const REQUEST_SECONDS: &str = "svc_mcp_request_seconds";
pub(crate) const DECISIONS: &str = "svc_mcp_decisions_total";
pub(crate) const PROBLEMS: &str = "svc_mcp_problems_total";
pub(crate) const TOOL_CALLS: &str = "svc_mcp_tool_calls_total";

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
    gauge!(
        "svc_mcp_outage",
        "1 while something that the service needs does not work, by what: database, redis, mail, jwks, traces"
    );
    gauge!("svc_mcp_database_connections", "Connections to the database by state, and their maximum");
    gauge!("svc_mcp_database_waiting", "Requests that wait for the database");
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
    histogram!(JOB_SECONDS, "Time of job runs, by kind");
    gauge!("svc_mcp_jobs_waiting", "Jobs that are due and not running, by kind; at most 10,000 are counted");
    gauge!("svc_mcp_jobs_oldest_seconds", "How long the oldest job that waits has been due, by kind");
    gauge!("svc_mcp_approvals_waiting", "Calls that wait for approval; at most 10,000 are counted");
    gauge!("svc_mcp_event_deliveries_waiting", "Event deliveries that wait; at most 10,000 are counted");
    counter!("svc_mcp_log_lines_lost_total", "Log lines that were lost because standard error was too slow");
    counter!("svc_mcp_spans_lost_total", "Spans of traces that the collector did not get");
    gauge!("svc_mcp_build_info", "1, with the version, the database and whether Redis is used");
    gauge!("svc_mcp_jobs_held", "1 while all jobs are held, by the operator or after a restore");
    counter!("svc_mcp_panics_total", "Requests whose handler panicked");
}

//! Logs and metrics. Neither ever holds a secret: requests are named by their route, not by their address.

use std::{io::IsTerminal, time::Duration};

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    config::{LogArgs, LogFormat},
    http::seconds::BUCKETS,
};

pub(crate) fn start_log(args: &LogArgs) -> Result<(), String> {
    let filter = EnvFilter::try_new(&args.log).map_err(|error| format!("--log {}: {error}", args.log))?;
    let to_stderr = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let log = tracing_subscriber::registry().with(filter);
    let started = match args.log_format {
        LogFormat::Text => log.with(to_stderr.with_target(false)).try_init(),
        LogFormat::Json => log.with(to_stderr.json().flatten_event(true)).try_init(),
    };
    started.map_err(|error| error.to_string())
}

/// Starts counting. The handle writes what was counted in Prometheus's format.
pub(crate) fn start_metrics() -> Result<PrometheusHandle, String> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| error.to_string())?;
    describe();
    Ok(handle)
}

/// How often what was counted is folded together, so that a service nobody scrapes does not grow.
pub(crate) const METRICS_UPKEEP: Duration = Duration::from_secs(5);

// Counted and written by `http/observe.rs` itself.
pub(crate) const REQUESTS: &str = "svc_mcp_requests_total";
pub(crate) const REQUEST_SECONDS: &str = "svc_mcp_request_seconds";
pub(crate) const DECISIONS: &str = "svc_mcp_decisions_total";

fn describe() {
    use metrics::{describe_counter as counter, describe_gauge as gauge, describe_histogram as histogram};
    counter!("svc_mcp_cache_total", "Look-ups of keys in the cache by result");
    gauge!("svc_mcp_cache_keys", "Keys in the cache");
    gauge!("svc_mcp_limiter_windows", "Keys with a window in this process");
    histogram!("svc_mcp_store_seconds", "Time the store took, by query");
    counter!("svc_mcp_store_errors_total", "Uses of the store that failed, by query");
    counter!(
        "svc_mcp_shed_total",
        "Work that was turned away at once because there was too much, by what: http, store"
    );
    gauge!("svc_mcp_degraded", "1 while Redis does not answer and limits are counted per instance");
    gauge!("svc_mcp_connections", "Open connections");
    gauge!("svc_mcp_keys_waiting", "Used keys whose counts and last use are not written yet");
    counter!("svc_mcp_uses_lost_total", "Uses of keys that could not be kept at all");
    counter!(
        "svc_mcp_events_counted_only_total",
        "Uses of keys that are in the usage but not in the activity"
    );
    counter!("svc_mcp_jobs_total", "Jobs that a worker let go of, by kind and outcome");
    histogram!("svc_mcp_job_seconds", "Time a worker had a job, by kind");
    counter!("svc_mcp_panics_total", "Requests whose handler panicked");
}

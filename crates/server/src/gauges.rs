//! Gauges: what waits in the store, the database's connections, the process, and the build.

use std::{sync::Arc, time::Duration};

use metrics::gauge;
use metrics_process::Collector;
use svc_mcp_store::QueueSizes;
use tracing_appender::non_blocking::ErrorCounter;

use crate::app::App;

/// How often the queues of the store are read, however often the metrics are.
pub(crate) const QUEUE_INTERVAL: Duration = Duration::from_secs(15);

/// The gauges of this process. They cost no query, so they are read for each scrape.
#[derive(Debug, Clone)]
pub(crate) struct ProcessGauges {
    app: Arc<App>,
    process: Collector,
    lost_lines: ErrorCounter,
}

impl ProcessGauges {
    pub(crate) fn new(app: Arc<App>, lost_lines: ErrorCounter) -> Self {
        let process = Collector::default();
        process.describe();
        let (version, redis) = (env!("CARGO_PKG_VERSION"), if app.store.uses_redis() { "yes" } else { "no" });
        let database = app.store.engine_name();
        gauge!("svc_mcp_build_info", "version" => version, "database" => database, "redis" => redis).set(1.0);
        Self { app, process, lost_lines }
    }

    pub(crate) fn record(&self) {
        self.process.collect();
        let connections = self.app.store.connection_use();
        for (state, number) in
            [("used", connections.used), ("idle", connections.idle), ("max", connections.max)]
        {
            gauge!("svc_mcp_database_connections", "state" => state).set(f64::from(number));
        }
        gauge!("svc_mcp_database_waiting").set(f64::from(connections.waiting));
        let lost = u64::try_from(self.lost_lines.dropped_lines()).unwrap_or(u64::MAX);
        metrics::counter!("svc_mcp_log_lines_lost_total").absolute(lost);
    }
}

/// The gauges of what waits. The store logs its own errors, and the next run tries again.
pub(crate) async fn record_queues(app: &App) {
    let now = app.clock.now();
    let Ok(QueueSizes { jobs, approvals, deliveries }) = app.store.queue_sizes(now).await else { return };
    for queue in jobs {
        let kind = queue.kind.as_str();
        let age = queue.oldest_due.map_or(0, |due| (now.millis() - due.millis()).max(0) / 1000);
        gauge!("svc_mcp_jobs_waiting", "kind" => kind).set(f64::from(queue.waiting));
        let age = u32::try_from(age).unwrap_or(u32::MAX);
        gauge!("svc_mcp_jobs_oldest_seconds", "kind" => kind).set(f64::from(age));
    }
    gauge!("svc_mcp_approvals_waiting").set(f64::from(approvals));
    gauge!("svc_mcp_event_deliveries_waiting").set(f64::from(deliveries));
}

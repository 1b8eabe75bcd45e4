//! What an operator sees of a running service: the access log, the metrics, and the lines about outages and failed jobs.

mod access_log;
mod log_switches;
mod outages;
mod slow_reader;

use serde_json::Value;

use crate::support::{Service, eventually};

const ACCESS: &str = "svc_mcp::access";

/// The lines of a log that are JSON.
fn lines(log: &str) -> Vec<Value> {
    log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Waits for lines of the log.
async fn wait_for_lines(service: &Service, what: &str, matches: impl Fn(&Value) -> bool) -> Vec<Value> {
    eventually(what, async || {
        let found: Vec<Value> = lines(&service.log()).into_iter().filter(|line| matches(line)).collect();
        (!found.is_empty()).then_some(found)
    })
    .await
}

//! The audit log over HTTP.

mod every_route;
mod lists;

use serde_json::Value;
use svc_mcp_access::Clock;

use crate::support::TestApp;

impl TestApp {
    /// The records of requests since the clock was last moved.
    async fn new_audit_records(&self) -> Vec<Value> {
        self.audit_records(&format!("since={}", self.clock.now())).await
    }

    /// All pages of the audit log with these filters.
    async fn audit_records(&self, filters: &str) -> Vec<Value> {
        let (mut records, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/admin/audit?{filters}&limit=100{cursor}");
            let page = self.get(&path).bearer(&self.operator()).send().await.expect_status(200).body;
            records.extend(page["records"].as_array().unwrap().iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return records,
            }
        }
    }
}

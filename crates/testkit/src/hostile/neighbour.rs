//! The brand that must not notice the attack.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use svc_mcp_access::Timestamp;
use tokio::time::{Instant, sleep};

use crate::{Api, ApiResponse, Site, eventually};

/// Long enough for the call that schedules the post.
const SCHEDULE_DELAY: Duration = Duration::from_secs(3);
const MAX_TRIES: usize = 20;
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct Neighbour {
    agents: Vec<Api>,
    site: Site,
    calls: AtomicUsize,
    rejected: AtomicUsize,
}

impl Neighbour {
    pub(super) fn new(agents: Vec<Api>, site: Site) -> Self {
        Self { agents, site, calls: AtomicUsize::new(0), rejected: AtomicUsize::new(0) }
    }

    pub fn key_count(&self) -> usize {
        self.agents.len()
    }

    /// The next key, so that all of them stay below their limit.
    pub fn agent(&self) -> &Api {
        &self.agents[self.calls.fetch_add(1, Ordering::SeqCst) % self.agents.len()]
    }

    /// How many requests were counted with [`Self::count_rejected`].
    pub fn rejected(&self) -> usize {
        self.rejected.load(Ordering::SeqCst)
    }

    /// Whether the service had no time for the request. Such requests are counted.
    pub fn count_rejected(&self, response: &ApiResponse) -> bool {
        let is_rejected = response.is_unavailable();
        self.rejected.fetch_add(usize::from(is_rejected), Ordering::SeqCst);
        is_rejected
    }

    /// Creates a draft, and returns its id and when it was created.
    pub async fn create_draft(&self) -> Result<(String, Timestamp), String> {
        let created = self.call("create_post", &json!({"text": "A draft", "channels": ["feed"]})).await?;
        let text = |field: &str| created["post"][field].as_str().unwrap_or_default();
        let created_at = text("created_at").parse().map_err(|_| format!("no time in {created}"))?;
        Ok((text("post_id").to_owned(), created_at))
    }

    /// Starts an audit, and returns how long it took until it read the site.
    pub async fn measure_audit_start(&self) -> Result<Duration, String> {
        let read = self.site.request_count("/robots.txt");
        let started = Instant::now();
        // An open audit with the same settings would be returned.
        let max_pages = 10 + read % 900;
        self.call("run_audit", &json!({"max_pages": max_pages})).await?;
        self.wait_for_request("/robots.txt", read).await;
        Ok(started.elapsed())
    }

    /// Schedules a post, and returns how long after its time the webhook got it.
    pub async fn measure_scheduled_post(&self) -> Result<Duration, String> {
        let sent = self.site.request_count("/hook");
        let mut delay = SCHEDULE_DELAY;
        // The service's time is known only from a response. It is not before this moment, so the delay is not measured too
        // short.
        let mut started = Instant::now();
        while !self.schedule_post(delay).await? {
            delay *= 2;
            started = Instant::now();
        }
        self.wait_for_request("/hook", sent).await;
        Ok(started.elapsed().saturating_sub(delay))
    }

    /// False: the time had passed when the service got the post.
    async fn schedule_post(&self, delay: Duration) -> Result<bool, String> {
        let (_, now) = self.create_draft().await?;
        let scheduled_at = now.plus(delay).to_string();
        let post =
            json!({"text": "News", "channels": ["hook"], "mode": "schedule", "scheduled_at": scheduled_at});
        match self.call("create_post", &post).await {
            Ok(_) => Ok(true),
            Err(error) if error.contains("post_invalid") => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn wait_for_request(&self, path: &str, before: usize) {
        let what = format!("a request of the service to {path}");
        eventually(&what, async || (self.site.request_count(path) > before).then_some(())).await;
    }

    /// Calls a tool, again if the call was rejected.
    async fn call(&self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let mut response = self.agent().call(tool, arguments).await;
        for _ in 1..MAX_TRIES {
            if !self.count_rejected(&response) {
                break;
            }
            sleep(RETRY_INTERVAL).await;
            response = self.agent().call(tool, arguments).await;
        }
        if response.status != 200 {
            return Err(format!("{tool}: {} {}", response.status, response.text));
        }
        let body = response.json();
        if body["isError"] == false {
            Ok(body["structuredContent"].clone())
        } else {
            Err(format!("{tool}: {}", response.text))
        }
    }
}

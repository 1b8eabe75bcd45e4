//! The requests of other brands, at a fixed rate.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use svc_mcp_testkit::{Api, hostile::Neighbour, try_send};
use tokio::{
    pin, select,
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

/// What was answered in all phases of one kind.
#[derive(Debug, Default)]
pub(crate) struct Responses {
    list: Vec<Duration>,
    others: usize,
    failed: u64,
}

impl Responses {
    pub(crate) const fn new() -> Self {
        Self { list: Vec::new(), others: 0, failed: 0 }
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len() + self.others
    }

    /// Requests that were not answered with 200.
    pub(crate) fn failed(&self) -> u64 {
        self.failed
    }

    pub(crate) fn list_quantile(&self, share: f64) -> Duration {
        let mut sorted = self.list.clone();
        sorted.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a position in a list"
        )]
        let position = (sorted.len() as f64 * share) as usize;
        sorted.get(position.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

pub(crate) struct Load<'a> {
    neighbour: &'a Neighbour,
    post_id: Arc<str>,
}

impl<'a> Load<'a> {
    pub(crate) async fn new(neighbour: &'a Neighbour) -> Self {
        let (post_id, _) = neighbour.create_draft().await.expect("a draft");
        Self { neighbour, post_id: post_id.into() }
    }

    /// Sends requests until the work ends, whether or not earlier ones were answered: two lists for each `get_post`.
    pub(crate) async fn during<T>(&self, work: impl Future<Output = T>, responses: &mut Responses) -> T {
        // A key may send one request a second. A quarter is left.
        let rate = u32::try_from(self.neighbour.key_count() * 3 / 4).unwrap_or(1).max(1);
        let mut ticks = interval(Duration::from_secs(1) / rate);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut requests = JoinSet::new();
        let mut number = 0_u64;
        pin!(work);
        let result = loop {
            select! {
                result = &mut work => break result,
                _ = ticks.tick() => {
                    let (agent, post_id) = (self.neighbour.agent().clone(), Arc::clone(&self.post_id));
                    requests.spawn(send_request(agent, post_id, number % 3 == 2));
                    number += 1;
                }
            }
        };
        for (is_list, status, latency) in requests.join_all().await {
            responses.failed += u64::from(status != 200);
            if is_list {
                responses.list.push(latency);
            } else {
                responses.others += 1;
            }
        }
        result
    }
}

/// Whether it was a list, the status (0: no response), and the latency.
async fn send_request(agent: Api, post_id: Arc<str>, is_get: bool) -> (bool, u16, Duration) {
    let request = if is_get {
        agent.call_request("get_post", &json!({"post_id": &*post_id}))
    } else {
        agent.list_tools_request()
    };
    let started = Instant::now();
    let status = try_send(request).await.map_or(0, |response| response.status);
    (!is_get, status, started.elapsed())
}

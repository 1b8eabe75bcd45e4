//! Sends deliveries that are due. At most a few at a time for each endpoint and brand, so that a slow receiver holds up
//! nobody else.

use std::{collections::HashMap, fmt, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use svc_mcp_access::{
    BrandId, Clock, Secret, StoreError,
    key::{SealOwner, SealingKeys},
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{EventQueue, FinishedTry, LeasedDelivery, OperatorEndpoint, SendTarget, TryOutcome};
use crate::{
    Records,
    net::{Limits, Outbound},
    standard_webhooks::SigningSecret,
    trace::{self, NewSpan},
};

/// Deliveries of all endpoints that are sent at the same time.
const MAX_CONCURRENT: usize = 32;
const MAX_PER_BRAND: usize = 4;
const MAX_PER_ENDPOINT: usize = 2;
/// The operator's endpoint gets the events of all brands.
const MAX_FOR_OPERATOR: usize = 8;
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How long one try may take.
const TRY_TIMEOUT: Duration = Duration::from_secs(10);
/// After this time another instance may send the delivery. Longer than a try and its commits.
const LEASE: Duration = Duration::from_secs(30);
/// A queue in which everything that is due waits for an earlier event of its key, or whose endpoint is off, is looked at
/// again after this time.
const BLOCKED_INTERVAL: Duration = Duration::from_secs(3);
const MAX_FINISH_ATTEMPTS: usize = 5;
const FINISH_RETRY_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct EventSender {
    pub records: Arc<dyn Records>,
    pub outbound: Outbound,
    /// `None`: the deliveries to the operator's endpoint are left to other instances.
    pub operator: Option<OperatorEndpoint>,
    /// `None`: the secrets of endpoints cannot be opened.
    pub sealing: Option<Arc<SealingKeys>>,
    pub clock: Arc<dyn Clock>,
    pub can_mail: bool,
}

/// What this process sends now.
#[derive(Debug, Default)]
struct Running {
    tries: JoinSet<EventQueue>,
    of_queue: HashMap<EventQueue, usize>,
    of_brand: HashMap<BrandId, usize>,
    /// Queues that had nothing to send, and until when they are not asked again.
    blocked: HashMap<EventQueue, Instant>,
}

impl Running {
    fn has_room(&self, queue: &EventQueue) -> bool {
        let max = if *queue == EventQueue::Operator { MAX_FOR_OPERATOR } else { MAX_PER_ENDPOINT };
        let of_brand = queue.brand().and_then(|brand| self.of_brand.get(brand)).copied().unwrap_or(0);
        self.tries.len() < MAX_CONCURRENT
            && self.of_queue.get(queue).copied().unwrap_or(0) < max
            && of_brand < MAX_PER_BRAND
    }

    fn is_blocked(&self, queue: &EventQueue) -> bool {
        self.blocked.get(queue).is_some_and(|until| *until > Instant::now())
    }

    fn block(&mut self, queue: &EventQueue) {
        let now = Instant::now();
        self.blocked.retain(|_, until| *until > now);
        self.blocked.insert(queue.clone(), now + BLOCKED_INTERVAL);
    }

    fn started(&mut self, queue: &EventQueue) {
        *self.of_queue.entry(queue.clone()).or_default() += 1;
        if let Some(brand) = queue.brand() {
            *self.of_brand.entry(brand.clone()).or_default() += 1;
        }
    }

    fn ended(&mut self, queue: &EventQueue) {
        decrement(&mut self.of_queue, queue);
        self.blocked.remove(queue);
        if let Some(brand) = queue.brand() {
            decrement(&mut self.of_brand, brand);
        }
    }
}

fn decrement<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl EventSender {
    /// Runs until the service stops. Tries that have begun are finished.
    pub async fn run(self, shutdown: CancellationToken) {
        let sender = Arc::new(self);
        let (mut running, mut last_queue) = (Running::default(), String::new());
        while !shutdown.is_cancelled() {
            // The store logs its own errors, and the next poll tries again.
            let _ = sender.start_tries(&mut running, &mut last_queue).await;
            tokio::select! {
                // An ended try may have made room, or the next event of the same key due.
                Some(ended) = running.tries.join_next() => {
                    if let Ok(queue) = ended {
                        running.ended(&queue);
                    }
                }
                () = sleep(POLL_INTERVAL) => {}
                () = shutdown.cancelled() => {}
            }
        }
        while running.tries.join_next().await.is_some() {}
    }

    /// Goes once through the queues that have something due, starting after the last one, so that they take turns.
    async fn start_tries(
        self: &Arc<Self>,
        running: &mut Running,
        last_queue: &mut String,
    ) -> Result<(), StoreError> {
        let limit = u32::try_from(MAX_CONCURRENT).unwrap_or(u32::MAX);
        let mut queues = self.records.ready_queues(last_queue, self.clock.now(), limit).await?;
        if queues.is_empty() && !last_queue.is_empty() {
            last_queue.clear();
            queues = self.records.ready_queues(last_queue, self.clock.now(), limit).await?;
        }
        for queue in queues {
            if running.tries.len() >= MAX_CONCURRENT {
                break;
            }
            *last_queue = queue.name();
            let is_of_others = matches!(queue, EventQueue::Operator) && self.operator.is_none();
            if is_of_others || running.is_blocked(&queue) {
                continue;
            }
            while running.has_room(&queue) {
                let now = self.clock.now();
                let Some(delivery) = self.records.lease_delivery(&queue, now, now.plus(LEASE)).await? else {
                    running.block(&queue);
                    break;
                };
                running.started(&queue);
                let sender = Arc::clone(self);
                running.tries.spawn(async move {
                    // A panic must not take the room of its endpoint for ever.
                    let _ = AssertUnwindSafe(sender.try_delivery(&delivery)).catch_unwind().await;
                    delivery.queue
                });
            }
        }
        Ok(())
    }

    async fn try_delivery(&self, delivery: &LeasedDelivery) {
        let span = trace::start(None, || {
            NewSpan::consumer("event")
                .with("svc_mcp.event_id", delivery.event_id.clone())
                .with("svc_mcp.event_attempt", i64::from(delivery.attempt))
                .with("svc_mcp.event_queue", delivery.queue.name())
        });
        trace::run_in(span, self.send_and_record(delivery)).await;
    }

    async fn send_and_record(&self, delivery: &LeasedDelivery) {
        let outcome = self.send(delivery).await;
        for _ in 0..MAX_FINISH_ATTEMPTS {
            let now = self.clock.now();
            match self.records.finish_try(delivery, &outcome, now, self.can_mail).await {
                Ok(finished) => return record(delivery, finished, &outcome),
                // The lease expires, and the delivery is sent again.
                Err(_) => sleep(FINISH_RETRY_INTERVAL).await,
            }
        }
    }

    async fn send(&self, delivery: &LeasedDelivery) -> TryOutcome {
        let no_answer = |error: String| TryOutcome::Failed { status: None, error };
        let (url, secret, outbound) = match self.target(delivery) {
            Ok(target) => target,
            Err(error) => return no_answer(error.to_owned()),
        };
        let Ok(key) = SigningSecret::parse(&secret) else {
            return no_answer(
                "The signing secret is damaged. Delete the endpoint and create it again.".into(),
            );
        };
        let mut request = key.request(url, &delivery.event_id, self.clock.now(), delivery.body.clone());
        // A redirect would send the event to another server. The body of the answer is not needed.
        request.limits = Limits { timeout: TRY_TIMEOUT, max_body_bytes: 0, max_redirects: 0 };
        match outbound.send(request).await {
            Ok(answer) if answer.is_success() => TryOutcome::Delivered { status: answer.status },
            Ok(answer) => TryOutcome::Failed {
                status: Some(answer.status),
                error: format!("It answered {}.", answer.status),
            },
            Err(error) => no_answer(error.to_string()),
        }
    }

    fn target(&self, delivery: &LeasedDelivery) -> Result<(Url, Secret, &Outbound), &'static str> {
        let (SendTarget::Endpoint { url, sealed }, EventQueue::Endpoint(brand, endpoint)) =
            (&delivery.target, &delivery.queue)
        else {
            let operator = self.operator.as_ref().ok_or("SVC_EVENTS_URL is not set.")?;
            return Ok((operator.url.clone(), operator.secret.clone(), &operator.outbound));
        };
        let keys = self.sealing.as_ref().ok_or(
            "Sealing is off, so the signing secret cannot be opened. Ask the operator about SVC_REVEAL_KEYS.",
        )?;
        let secret = keys
            .open(sealed, SealOwner::event_endpoint(brand, endpoint))
            .map_err(|_| "The signing secret cannot be opened. Ask the operator about SVC_REVEAL_KEYS.")?;
        let url = Url::parse(url).map_err(|_| "The URL is damaged. Save the endpoint again.")?;
        Ok((url, secret, &self.outbound))
    }
}

fn record(delivery: &LeasedDelivery, finished: FinishedTry, outcome: &TryOutcome) {
    let label = match finished {
        FinishedTry::Delivered => "delivered",
        FinishedTry::Postponed => "later",
        FinishedTry::GivenUp => "given_up",
        FinishedTry::SwitchedOff => "switched_off",
        FinishedTry::LeaseLost => "lost",
    };
    metrics::counter!("svc_mcp_event_tries_total", "outcome" => label).increment(1);
    trace::note("svc_mcp.outcome", label);
    if let TryOutcome::Failed { error, .. } = outcome {
        let (queue, attempt) = (delivery.queue.name(), delivery.attempt);
        tracing::info!(
            event = delivery.event_id,
            queue,
            attempt,
            outcome = label,
            error,
            "event not delivered"
        );
    }
}

impl fmt::Debug for EventSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSender").field("operator", &self.operator.is_some()).finish_non_exhaustive()
    }
}

//! The attack: one brand uses all its keys at full speed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use super::{
    requests::request,
    slow_body::send_slow_body,
    target::{AttackKind, Target},
};
use crate::{Api, try_send};

/// A key may send one request in this time on average.
const STEADY_INTERVAL: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// Together more than the requests that a service handles at the same time (1024).
const SLOW_BODIES_PER_KEY: usize = 55;

/// The number of responses by kind and status; 0 stands for no response.
pub type ResponseCounts = BTreeMap<AttackKind, BTreeMap<u16, u64>>;

/// A running attack. Dropping it ends it.
#[derive(Debug)]
pub struct Attack {
    counts: Arc<Mutex<ResponseCounts>>,
    workers: JoinSet<()>,
}

struct Worker {
    kind: AttackKind,
    name: String,
    api: Api,
    bearer: String,
    target: Arc<Target>,
    min_interval: Duration,
    counts: Arc<Mutex<ResponseCounts>>,
}

impl Attack {
    /// `name` makes the requests of this attack different from those of an earlier one. Slow bodies use up what a brand has
    /// for bodies, so without them the large ones do more.
    pub fn start(target: &Target, name: &str, slow_bodies: bool) -> Self {
        let mut attack = Self { counts: Arc::default(), workers: JoinSet::new() };
        let target = Arc::new(target.clone());
        let http = Api::new("").at(target.address);
        let mut add = |kind, bearer: &str, min_interval| {
            let name = format!("{name}-{}", attack.workers.len());
            let (target, counts) = (Arc::clone(&target), Arc::clone(&attack.counts));
            let (api, bearer) = (http.with_bearer(bearer), bearer.to_owned());
            let worker = Worker { kind, name, api, bearer, target, min_interval, counts };
            attack.workers.spawn(worker.run());
        };
        for key in target.read_keys.iter().chain(&target.read_keys) {
            add(AttackKind::Refused, key, Duration::ZERO);
        }
        for (number, key) in target.write_keys.iter().enumerate() {
            let kind = match AttackKind::OF_WRITE_KEYS[number % AttackKind::OF_WRITE_KEYS.len()] {
                AttackKind::SlowBody if !slow_bodies => AttackKind::LargeBody,
                kind => kind,
            };
            // Half of the keys use up their limit at once. The others use it evenly, so that the attack never pauses.
            let is_steady = number / AttackKind::OF_WRITE_KEYS.len() % 2 == 1;
            let min_interval = if is_steady { STEADY_INTERVAL } else { Duration::ZERO };
            let workers = if kind == AttackKind::SlowBody { SLOW_BODIES_PER_KEY } else { 1 };
            for _ in 0..workers {
                add(kind, key, min_interval);
            }
        }
        for token in target.admin_tokens.iter().chain(&target.admin_tokens) {
            add(AttackKind::Recipients, token, Duration::ZERO);
        }
        attack
    }

    pub fn counts(&self) -> ResponseCounts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Cuts off the requests in flight.
    pub async fn stop(mut self) -> ResponseCounts {
        self.workers.shutdown().await;
        self.counts()
    }
}

impl Worker {
    async fn run(self) {
        for number in 0.. {
            let started = Instant::now();
            let (status, retry_after) = self.send(number).await;
            self.count(status);
            // Refused requests are the point of their kind. The other kinds wait until they are admitted again.
            if status == 429 && self.kind != AttackKind::Refused {
                sleep(retry_after.min(MAX_PAUSE)).await;
            }
            sleep_until(started + self.min_interval).await;
        }
    }

    /// The status, and when to try again.
    async fn send(&self, number: usize) -> (u16, Duration) {
        if self.kind == AttackKind::SlowBody {
            return (send_slow_body(self.target.address, &self.bearer).await, MAX_PAUSE);
        }
        let id = format!("{}-{number}", self.name);
        let request = request(self.kind, &self.api, &self.target, number, &id);
        let Ok(response) = try_send(request).await else { return (0, MAX_PAUSE) };
        let seconds = response.header("retry-after").parse().unwrap_or(1);
        (response.status, Duration::from_secs(seconds))
    }

    fn count(&self, status: u16) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(self.kind).or_default().entry(status).or_default() += 1;
    }
}

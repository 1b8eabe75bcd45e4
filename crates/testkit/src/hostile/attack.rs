//! The attack: one brand uses all its keys at full speed.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use super::requests::request;
use crate::{Api, try_send};

/// A key may send one request in this time on average.
const STEADY_INTERVAL: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// The service, and what the attacker has: a brand with keys, administrators and a site.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Target {
    pub address: SocketAddr,
    pub brand: String,
    pub site: String,
    pub write_keys: Vec<String>,
    pub read_keys: Vec<String>,
    pub admin_tokens: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AttackKind {
    /// Over the limit, for a wrong tool, or with the wrong scope.
    Refused,
    LargeBody,
    Audit,
    Analysis,
    /// Posts to webhooks that never answer.
    Post,
    /// Lists of recipients that replace each other.
    Recipients,
}

impl AttackKind {
    pub const ALL: [Self; 6] =
        [Self::Refused, Self::LargeBody, Self::Audit, Self::Analysis, Self::Post, Self::Recipients];
    /// Kinds of requests with write keys. The keys are dealt to them in turn.
    const OF_WRITE_KEYS: [Self; 5] =
        [Self::LargeBody, Self::Audit, Self::LargeBody, Self::Analysis, Self::Post];
}

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
    target: Arc<Target>,
    min_interval: Duration,
    counts: Arc<Mutex<ResponseCounts>>,
}

impl Attack {
    /// `name` makes the requests of this attack different from those of an earlier one.
    pub fn start(target: &Target, name: &str) -> Self {
        let mut attack = Self { counts: Arc::default(), workers: JoinSet::new() };
        let target = Arc::new(target.clone());
        let http = Api::new("").at(target.address);
        let mut add = |kind, bearer: &str, min_interval| {
            let name = format!("{name}-{}", attack.workers.len());
            let (target, counts) = (Arc::clone(&target), Arc::clone(&attack.counts));
            let worker = Worker { kind, name, api: http.with_bearer(bearer), target, min_interval, counts };
            attack.workers.spawn(worker.run());
        };
        for key in target.read_keys.iter().chain(&target.read_keys) {
            add(AttackKind::Refused, key, Duration::ZERO);
        }
        for (number, key) in target.write_keys.iter().enumerate() {
            let kind = AttackKind::OF_WRITE_KEYS[number % AttackKind::OF_WRITE_KEYS.len()];
            // Half of the keys use up their limit at once. The others use it evenly, so that the attack never pauses.
            let min_interval = if number % 2 == 0 { Duration::ZERO } else { STEADY_INTERVAL };
            add(kind, key, min_interval);
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
            let id = format!("{}-{number}", self.name);
            let response = try_send(request(self.kind, &self.api, &self.target, number, &id)).await;
            let status = response.as_ref().map_or(0, |response| response.status);
            self.count(status);
            // Refused requests are the point of their kind. The other kinds wait until they are admitted again.
            if status == 429 && self.kind != AttackKind::Refused {
                let seconds = response.ok().and_then(|response| response.header("retry-after").parse().ok());
                sleep(Duration::from_secs(seconds.unwrap_or(1)).min(MAX_PAUSE)).await;
            }
            sleep_until(started + self.min_interval).await;
        }
    }

    fn count(&self, status: u16) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(self.kind).or_default().entry(status).or_default() += 1;
    }
}

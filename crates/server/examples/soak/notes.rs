//! What is noted while it runs: faults, errors, admitted requests, memory.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::RwLock;

use svc_mcp_testkit::{Answer, cluster::Cluster};

/// What a fault may make a client see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Explains {
    /// 503 of the service itself.
    Unavailable,
    /// An error of the balancer, or a broken connection to an instance.
    Broken,
    /// Nothing: it must not be seen.
    Nothing,
}

#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) explains: Vec<Explains>,
    pub(crate) begun: Instant,
    /// Until things have settled again.
    pub(crate) over: Instant,
}

#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) kind: Explains,
    pub(crate) begun: Instant,
    pub(crate) ended: Instant,
}

/// A request that a key was admitted for, and by which process.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub(crate) begun: Instant,
    pub(crate) ended: Instant,
    pub(crate) by: String,
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    faults: Mutex<Vec<Fault>>,
    failures: Mutex<Vec<Failure>>,
    violations: Mutex<Vec<String>>,
    admitted: Mutex<BTreeMap<String, Vec<Admitted>>>,
    /// When an instance noticed that Redis is gone.
    degraded: Mutex<Vec<Instant>>,
    /// When faults of Redis began.
    redis_from: Mutex<Option<Instant>>,
    /// Of the instance that is never restarted, in KiB.
    memory: Mutex<Vec<(Instant, u64)>>,
    /// How often each instance was started again.
    lives: [AtomicU64; 3],
    pub(crate) answered: AtomicU64,
    pub(crate) revoked: AtomicU64,
    pub(crate) refused_after: AtomicU64,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Notes {
    pub(crate) fn fault(&self, fault: Fault) {
        held(&self.faults).push(fault);
    }

    /// Something that must never happen.
    pub(crate) fn violation(&self, what: String) {
        println!("VIOLATION: {what}");
        held(&self.violations).push(what);
    }

    pub(crate) fn started_again(&self, instance: usize) {
        self.lives[instance].fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn redis_is_next(&self) {
        *held(&self.redis_from) = Some(Instant::now());
    }

    /// Notes how a request came out, and gives the answer where there was one that is no failure.
    pub(crate) fn outcome(
        &self,
        what: &str,
        begun: Instant,
        outcome: Result<Answer, reqwest::Error>,
    ) -> Option<Answer> {
        let ended = Instant::now();
        let (kind, told) = match outcome {
            Ok(answer) if answer.status < 500 => {
                self.answered.fetch_add(1, Ordering::SeqCst);
                return Some(answer);
            }
            Ok(answer) if answer.is_unavailable() => {
                (Explains::Unavailable, format!("{what}: 503 unavailable"))
            }
            Ok(answer) if answer.code().is_empty() && matches!(answer.status, 502..=504) => {
                (Explains::Broken, format!("{what}: {} of the balancer", answer.status))
            }
            Ok(answer) => (Explains::Nothing, format!("{what}: {} {}", answer.status, answer.text)),
            Err(error) if error.is_timeout() => (Explains::Nothing, format!("{what}: no answer in time")),
            Err(error) => (Explains::Broken, format!("{what}: {error:?}")),
        };
        held(&self.failures).push(Failure { what: told, kind, begun, ended });
        None
    }

    /// Notes that a key was admitted: for the limit.
    pub(crate) fn admitted(&self, key: &str, begun: Instant, answer: &Answer) {
        let server = answer.header("x-served-by");
        let life = server.parse::<usize>().ok().and_then(|number| self.lives.get(number));
        let life = life.map_or(0, |life| life.load(Ordering::SeqCst));
        let admitted = Admitted { begun, ended: Instant::now(), by: format!("{server}, life {life}") };
        held(&self.admitted).entry(key.to_owned()).or_default().push(admitted);
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        held(&self.faults).clone()
    }

    pub(crate) fn failures(&self) -> Vec<Failure> {
        held(&self.failures).clone()
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        held(&self.violations).clone()
    }

    pub(crate) fn all_admitted(&self) -> BTreeMap<String, Vec<Admitted>> {
        held(&self.admitted).clone()
    }

    /// Whether every instance counted over Redis in this span.
    pub(crate) fn was_shared(&self, from: Instant, to: Instant) -> bool {
        let before_faults = held(&self.redis_from).is_none_or(|begun| to < begun);
        let margin = Duration::from_secs(3);
        let degraded = held(&self.degraded);
        before_faults && !degraded.iter().any(|at| *at + margin > from && *at < to + margin)
    }

    pub(crate) fn memory(&self) -> Vec<(Instant, u64)> {
        held(&self.memory).clone()
    }
}

/// Looks at memory and logs, until it is stopped.
pub(crate) async fn watch(cluster: Arc<RwLock<Cluster>>, notes: Arc<Notes>) {
    let mut degradations = 0;
    loop {
        {
            let cluster = cluster.read().await;
            held(&notes.memory).push((Instant::now(), cluster.instances[0].memory()));
            let now = cluster.degradations();
            if now != degradations {
                held(&notes.degraded).push(Instant::now());
                degradations = now;
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

//! Records of a run: faults, errors, admitted requests, memory.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::RwLock;

use svc_mcp_testkit::{ApiResponse, cluster::Cluster};

/// No response takes longer, also during a fault.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(15);

/// A kind of failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// 503 from the service.
    Unavailable,
    /// An error from the load balancer, or a broken connection.
    Broken,
    /// No fault explains this.
    Unexplained,
}

#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) description: String,
    /// The failures that this fault may cause.
    pub(crate) explains: Vec<FailureKind>,
    pub(crate) started: Instant,
    /// When all instances had recovered.
    pub(crate) ended: Instant,
}

#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) description: String,
    pub(crate) kind: FailureKind,
    pub(crate) started: Instant,
    pub(crate) ended: Instant,
}

/// An admitted request, and the process that admitted it.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub(crate) started: Instant,
    pub(crate) ended: Instant,
    pub(crate) by: String,
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    faults: Mutex<Vec<Fault>>,
    failures: Mutex<Vec<Failure>>,
    violations: Mutex<Vec<String>>,
    admitted: Mutex<BTreeMap<String, Vec<Admitted>>>,
    /// When an instance logged that Redis is gone.
    degraded: Mutex<Vec<Instant>>,
    /// When faults of Redis started.
    redis_faults_from: Mutex<Option<Instant>>,
    /// The memory of the instance that is never restarted, in KiB.
    memory: Mutex<Vec<(Instant, u64)>>,
    /// How often each instance was restarted.
    restarts: [AtomicU64; 3],
    pub(crate) answered: AtomicU64,
    pub(crate) revoked: AtomicU64,
    pub(crate) refused_after: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Notes {
    pub(crate) fn add_fault(&self, fault: Fault) {
        lock(&self.faults).push(fault);
    }

    /// Something that must never happen.
    pub(crate) fn add_violation(&self, what: String) {
        println!("VIOLATION: {what}");
        lock(&self.violations).push(what);
    }

    pub(crate) fn add_restart(&self, instance: usize) {
        self.restarts[instance].fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn start_redis_faults(&self) {
        *lock(&self.redis_faults_from) = Some(Instant::now());
    }

    /// Records the outcome of a request, and returns the response unless it is a failure.
    pub(crate) fn add_outcome(
        &self,
        what: &str,
        started: Instant,
        outcome: Result<ApiResponse, reqwest::Error>,
    ) -> Option<ApiResponse> {
        let ended = Instant::now();
        let (kind, description) = match outcome {
            Ok(_) if ended - started > MAX_RESPONSE_TIME => {
                (FailureKind::Unexplained, format!("{what}: a response after {:?}", ended - started))
            }
            Ok(response) if response.status < 500 => {
                self.answered.fetch_add(1, Ordering::SeqCst);
                return Some(response);
            }
            Ok(response) if response.is_unavailable() => {
                (FailureKind::Unavailable, format!("{what}: 503 unavailable"))
            }
            Ok(response) if response.code().is_empty() && matches!(response.status, 502..=504) => {
                (FailureKind::Broken, format!("{what}: {} from the balancer", response.status))
            }
            Ok(response) => {
                (FailureKind::Unexplained, format!("{what}: {} {}", response.status, response.text))
            }
            Err(error) if error.is_timeout() => {
                (FailureKind::Unexplained, format!("{what}: no response in time"))
            }
            Err(error) => (FailureKind::Broken, format!("{what}: {error:?}")),
        };
        lock(&self.failures).push(Failure { description, kind, started, ended });
        None
    }

    /// Records that a request of a key was admitted, for the check of the rate limit.
    pub(crate) fn add_admitted(&self, key: &str, started: Instant, response: &ApiResponse) {
        let server = response.header("x-served-by");
        let restarts = server.parse::<usize>().ok().and_then(|number| self.restarts.get(number));
        let restarts = restarts.map_or(0, |count| count.load(Ordering::SeqCst));
        let admitted =
            Admitted { started, ended: Instant::now(), by: format!("{server} after {restarts} restarts") };
        lock(&self.admitted).entry(key.to_owned()).or_default().push(admitted);
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        lock(&self.faults).clone()
    }

    pub(crate) fn failures(&self) -> Vec<Failure> {
        lock(&self.failures).clone()
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        lock(&self.violations).clone()
    }

    pub(crate) fn all_admitted(&self) -> BTreeMap<String, Vec<Admitted>> {
        lock(&self.admitted).clone()
    }

    /// Whether all instances shared the rate limit in this time.
    pub(crate) fn was_shared(&self, from: Instant, to: Instant) -> bool {
        let before_faults = lock(&self.redis_faults_from).is_none_or(|start| to < start);
        let margin = Duration::from_secs(3);
        let degraded = lock(&self.degraded);
        before_faults && !degraded.iter().any(|at| *at + margin > from && *at < to + margin)
    }

    pub(crate) fn memory(&self) -> Vec<(Instant, u64)> {
        lock(&self.memory).clone()
    }
}

/// Records memory and degradations until the task is stopped.
pub(crate) async fn watch(cluster: Arc<RwLock<Cluster>>, notes: Arc<Notes>) {
    let mut degradations = 0;
    loop {
        {
            let cluster = cluster.read().await;
            lock(&notes.memory).push((Instant::now(), cluster.instances[0].memory_kib()));
            let now = cluster.degradations();
            if now != degradations {
                lock(&notes.degraded).push(Instant::now());
                degradations = now;
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

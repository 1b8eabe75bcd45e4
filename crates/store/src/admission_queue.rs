//! The admission queue in front of the database: as many queries at a time as it has connections, and a bounded queue.
//!
//! A request that would wait too long is rejected at once, so that a slow database makes some requests fail early instead
//! of all of them late. The expected wait comes from the pace of the queue: a fast database may have a long queue, a slow
//! one a short queue.
//!
//! [`MIN_QUEUE`] requests may always wait, whatever the pace. After a restart the first queries open connections and read
//! cold pages. Their latency says nothing about the queries after them, so a normal load waits a moment.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout},
};

/// The longest wait for the database, and the longest expected wait with which a request may join a queue of `MIN_QUEUE` or more.
const MAX_WAIT: Duration = Duration::from_secs(1);
const MIN_QUEUE: u32 = 64;
const MAX_QUEUE: u32 = 1024;
/// For a queue of one brand or key: its requests wait only for each other, so they may wait longer. Their number is small,
/// because each also counts as a request in flight.
const MAX_PATIENT_WAIT: Duration = Duration::from_secs(5);
const MAX_PATIENT_QUEUE: u32 = 256;
/// A measured pace is used for this long after the queue was last in use.
const PACE_VALID_FOR: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct AdmissionQueue {
    permits: Semaphore,
    max_wait: Duration,
    max_queue: u32,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    permits: u32,
    waiting: u32,
    /// The average time between two admissions from the queue.
    pace: Duration,
    /// When the last request was admitted from the queue, or the first one began to wait.
    last_moved: Instant,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

impl AdmissionQueue {
    pub(crate) fn new(permits: usize) -> Self {
        let state = State {
            permits: u32::try_from(permits).unwrap_or(u32::MAX),
            waiting: 0,
            pace: Duration::ZERO,
            last_moved: Instant::now(),
        };
        let permits = Semaphore::new(permits);
        Self { permits, max_wait: MAX_WAIT, max_queue: MAX_QUEUE, state: Mutex::new(state) }
    }

    /// A queue of one brand or key.
    pub(crate) fn patient(permits: usize) -> Self {
        Self { max_wait: MAX_PATIENT_WAIT, max_queue: MAX_PATIENT_QUEUE, ..Self::new(permits) }
    }

    /// For a request: it may be rejected.
    pub(crate) async fn acquire(&self) -> Result<SemaphorePermit<'_>, QueueFull> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Ok(permit);
        }
        self.state.lock().join(self.max_wait, self.max_queue)?;
        let _waiting = Waiting(self);
        let permit = timeout(self.max_wait, self.permits.acquire()).await;
        let permit = permit.map_err(|_| QueueFull)?.expect("the semaphore is never closed");
        self.state.lock().record_move();
        Ok(permit)
    }

    pub(crate) fn waiting(&self) -> u32 {
        self.state.lock().waiting
    }

    /// For background work: it waits as long as it takes.
    pub(crate) async fn acquire_patiently(&self) -> SemaphorePermit<'_> {
        self.permits.acquire().await.expect("the semaphore is never closed")
    }
}

impl State {
    fn join(&mut self, max_wait: Duration, max_queue: u32) -> Result<(), QueueFull> {
        let now = Instant::now();
        if self.waiting == 0 {
            if now - self.last_moved > PACE_VALID_FOR {
                self.pace = Duration::ZERO;
            }
            self.last_moved = now;
        }
        // Every query has run at least since the last move, and all of them may end together.
        let pace = self.pace.max((now - self.last_moved) / self.permits);
        let is_too_slow = self.waiting >= MIN_QUEUE && pace * self.waiting > max_wait;
        if self.waiting >= max_queue || is_too_slow {
            return Err(QueueFull);
        }
        self.waiting += 1;
        Ok(())
    }

    fn record_move(&mut self) {
        let now = Instant::now();
        // Queries that run at the same time often end together. The average covers two such bursts, so that one stall
        // is not mistaken for the pace.
        let weight = (2 * self.permits).max(8);
        self.pace = self.pace * (weight - 1) / weight + (now - self.last_moved) / weight;
        self.last_moved = now;
    }
}

/// Leaves the queue when it is dropped, also if the request was cancelled.
struct Waiting<'a>(&'a AdmissionQueue);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.state.lock().waiting -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::{task::JoinSet, time::sleep};

    use super::*;

    /// Sends `requests` at once. Each one that is admitted takes `latency`. Returns how many were admitted, and how many
    /// of the others had waited first.
    async fn load(queue: &Arc<AdmissionQueue>, requests: usize, latency: Duration) -> (usize, usize) {
        let mut tasks = JoinSet::new();
        for _ in 0..requests {
            let queue = Arc::clone(queue);
            tasks.spawn(async move {
                let started = Instant::now();
                let permit = queue.acquire().await.map_err(|QueueFull| started.elapsed())?;
                sleep(latency).await;
                drop(permit);
                Ok::<_, Duration>(())
            });
        }
        let outcomes = tasks.join_all().await;
        assert!(outcomes.iter().all(|outcome| outcome.is_ok() || *outcome <= Err(MAX_WAIT)));
        let admitted = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        (admitted, outcomes.iter().filter(|outcome| outcome.is_err_and(|waited| !waited.is_zero())).count())
    }

    #[tokio::test(start_paused = true)]
    async fn fast_database_serves_a_thousand_concurrent_requests() {
        let queue = Arc::new(AdmissionQueue::new(16));
        assert_eq!(load(&queue, 1000, Duration::from_millis(2)).await.0, 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn queue_is_bounded_even_if_the_database_is_fast() {
        let queue = Arc::new(AdmissionQueue::new(16));
        let (admitted, _) = load(&queue, 5000, Duration::from_micros(10)).await;
        assert_eq!(admitted, 16 + MAX_QUEUE as usize);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_database_rejects_most_of_an_overload_at_once() {
        let queue = Arc::new(AdmissionQueue::new(16));
        let latency = Duration::from_millis(400);
        // The pace is not known yet, so many wait until the timeout.
        let (admitted, timed_out) = load(&queue, 300, latency).await;
        assert_eq!((admitted, timed_out), (48, 252));
        let mut loads = JoinSet::new();
        for _ in 0..200 {
            sleep(Duration::from_millis(10)).await;
            let queue = Arc::clone(&queue);
            loads.spawn(async move { load(&queue, 10, latency).await });
        }
        let (admitted, timed_out): (Vec<_>, Vec<_>) = loads.join_all().await.into_iter().unzip();
        let (admitted, timed_out): (usize, usize) = (admitted.iter().sum(), timed_out.iter().sum());
        assert!(
            admitted > 64 && timed_out < 300,
            "of 2,000 requests {admitted} were admitted and {timed_out} timed out"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn hanging_database_gets_a_short_queue_and_recovers() {
        let queue = Arc::new(AdmissionQueue::new(4));
        let mut hanging = Vec::new();
        for _ in 0..4 {
            hanging.push(queue.acquire().await.expect("a permit"));
        }
        assert_eq!(load(&queue, 100, Duration::ZERO).await, (0, 100), "it may answer at any moment");
        let first = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.acquire().await.map(drop) }
        });
        sleep(MAX_WAIT.saturating_sub(Duration::from_millis(1))).await;
        // After a long time without progress the queue has its minimum length. One place in it is taken.
        assert_eq!(load(&queue, 100, Duration::ZERO).await, (0, MIN_QUEUE as usize - 1));
        assert_eq!(first.await.expect("no panic"), Err(QueueFull));
        hanging.clear();
        assert_eq!(load(&queue, 500, Duration::from_millis(1)).await.0, 500);
    }

    /// 64 clients that send one request after the other, to a database whose first queries take most of a second.
    #[tokio::test(start_paused = true)]
    async fn clients_of_a_cold_database_wait_and_are_not_rejected() {
        for cold_latency in [100, 400, 900].map(Duration::from_millis) {
            let queue = Arc::new(AdmissionQueue::new(16));
            let mut clients = JoinSet::new();
            for number in 0..64 {
                let queue = Arc::clone(&queue);
                clients.spawn(async move {
                    for request in 0..50 {
                        let permit = queue.acquire().await.expect("no request is rejected");
                        let is_cold = request == 0 && number < 16;
                        sleep(if is_cold { cold_latency } else { Duration::from_millis(2) }).await;
                        drop(permit);
                    }
                });
            }
            clients.join_all().await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_request_leaves_the_queue() {
        let queue = Arc::new(AdmissionQueue::new(1));
        let permit = queue.acquire().await.expect("a permit");
        for _ in 0..10 {
            assert!(timeout(Duration::from_millis(1), queue.acquire()).await.is_err());
        }
        assert_eq!(queue.state.lock().waiting, 0);
        drop(permit);
        assert!(queue.acquire().await.is_ok());
    }
}

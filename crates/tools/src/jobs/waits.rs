//! Calls that wait for the end of a job. A waiting call is woken when the job ends in this process.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use svc_mcp_access::BrandId;
use tokio::{
    sync::Notify,
    time::{Instant, timeout, timeout_at},
};

/// How many calls of all brands may wait in this process.
const MAX_WAITS: usize = 1_024;
/// A job that another process runs ends without a notification, so the store is polled too.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How long the last poll may go on after the end of the wait.
const LAST_POLL_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct JobWaits {
    state: Mutex<State>,
    poll_interval: Duration,
}

impl Default for JobWaits {
    fn default() -> Self {
        Self { state: Mutex::default(), poll_interval: POLL_INTERVAL }
    }
}

#[derive(Debug, Default)]
struct State {
    total: usize,
    by_brand: HashMap<BrandId, u32>,
    by_record: HashMap<String, RecordWaits>,
}

/// The calls that wait for the jobs of one record, such as an audit.
#[derive(Debug, Default)]
struct RecordWaits {
    job_ended: Arc<Notify>,
    count: usize,
}

impl JobWaits {
    /// `None` if `max_waits` calls of the brand wait already in this process, or too many of all brands.
    pub fn begin(self: &Arc<Self>, brand: &BrandId, record_id: &str, max_waits: u32) -> Option<JobWait> {
        let mut state = self.lock();
        let of_brand = state.by_brand.get(brand).copied().unwrap_or(0);
        if state.total >= MAX_WAITS || of_brand >= max_waits {
            return None;
        }
        state.total += 1;
        *state.by_brand.entry(brand.clone()).or_default() += 1;
        let record = state.by_record.entry(record_id.to_owned()).or_default();
        record.count += 1;
        Some(JobWait {
            job_ended: Arc::clone(&record.job_ended),
            waits: Arc::clone(self),
            brand: brand.clone(),
            record_id: record_id.to_owned(),
        })
    }

    /// How many calls of the brand wait in this process.
    pub fn count(&self, brand: &BrandId) -> u32 {
        self.lock().by_brand.get(brand).copied().unwrap_or(0)
    }

    /// Wakes the calls that wait for a job of this record.
    pub fn job_ended(&self, record_id: &str) {
        if let Some(record) = self.lock().by_record.get(record_id) {
            record.job_ended.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One waiting call, until this is dropped.
#[derive(Debug)]
pub struct JobWait {
    waits: Arc<JobWaits>,
    brand: BrandId,
    record_id: String,
    job_ended: Arc<Notify>,
}

impl JobWait {
    /// Polls now, whenever a job of the record ends, at intervals, and at the end of the wait.
    pub async fn poll_until<T, F: Future<Output = Option<T>>>(
        self,
        max_wait: Duration,
        mut poll: impl FnMut() -> F,
    ) -> Option<T> {
        let end = Instant::now() + max_wait;
        let polling = async {
            loop {
                // Created before the poll: a job that ends during the poll is noticed too.
                let job_ended = self.job_ended.notified();
                if let Some(found) = poll().await {
                    return Some(found);
                }
                let now = Instant::now();
                if now >= end {
                    return None;
                }
                let _ = timeout_at(end.min(now + self.waits.poll_interval), job_ended).await;
            }
        };
        timeout(max_wait + LAST_POLL_TIMEOUT, polling).await.ok().flatten()
    }
}

impl Drop for JobWait {
    fn drop(&mut self) {
        let mut state = self.waits.lock();
        state.total -= 1;
        if let Some(count) = state.by_brand.get_mut(&self.brand) {
            *count -= 1;
            if *count == 0 {
                state.by_brand.remove(&self.brand);
            }
        }
        if let Some(record) = state.by_record.get_mut(&self.record_id) {
            record.count -= 1;
            if record.count == 0 {
                state.by_record.remove(&self.record_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    fn brand(id: &str) -> BrandId {
        id.parse().unwrap()
    }

    #[test]
    fn ninth_call_of_a_brand_does_not_wait() {
        let waits = Arc::new(JobWaits::default());
        let mut held: Vec<JobWait> = (0..8)
            .map(|number| waits.begin(&brand("acme"), &format!("audit_{number}"), 8).unwrap())
            .collect();
        assert!(waits.begin(&brand("acme"), "audit_0", 8).is_none());
        assert!(waits.begin(&brand("umbrella"), "audit_9", 8).is_some(), "another brand may wait");
        assert_eq!((waits.count(&brand("acme")), waits.count(&brand("umbrella"))), (8, 0));
        held.pop();
        held.push(waits.begin(&brand("acme"), "audit_0", 8).unwrap());
        drop(held);
        let state = waits.lock();
        assert_eq!((state.total, state.by_brand.len(), state.by_record.len()), (0, 0, 0));
    }

    #[tokio::test]
    async fn end_of_the_job_wakes_its_waiting_calls() {
        let waits = Arc::new(JobWaits { poll_interval: Duration::from_hours(1), ..JobWaits::default() });
        let polls = Arc::new(AtomicUsize::new(0));
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let (wait, polls) = (waits.begin(&brand("acme"), "audit_1", 8).unwrap(), Arc::clone(&polls));
                tokio::spawn(wait.poll_until(Duration::from_hours(1), move || {
                    let nth = polls.fetch_add(1, SeqCst);
                    async move { (nth >= 3).then_some("done") }
                }))
            })
            .collect();
        while polls.load(SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
        waits.job_ended("audit_2");
        waits.job_ended("audit_1");
        for call in waiting {
            assert_eq!(call.await.unwrap(), Some("done"));
        }
        assert_eq!(waits.lock().total, 0);
    }

    #[tokio::test]
    async fn job_of_another_process_is_found_by_polling() {
        let waits = Arc::new(JobWaits { poll_interval: Duration::from_millis(1), ..JobWaits::default() });
        let wait = waits.begin(&brand("acme"), "audit_1", 8).unwrap();
        let mut polls = 0;
        let found = wait.poll_until(Duration::from_hours(1), || {
            polls += 1;
            let found = polls == 2;
            async move { found.then_some("done") }
        });
        assert_eq!(found.await, Some("done"));
    }
}

//! Limits how much of the database one brand uses at the same time, so that the others are not delayed.
//!
//! Changes of one brand wait for each other, because quotas are counted under a lock. While they wait, they hold
//! connections. Without this limit, one brand with many concurrent changes held all of them, and requests of other brands
//! were rejected.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use svc_mcp_access::BrandId;
use tokio::sync::SemaphorePermit;

use crate::admission_queue::{AdmissionQueue, QueueFull};

#[derive(Debug)]
pub(crate) struct BrandQueues {
    max_per_brand: usize,
    /// The brands that use the database now, or wait for it.
    queues: Mutex<HashMap<BrandId, Arc<AdmissionQueue>>>,
}

/// The queue of one brand, for one request.
#[derive(Debug)]
pub(crate) struct BrandQueue<'a> {
    queues: &'a BrandQueues,
    brand: &'a BrandId,
    queue: Arc<AdmissionQueue>,
}

impl BrandQueues {
    /// A brand may use half of what all brands may use together.
    pub(crate) fn new(max_of_all: usize) -> Self {
        Self { max_per_brand: (max_of_all / 2).max(1), queues: Mutex::default() }
    }

    pub(crate) fn queue<'a>(&'a self, brand: &'a BrandId) -> BrandQueue<'a> {
        let mut queues = self.queues.lock();
        let queue = match queues.get(brand) {
            Some(queue) => Arc::clone(queue),
            None => {
                let queue = Arc::new(AdmissionQueue::new(self.max_per_brand));
                queues.insert(brand.clone(), Arc::clone(&queue));
                queue
            }
        };
        BrandQueue { queues: self, brand, queue }
    }
}

impl BrandQueue<'_> {
    /// The request may be rejected, because of the other requests of its brand.
    pub(crate) async fn acquire(&self) -> Result<SemaphorePermit<'_>, QueueFull> {
        self.queue.acquire().await
    }
}

impl Drop for BrandQueue<'_> {
    fn drop(&mut self) {
        let mut queues = self.queues.queues.lock();
        // The map and this request: nobody else uses the queue, and nobody can begin to while the map is locked.
        if Arc::strong_count(&self.queue) == 2 {
            queues.remove(self.brand);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand(id: &str) -> BrandId {
        id.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn one_brand_uses_at_most_half() {
        let queues = BrandQueues::new(4);
        let (greedy, other) = (brand("greedy"), brand("other"));
        let requests = [queues.queue(&greedy), queues.queue(&greedy), queues.queue(&greedy)];
        let _first = requests[0].acquire().await.unwrap();
        let _second = requests[1].acquire().await.unwrap();
        assert!(requests[2].acquire().await.is_err(), "it waits, and is rejected after a while");
        let request = queues.queue(&other);
        assert!(request.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn queue_is_forgotten_when_no_request_uses_it() {
        let queues = BrandQueues::new(4);
        let brand = brand("acme");
        let (first, second) = (queues.queue(&brand), queues.queue(&brand));
        drop(first);
        assert_eq!(queues.queues.lock().len(), 1);
        let permit = second.acquire().await.unwrap();
        drop(permit);
        drop(second);
        assert_eq!(queues.queues.lock().len(), 0);
    }
}

//! Queues in front of the admission queue, so that one brand does not keep the database from the others.
//!
//! Changes of one brand wait for each other, because quotas are counted under a lock. While they wait, they hold
//! connections. Without a limit, one brand with many concurrent changes held all of them, and requests of other brands
//! were rejected.
//!
//! The brand is known only after the lookup of a key. Without Redis each request looks its key up, so lookups of the same
//! key wait for each other: a flood with 50 keys is 50 lookups at a time.

use svc_mcp_access::{BrandId, key::KeyDigest};
use svc_mcp_tools::ref_counted_map::RefCountedMap;

use crate::admission_queue::AdmissionQueue;

#[derive(Debug)]
pub(crate) struct FairQueues {
    pub(crate) of_brands: RefCountedMap<BrandId, AdmissionQueue>,
    pub(crate) of_keys: RefCountedMap<KeyDigest, AdmissionQueue>,
}

impl FairQueues {
    /// A brand may use half of what all brands may use together.
    pub(crate) fn new(max_of_all: usize) -> Self {
        let max_per_brand = (max_of_all / 2).max(1);
        Self {
            of_brands: RefCountedMap::new(move || AdmissionQueue::patient(max_per_brand)),
            of_keys: RefCountedMap::new(|| AdmissionQueue::patient(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_brand_uses_at_most_half() {
        let queues = FairQueues::new(4).of_brands;
        let (greedy, other) = ("greedy".parse().unwrap(), "other".parse().unwrap());
        let requests = [queues.get(&greedy), queues.get(&greedy), queues.get(&greedy)];
        let _first = requests[0].acquire().await.unwrap();
        let _second = requests[1].acquire().await.unwrap();
        assert!(requests[2].acquire().await.is_err(), "it waits, and is rejected after a while");
        assert!(queues.get(&other).acquire().await.is_ok());
    }
}

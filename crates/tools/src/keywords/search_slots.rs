//! Bounds how many searches of a brand run at the same time, because each holds megabytes of texts.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use svc_mcp_access::BrandId;

const MAX_SEARCHES_AT_A_TIME: usize = 4;

/// Cheap to clone; clones share their counts.
#[derive(Debug, Clone, Default)]
pub struct SearchSlots(Arc<Mutex<HashMap<BrandId, usize>>>);

/// The place of one running search.
#[derive(Debug)]
pub(super) struct SearchSlot {
    slots: SearchSlots,
    brand: BrandId,
}

impl SearchSlots {
    /// `None`: too many searches of this brand are running.
    pub(super) fn acquire(&self, brand: &BrandId) -> Option<SearchSlot> {
        let mut running = self.lock();
        let count = running.entry(brand.clone()).or_default();
        if *count >= MAX_SEARCHES_AT_A_TIME {
            return None;
        }
        *count += 1;
        Some(SearchSlot { slots: self.clone(), brand: brand.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<BrandId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SearchSlot {
    fn drop(&mut self) {
        let mut running = self.slots.lock();
        if let Some(count) = running.get_mut(&self.brand) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.brand);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_brand_has_its_own_slots() {
        let slots = SearchSlots::default();
        let (acme, umbrella): (BrandId, BrandId) = ("acme".parse().unwrap(), "umbrella".parse().unwrap());
        let mut running: Vec<_> =
            (0..MAX_SEARCHES_AT_A_TIME).map(|_| slots.acquire(&acme).unwrap()).collect();
        assert!(slots.acquire(&acme).is_none() && slots.acquire(&umbrella).is_some());
        running.pop();
        assert!(slots.acquire(&acme).is_some());
        running.clear();
        assert!(slots.lock().is_empty());
    }
}

//! Counters of committed write transactions. A cache that stores the counter with a value knows whether the value was read
//! before a change of this process. The macro `transaction!` counts every transaction.

use std::{
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

use svc_mcp_access::BrandId;

/// Brands with the same hash share a counter. A change of one of them then invalidates what is cached of the others too.
const COUNTERS: usize = 1024;

/// For which brands a transaction may change something that quotas count, and with SQLite, which connection writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteScope<'a> {
    AllBrands,
    Brand(&'a BrandId),
    NoBrand,
    /// Uses of keys, which no quota counts. SQLite writes them on a thread with a low priority.
    Uses,
}

#[derive(Debug)]
pub(crate) struct WriteGenerations {
    of_all: AtomicU64,
    of_brands: Box<[AtomicU64]>,
    hasher: RandomState,
}

impl Default for WriteGenerations {
    fn default() -> Self {
        Self {
            of_all: AtomicU64::new(0),
            of_brands: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl WriteGenerations {
    /// Increases with every write transaction that may concern the brand.
    pub(crate) fn of(&self, brand: &BrandId) -> u64 {
        // Both only increase, so an equal sum means that neither has changed.
        self.of_all.load(Ordering::SeqCst) + self.of_brand(brand).load(Ordering::SeqCst)
    }

    /// Call it after the commit, also after one that failed: its outcome may be unknown.
    pub(crate) fn count(&self, scope: WriteScope<'_>) {
        let counter = match scope {
            WriteScope::AllBrands => &self.of_all,
            WriteScope::Brand(brand) => self.of_brand(brand),
            WriteScope::NoBrand | WriteScope::Uses => return,
        };
        counter.fetch_add(1, Ordering::SeqCst);
    }

    fn of_brand(&self, brand: &BrandId) -> &AtomicU64 {
        let hash = self.hasher.hash_one(brand);
        let index = usize::try_from(hash % COUNTERS as u64).unwrap_or(0);
        &self.of_brands[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_counts_for_the_brands_of_its_scope() {
        let generations = WriteGenerations::default();
        let acme: BrandId = "acme".parse().unwrap();
        let has_other_counter =
            |brand: &BrandId| !std::ptr::eq(generations.of_brand(brand), generations.of_brand(&acme));
        let mut others = (0..).map(|number| format!("brand_{number}").parse().unwrap());
        let other: BrandId = others.find(has_other_counter).unwrap();
        let counted = |scope| {
            let before = (generations.of(&acme), generations.of(&other));
            generations.count(scope);
            (generations.of(&acme) - before.0, generations.of(&other) - before.1)
        };
        assert_eq!(counted(WriteScope::Brand(&acme)), (1, 0));
        assert_eq!(counted(WriteScope::AllBrands), (1, 1));
        assert_eq!(counted(WriteScope::NoBrand), (0, 0));
    }
}

//! Cached keys of the same brand, plan or owner share one allocation for its id. Keys of a brand also share what
//! their usage has in common.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    sync::Arc,
};

use parking_lot::Mutex;
use svc_mcp_access::{
    BrandId, PlanId, UserId,
    decision::KeyState,
    usage::{BrandUsage, UsageCounter},
};

/// When a set has this many ids, it is cleared. Ids that are in use stay valid; only later copies are not shared with them.
const MAX_IDS: usize = 50_000;

#[derive(Debug, Default)]
pub(crate) struct IdInterner(Mutex<Ids>);

#[derive(Debug, Default)]
struct Ids {
    brands: HashMap<BrandId, Arc<BrandUsage>>,
    plans: HashSet<PlanId>,
    users: HashSet<UserId>,
}

impl IdInterner {
    pub(crate) fn intern(&self, key_state: &mut KeyState) {
        let mut ids = self.0.lock();
        ids.intern_brand(key_state);
        intern(&mut ids.plans, &mut key_state.plan_id);
        intern(&mut ids.users, &mut key_state.owner);
    }

    pub(crate) fn clear(&self) {
        *self.0.lock() = Ids::default();
    }
}

impl Ids {
    fn intern_brand(&mut self, key_state: &mut KeyState) {
        if let Some((shared, usage)) = self.brands.get_key_value(&key_state.brand_id) {
            key_state.brand_id = shared.clone();
            key_state.usage = UsageCounter::of_brand(Arc::clone(usage));
            return;
        }
        if self.brands.len() >= MAX_IDS {
            self.brands.clear();
        }
        let usage = Arc::<BrandUsage>::default();
        self.brands.insert(key_state.brand_id.clone(), Arc::clone(&usage));
        key_state.usage = UsageCounter::of_brand(usage);
    }
}

fn intern<T: Clone + Eq + Hash>(ids: &mut HashSet<T>, id: &mut T) {
    if let Some(shared) = ids.get(id) {
        *id = shared.clone();
        return;
    }
    if ids.len() >= MAX_IDS {
        ids.clear();
    }
    ids.insert(id.clone());
}

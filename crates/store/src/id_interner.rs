//! Cached keys of the same brand, plan or owner share one allocation for its id.

use std::{collections::HashSet, hash::Hash};

use parking_lot::Mutex;
use svc_mcp_access::{BrandId, PlanId, UserId, decision::KeyState};

/// When a set has this many ids, it is cleared. Ids that are in use stay valid; only later copies are not shared with them.
const MAX_IDS: usize = 50_000;

#[derive(Debug, Default)]
pub(crate) struct IdInterner(Mutex<Ids>);

#[derive(Debug, Default)]
struct Ids {
    brands: HashSet<BrandId>,
    plans: HashSet<PlanId>,
    users: HashSet<UserId>,
}

impl IdInterner {
    pub(crate) fn intern(&self, key_state: &mut KeyState) {
        let mut ids = self.0.lock();
        intern(&mut ids.brands, &mut key_state.brand_id);
        intern(&mut ids.plans, &mut key_state.plan_id);
        intern(&mut ids.users, &mut key_state.owner);
    }

    pub(crate) fn clear(&self) {
        *self.0.lock() = Ids::default();
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

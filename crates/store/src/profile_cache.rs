//! The cache of brand profiles. Entries are dropped when their brand or plan changes. Where several instances share a
//! database, an entry is used only for a key state that was read at the same stamps.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use svc_mcp_access::{
    BrandId,
    decision::{KeyState, Stamps},
};
use svc_mcp_tools::records::Profile;

use crate::access_change::ChangeTarget;

/// When the cache is full, it is cleared: reading a profile again is cheap.
const MAX_PROFILES: usize = 20_000;

#[derive(Debug, Default)]
pub(crate) struct ProfileCache(Mutex<HashMap<BrandId, (Stamps, Arc<Profile>)>>);

impl ProfileCache {
    pub(crate) fn get(&self, key_state: &KeyState) -> Option<Arc<Profile>> {
        let profiles = self.0.lock();
        let (stamps, profile) = profiles.get(&key_state.brand_id)?;
        (*stamps == key_state.stamps).then(|| Arc::clone(profile))
    }

    /// `is_current` is called under the lock: what was read before a change must not be cached after it.
    pub(crate) fn insert_if(
        &self,
        key_state: &KeyState,
        profile: &Arc<Profile>,
        is_current: impl FnOnce() -> bool,
    ) {
        let mut profiles = self.0.lock();
        if !is_current() {
            return;
        }
        if profiles.len() >= MAX_PROFILES {
            profiles.clear();
        }
        profiles.insert(key_state.brand_id.clone(), (key_state.stamps, Arc::clone(profile)));
    }

    pub(crate) fn evict(&self, target: &ChangeTarget) {
        let mut profiles = self.0.lock();
        match target {
            ChangeTarget::Brand(brand) => {
                profiles.remove(brand);
            }
            ChangeTarget::Plan(plan) => profiles.retain(|_, (_, profile)| profile.plan.plan_id != *plan),
        }
    }

    pub(crate) fn clear(&self) {
        self.0.lock().clear();
    }
}

//! The profiles of brands in memory, as fresh as the standings: dropped with them when their brand or plan changes,
//! and where several instances share the store, good only for a standing that was read at the same stamps.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use svc_mcp_access::{
    BrandId,
    decision::{Stamps, Standing},
};
use svc_mcp_tools::records::Profile;

use crate::cache::Changed;

/// When there are so many, all of them make room: reading one again is one query.
const MOST: usize = 20_000;

#[derive(Debug, Default)]
pub(crate) struct Profiles(Mutex<HashMap<BrandId, (Stamps, Arc<Profile>)>>);

impl Profiles {
    pub(crate) fn get(&self, standing: &Standing) -> Option<Arc<Profile>> {
        let profiles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (stamps, profile) = profiles.get(&standing.brand_id)?;
        (*stamps == standing.stamps).then(|| Arc::clone(profile))
    }

    /// `is_current` is asked under the lock: what was read before a change must not be kept after it.
    pub(crate) fn keep(
        &self,
        standing: &Standing,
        profile: &Arc<Profile>,
        is_current: impl FnOnce() -> bool,
    ) {
        let mut profiles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_current() {
            return;
        }
        if profiles.len() >= MOST {
            profiles.clear();
        }
        profiles.insert(standing.brand_id.clone(), (standing.stamps, Arc::clone(profile)));
    }

    pub(crate) fn forget_changed(&self, changed: Changed<'_>) {
        let mut profiles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match changed {
            Changed::Brand(brand) => {
                profiles.remove(brand);
            }
            Changed::Plan(plan) => profiles.retain(|_, (_, profile)| profile.plan.plan_id != *plan),
        }
    }

    pub(crate) fn forget_everything(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

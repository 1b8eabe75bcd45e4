//! Which events are kept if there are too many: every brand gets the same share.

use std::collections::HashMap;

use svc_mcp_access::BrandId;

use super::KeyUse;

/// A brand with at most this many events in a batch loses none, as long as all brands together have at most
/// `MAX_GUARANTEED_EVENTS` of these. A busy service writes every 1.2 s, so this is more than 100 events a second.
const GUARANTEED_BRAND_EVENTS: usize = 300;
pub(super) const MAX_GUARANTEED_EVENTS: usize = 6_000;

/// Removes events until at most `capacity` are left, or as many as are guaranteed, and passes the removed ones to
/// `left_out`. Only brands with more events than the others lose some. The first events of a brand stay.
pub(super) fn cut(events: &mut Vec<KeyUse>, capacity: usize, mut left_out: impl FnMut(&KeyUse)) {
    if events.len() <= capacity {
        return;
    }
    let mut counts: HashMap<BrandId, usize> = HashMap::new();
    for event in &*events {
        *counts.entry(event.key_state.brand_id.clone()).or_default() += 1;
    }
    let guaranteed = counts.values().map(|count| *count.min(&GUARANTEED_BRAND_EVENTS)).sum();
    let capacity = if guaranteed <= MAX_GUARANTEED_EVENTS { capacity.max(guaranteed) } else { capacity };
    let share = fair_share(counts.values().copied().collect(), capacity);
    let mut kept = 0;
    for count in counts.values_mut() {
        *count = 0;
    }
    events.retain(|event| {
        let of_brand = counts.get_mut(&event.key_state.brand_id).expect("it was counted");
        let is_kept = *of_brand < share && kept < capacity;
        if is_kept {
            *of_brand += 1;
            kept += 1;
        } else {
            left_out(event);
        }
        is_kept
    });
}

/// How many events each brand may keep, so that all together fit. What a brand does not need goes to the others.
fn fair_share(mut counts: Vec<usize>, capacity: usize) -> usize {
    counts.sort_unstable();
    let mut left = capacity;
    for (index, count) in counts.iter().enumerate() {
        let share = left / (counts.len() - index);
        if *count > share {
            // With more brands than places, only the first brands get one.
            return share.max(1);
        }
        left -= count;
    }
    capacity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brand_below_the_share_keeps_everything() {
        assert_eq!(fair_share(vec![10, 20, 30], 60), 60);
        assert_eq!(fair_share(vec![1_000_000, 99, 3], 2_000), 2_000 - 99 - 3);
        assert_eq!(fair_share(vec![50, 50, 50, 10], 100), 30);
        assert_eq!(fair_share(vec![1; 10], 3), 1);
        assert_eq!(fair_share(Vec::new(), 3), 3);
    }
}

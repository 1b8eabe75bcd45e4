//! When a delivery is tried again, and when it is given up.

use std::time::Duration;

/// The delay after each failed try but the last: about a day in total. Deliveries of one endpoint are sent a few at a time,
/// so the delays need no jitter.
const DELAYS: [Duration; 7] = [
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(20),
    Duration::from_hours(1),
    Duration::from_hours(3),
    Duration::from_hours(8),
    Duration::from_hours(12),
];

pub const MAX_TRIES: u32 = 8;

/// An event that is older than this is given up at its next failed try. It may be so old because earlier events of its key
/// were tried first.
pub const MAX_AGE: Duration = Duration::from_hours(72);

/// An endpoint that has failed for this long, without one success, is switched off.
pub const SWITCH_OFF_AFTER: Duration = Duration::from_hours(72);

/// The delay after this try. `None`: it was the last.
pub fn delay_after(attempt: u32) -> Option<Duration> {
    let index = usize::try_from(attempt).ok()?.checked_sub(1)?;
    DELAYS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_tries_take_about_a_day() {
        let delays: Vec<Duration> = (1..).map_while(delay_after).collect();
        assert_eq!(delays.len() + 1, MAX_TRIES as usize);
        let total: Duration = delays.iter().sum();
        assert!((Duration::from_hours(24)..Duration::from_hours(25)).contains(&total), "{total:?}");
        assert!(delays.is_sorted());
        assert_eq!(delay_after(0), None);
    }
}

//! How many requests are being answered, and how many may be: what is beyond is told so at once.

use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct InFlight {
    now: AtomicUsize,
    most: usize,
}

impl InFlight {
    pub(crate) fn new(most: usize) -> Self {
        Self { now: AtomicUsize::new(0), most }
    }

    /// `None` where there are as many as there may be.
    pub(crate) fn begin(&self) -> Option<Begun<'_>> {
        let before = self.now.fetch_add(1, Ordering::Relaxed);
        let begun = Begun(&self.now);
        (before < self.most).then_some(begun)
    }
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(crate) struct Begun<'a>(&'a AtomicUsize);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_again_when_one_ends() {
        let in_flight = InFlight::new(2);
        let (first, second) = (in_flight.begin(), in_flight.begin());
        assert!(first.is_some() && second.is_some());
        assert!(in_flight.begin().is_none() && in_flight.begin().is_none());
        drop(first);
        assert!(in_flight.begin().is_some());
        drop(second);
        assert_eq!(in_flight.now.load(Ordering::Relaxed), 0);
    }
}

//! The limit on requests that are handled at the same time. Requests beyond it are refused at once.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[derive(Debug)]
pub(crate) struct InFlight {
    count: AtomicUsize,
    max: usize,
}

impl InFlight {
    pub(crate) fn new(max: usize) -> Self {
        Self { count: AtomicUsize::new(0), max }
    }

    /// `None` if the limit is reached.
    pub(crate) fn try_acquire(&self) -> Option<InFlightPermit<'_>> {
        let before = self.count.fetch_add(1, Relaxed);
        let permit = InFlightPermit(&self.count);
        (before < self.max).then_some(permit)
    }
}

/// A request that is being handled, until this is dropped.
#[derive(Debug)]
pub(crate) struct InFlightPermit<'a>(&'a AtomicUsize);

impl Drop for InFlightPermit<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permit_is_free_again_when_a_request_ends() {
        let in_flight = InFlight::new(2);
        let (first, second) = (in_flight.try_acquire(), in_flight.try_acquire());
        assert!(first.is_some() && second.is_some());
        assert!(in_flight.try_acquire().is_none() && in_flight.try_acquire().is_none());
        drop(first);
        assert!(in_flight.try_acquire().is_some());
        drop(second);
        assert_eq!(in_flight.count.load(Relaxed), 0);
    }
}

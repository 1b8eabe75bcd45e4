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

    /// For a request that holds a permit: another request may be handled while this one waits. Afterwards the request
    /// counts again, also if the limit is exceeded for a moment: it only has to send its response.
    pub(crate) async fn release_while<T>(&self, wait: impl Future<Output = T>) -> T {
        self.count.fetch_sub(1, Relaxed);
        let _counted_again = Released(&self.count);
        wait.await
    }
}

/// A request that does not count, until this is dropped.
struct Released<'a>(&'a AtomicUsize);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
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

    #[tokio::test]
    async fn waiting_request_does_not_count() {
        let in_flight = InFlight::new(1);
        let waiting = in_flight.try_acquire().unwrap();
        in_flight
            .release_while(async {
                let other = in_flight.try_acquire();
                assert!(other.is_some() && in_flight.try_acquire().is_none());
            })
            .await;
        assert!(in_flight.try_acquire().is_none(), "it counts again");
        // A client that disconnects ends the wait.
        drop(in_flight.release_while(std::future::pending::<()>()));
        let cut_off = tokio::time::timeout(
            std::time::Duration::ZERO,
            in_flight.release_while(std::future::pending::<()>()),
        );
        assert!(cut_off.await.is_err());
        drop(waiting);
        assert_eq!(in_flight.count.load(Relaxed), 0);
    }
}

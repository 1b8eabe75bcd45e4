//! The way to the engine: as many at a time as it has connections, a short queue behind them, and no more.
//!
//! Whoever would have to wait too long is turned away at once, so that a slow engine makes some requests fail early
//! instead of all of them late. How long one would wait is told by how the queue moves: an engine that answers
//! quickly may have a long queue, a slow one has a short queue, and one that hangs has none.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout},
};

/// Nobody waits longer than this, and nobody begins to wait who would have to.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// However quickly the queue moves.
const MOST_WAITING: u32 = 1024;
/// How the queue moved longer ago than this says nothing about now.
const MEMORY: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Door {
    places: Semaphore,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// How many are inside when somebody waits.
    places: u32,
    waiting: u32,
    /// How long it takes lately until the next one gets in.
    pace: Duration,
    /// When one got in, or began to wait as the first.
    moved: Instant,
}

/// There is no place, and no use in waiting for one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TurnedAway;

impl Door {
    pub(crate) fn new(places: usize) -> Self {
        let inside = u32::try_from(places).unwrap_or(u32::MAX);
        let queue = Queue { places: inside, waiting: 0, pace: Duration::ZERO, moved: Instant::now() };
        Self { places: Semaphore::new(places), queue: Mutex::new(queue) }
    }

    /// For a request: somebody waits for the answer.
    pub(crate) async fn enter(&self) -> Result<SemaphorePermit<'_>, TurnedAway> {
        if let Ok(place) = self.places.try_acquire() {
            return Ok(place);
        }
        self.queue().join()?;
        let _leaves = Leaves(self);
        let place = timeout(LONGEST_WAIT, self.places.acquire()).await;
        let place = place.map_err(|_| TurnedAway)?.expect("the places are never closed");
        self.queue().has_moved();
        Ok(place)
    }

    /// For work beside the requests, which is nobody's answer: it takes its turn and is not turned away.
    pub(crate) async fn enter_patiently(&self) -> SemaphorePermit<'_> {
        self.places.acquire().await.expect("the places are never closed")
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn join(&mut self) -> Result<(), TurnedAway> {
        let now = Instant::now();
        if self.waiting == 0 {
            if now - self.moved > MEMORY {
                self.pace = Duration::ZERO;
            }
            self.moved = now;
        }
        // All who are inside have been there at least since then, and may all come out together.
        let pace = self.pace.max((now - self.moved) / self.places);
        if self.waiting >= MOST_WAITING || pace * self.waiting > LONGEST_WAIT {
            return Err(TurnedAway);
        }
        self.waiting += 1;
        Ok(())
    }

    fn has_moved(&mut self) {
        let now = Instant::now();
        self.pace = self.pace * 7 / 8 + (now - self.moved) / 8;
        self.moved = now;
    }
}

/// However the waiting ends.
struct Leaves<'a>(&'a Door);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.queue().waiting -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::{task::JoinSet, time::sleep};

    use super::*;

    /// So many come at once, and each one who gets in stays so long. Gives how many got in, and how many of the others
    /// had waited in vain.
    async fn crowd(door: &Arc<Door>, people: usize, stay: Duration) -> (usize, usize) {
        let mut crowd = JoinSet::new();
        for _ in 0..people {
            let door = Arc::clone(door);
            crowd.spawn(async move {
                let came = Instant::now();
                let place = door.enter().await.map_err(|TurnedAway| came.elapsed())?;
                sleep(stay).await;
                drop(place);
                Ok::<_, Duration>(())
            });
        }
        let outcomes = crowd.join_all().await;
        assert!(outcomes.iter().all(|outcome| outcome.is_ok() || *outcome <= Err(LONGEST_WAIT)));
        let served = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        (served, outcomes.iter().filter(|outcome| outcome.is_err_and(|waited| !waited.is_zero())).count())
    }

    #[tokio::test(start_paused = true)]
    async fn a_quick_engine_serves_a_crowd() {
        let door = Arc::new(Door::new(16));
        assert_eq!(crowd(&door, 1000, Duration::from_millis(2)).await.0, 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_is_bounded_however_quick_it_is() {
        let door = Arc::new(Door::new(16));
        let (served, _) = crowd(&door, 5000, Duration::from_micros(10)).await;
        assert_eq!(served, 16 + MOST_WAITING as usize);
    }

    #[tokio::test(start_paused = true)]
    async fn of_a_crowd_before_a_slow_engine_the_rest_is_turned_away_at_once() {
        let door = Arc::new(Door::new(16));
        let stay = Duration::from_millis(400);
        // Nothing is known of it yet: many wait in vain, and not for long.
        let (served, in_vain) = crowd(&door, 300, stay).await;
        assert_eq!((served, in_vain), (48, 252));
        let mut crowds = JoinSet::new();
        for _ in 0..200 {
            sleep(Duration::from_millis(10)).await;
            let door = Arc::clone(&door);
            crowds.spawn(async move { crowd(&door, 10, stay).await });
        }
        let (served, in_vain): (Vec<_>, Vec<_>) = crowds.join_all().await.into_iter().unzip();
        let (served, in_vain): (usize, usize) = (served.iter().sum(), in_vain.iter().sum());
        assert!(served > 64 && in_vain < 300, "of 2,000 {served} were served and {in_vain} waited in vain");
    }

    #[tokio::test(start_paused = true)]
    async fn before_an_engine_that_hangs_nobody_queues_and_when_it_goes_on_all_do() {
        let door = Arc::new(Door::new(4));
        let mut hanging = Vec::new();
        for _ in 0..4 {
            hanging.push(door.enter().await.expect("a place"));
        }
        assert_eq!(crowd(&door, 100, Duration::ZERO).await, (0, 100), "it may go on any moment");
        let first = tokio::spawn({
            let door = Arc::clone(&door);
            async move { door.enter().await.map(drop) }
        });
        sleep(LONGEST_WAIT.saturating_sub(Duration::from_millis(1))).await;
        // Nothing has moved for so long: of those who come now, few try it.
        assert_eq!(crowd(&door, 100, Duration::ZERO).await, (0, 4));
        assert_eq!(first.await.expect("it waits"), Err(TurnedAway));
        hanging.clear();
        assert_eq!(crowd(&door, 500, Duration::from_millis(1)).await.0, 500);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_gives_up_leaves_no_trace() {
        let door = Arc::new(Door::new(1));
        let place = door.enter().await.expect("a place");
        for _ in 0..10 {
            assert!(timeout(Duration::from_millis(1), door.enter()).await.is_err());
        }
        assert_eq!(door.queue().waiting, 0);
        drop(place);
        assert!(door.enter().await.is_ok());
    }
}

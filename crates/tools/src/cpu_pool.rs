//! Runs CPU work outside the async threads: on few threads, in turns between the brands, and only while somebody waits
//! for the result.
//!
//! A brand gets a second thread only if no other brand waits without one. Long work calls [`checkpoint`] between
//! chunks: there it ends if its result is no longer wanted, and lets another brand go first.

use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
};

use svc_mcp_access::BrandId;
use tokio::{runtime::Handle, sync::oneshot};
use tokio_util::sync::CancellationToken;

use crate::low_priority::{computing_cores, lower_priority};

/// How many works may be paused in favour of other brands. Each keeps a thread of the runtime.
const MAX_PAUSED: usize = 16;

/// Cheap to clone; clones share their threads.
#[derive(Clone)]
pub struct CpuPool(Arc<Mutex<Queue>>);

/// The pool for the work of one brand.
#[derive(Debug, Clone)]
pub struct BrandCpu {
    pool: CpuPool,
    brand: BrandId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work stopped unexpectedly")]
pub struct CpuWorkError;

struct Queue {
    free_threads: usize,
    paused: usize,
    /// Numbers the turns, and the works that wait.
    counter: u64,
    brands: HashMap<BrandId, BrandQueue>,
}

#[derive(Default)]
struct BrandQueue {
    running: usize,
    /// The number of its last turn.
    last_turn: u64,
    waiting: VecDeque<(u64, Waiting)>,
}

enum Waiting {
    Start {
        runtime: Handle,
        cancelled: CancellationToken,
        work: Box<dyn FnOnce(Turn) + Send>,
    },
    /// Its thread waits for this message.
    Resume(mpsc::Sender<()>),
}

thread_local! {
    /// The work that runs on this thread.
    static CURRENT: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// The turn of one work. The end of the work drops it, and the next one starts.
struct Turn {
    pool: CpuPool,
    brand: BrandId,
    cancelled: CancellationToken,
}

/// The payload of the unwinding that ends work whose result is no longer wanted.
struct Cancelled;

impl Default for CpuPool {
    fn default() -> Self {
        Self::new(computing_cores())
    }
}

impl CpuPool {
    pub fn new(threads: usize) -> Self {
        let free_threads = threads.max(1);
        Self(Arc::new(Mutex::new(Queue { free_threads, paused: 0, counter: 0, brands: HashMap::new() })))
    }

    pub fn for_brand(&self, brand: &BrandId) -> BrandCpu {
        BrandCpu { pool: self.clone(), brand: brand.clone() }
    }

    /// If the future is dropped, the work does not start, or ends at its next [`checkpoint`].
    pub async fn run<T: Send + 'static>(
        &self,
        brand: &BrandId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CpuWorkError> {
        let (sender, receiver) = oneshot::channel();
        let work = Box::new(move |turn: Turn| {
            let _ = sender.send(turn.run(work));
        });
        let (runtime, cancelled) = (Handle::current(), CancellationToken::new());
        let waiting = Waiting::Start { runtime, cancelled: cancelled.clone(), work };
        let id = self.lock().enqueue(brand, waiting);
        let _guard = CancelOnDrop { pool: self, brand, id, cancelled };
        self.start_next();
        match receiver.await {
            Ok(result) => result,
            // The runtime is shutting down, so nothing waits for the result.
            Err(_) => std::future::pending().await,
        }
    }

    /// Starts waiting works on the free threads.
    fn start_next(&self) {
        loop {
            let next = self.lock().take_next();
            match next {
                Some((brand, Waiting::Start { runtime, cancelled, work })) => {
                    let turn = Turn { pool: self.clone(), brand, cancelled };
                    drop(runtime.spawn_blocking(move || {
                        lower_priority();
                        work(turn);
                    }));
                }
                Some((_, Waiting::Resume(sender))) => {
                    let _ = sender.send(());
                }
                None => return,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BrandCpu {
    /// As [`CpuPool::run`].
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CpuWorkError> {
        self.pool.run(&self.brand, work).await
    }
}

/// Ends the work if nobody waits for its result, and lets other brands go first. Outside the pool it does nothing.
pub fn checkpoint() {
    CURRENT.with_borrow(|turn| {
        if let Some(turn) = turn {
            turn.let_others_go_first();
            if turn.cancelled.is_cancelled() {
                // Unlike a panic, this is not logged.
                resume_unwind(Box::new(Cancelled));
            }
        }
    });
}

impl Turn {
    fn run<T>(self, work: impl FnOnce() -> T) -> Result<T, CpuWorkError> {
        if self.cancelled.is_cancelled() {
            return Err(CpuWorkError);
        }
        CURRENT.set(Some(self));
        let result = catch_unwind(AssertUnwindSafe(work));
        drop(CURRENT.take());
        result.map_err(|_| CpuWorkError)
    }

    fn let_others_go_first(&self) {
        let resumed = {
            let mut queue = self.pool.lock();
            if queue.paused >= MAX_PAUSED || !queue.must_yield(&self.brand) {
                return;
            }
            let (sender, receiver) = mpsc::channel();
            queue.paused += 1;
            queue.enqueue(&self.brand, Waiting::Resume(sender));
            queue.end_turn(&self.brand);
            receiver
        };
        self.pool.start_next();
        // The sender stays in the queue until it has sent.
        let _ = resumed.recv();
        self.pool.lock().paused -= 1;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.pool.lock().end_turn(&self.brand);
        self.pool.start_next();
    }
}

impl Queue {
    fn enqueue(&mut self, brand: &BrandId, waiting: Waiting) -> u64 {
        self.counter += 1;
        // A brand without work so far does not go before those that already wait.
        let newcomer = || BrandQueue { last_turn: self.counter, ..BrandQueue::default() };
        let queue = self.brands.entry(brand.clone()).or_insert_with(newcomer);
        queue.waiting.push_back((self.counter, waiting));
        self.counter
    }

    /// The next work of the brand with the fewest running works, and among those of the one that has waited longest.
    fn take_next(&mut self) -> Option<(BrandId, Waiting)> {
        if self.free_threads == 0 {
            return None;
        }
        let waiting = self.brands.iter_mut().filter(|(_, queue)| !queue.waiting.is_empty());
        let (brand, queue) = waiting.min_by_key(|(_, queue)| (queue.running, queue.last_turn))?;
        let (_, next) = queue.waiting.pop_front()?;
        self.counter += 1;
        self.free_threads -= 1;
        queue.running += 1;
        queue.last_turn = self.counter;
        Some((brand.clone(), next))
    }

    fn end_turn(&mut self, brand: &BrandId) {
        self.free_threads += 1;
        if let Some(queue) = self.brands.get_mut(brand) {
            queue.running -= 1;
        }
        self.forget_if_idle(brand);
    }

    fn forget_if_idle(&mut self, brand: &BrandId) {
        if self.brands.get(brand).is_some_and(|queue| queue.running == 0 && queue.waiting.is_empty()) {
            self.brands.remove(brand);
        }
    }

    /// Whether another brand waits that has no thread, or clearly fewer than this one.
    fn must_yield(&self, brand: &BrandId) -> bool {
        let own = self.brands.get(brand).map_or(0, |queue| queue.running);
        self.brands.iter().any(|(other, queue)| {
            other != brand && !queue.waiting.is_empty() && (queue.running == 0 || queue.running + 1 < own)
        })
    }
}

struct CancelOnDrop<'a> {
    pool: &'a CpuPool,
    brand: &'a BrandId,
    id: u64,
    cancelled: CancellationToken,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.cancelled.cancel();
        let mut queue = self.pool.lock();
        let Some(brand) = queue.brands.get_mut(self.brand) else { return };
        brand.waiting.retain(|(id, _)| *id != self.id);
        queue.forget_if_idle(self.brand);
    }
}

impl fmt::Debug for CpuPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CpuPool").field("free_threads", &self.lock().free_threads).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    fn brand(name: &str) -> BrandId {
        name.parse().unwrap()
    }

    /// Work that ends when the returned sender is dropped, and tells when it runs.
    fn blocked() -> (mpsc::Sender<()>, oneshot::Receiver<()>, impl FnOnce() + Send + 'static) {
        let (release, wait) = mpsc::channel::<()>();
        let (sender, started) = oneshot::channel();
        let work = move || {
            let _ = sender.send(());
            let _ = wait.recv();
        };
        (release, started, work)
    }

    #[tokio::test]
    async fn result_is_returned_and_a_panic_is_an_error() {
        let pool = CpuPool::new(1);
        assert_eq!(pool.run(&brand("acme"), || 7).await, Ok(7));
        let panic = || {
            assert!(checkpoint_is_reached(), "as intended");
        };
        assert_eq!(pool.run(&brand("acme"), panic).await, Err(CpuWorkError));
        assert_eq!(pool.for_brand(&brand("acme")).run(|| 8).await, Ok(8));
        assert!(pool.lock().brands.is_empty());
    }

    fn checkpoint_is_reached() -> bool {
        checkpoint();
        false
    }

    #[tokio::test]
    async fn brand_with_a_backlog_does_not_delay_another_brand() {
        let pool = CpuPool::new(1);
        let (release, started, work) = blocked();
        let acme = pool.for_brand(&brand("acme"));
        let first = tokio::spawn({
            let acme = acme.clone();
            async move { acme.run(work).await }
        });
        started.await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut works = Vec::new();
        let names = std::iter::repeat_n("acme", 50).chain(["umbrella", "globex", "umbrella"]);
        for name in names {
            let (cpu, order) = (pool.for_brand(&brand(name)), Arc::clone(&order));
            works.push(tokio::spawn(async move { cpu.run(move || order.lock().unwrap().push(name)).await }));
            // The works wait in this order.
            while pool.waiting_works() < works.len() {
                tokio::task::yield_now().await;
            }
        }
        drop(release);
        first.await.unwrap().unwrap();
        for work in works {
            work.await.unwrap().unwrap();
        }
        let order = order.lock().unwrap().clone();
        let place = |name: &str| order.iter().position(|each| *each == name).unwrap();
        assert!(place("umbrella") <= 2 && place("globex") <= 2, "{order:?}");
        assert_eq!(order.iter().rposition(|each| *each == "umbrella").map(|place| place <= 5), Some(true));
    }

    #[tokio::test]
    async fn number_of_running_works_is_bounded() {
        let pool = CpuPool::new(2);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let works = (0..40).map(|n| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            let pool = pool.for_brand(&brand(&format!("brand-{}", n % 3)));
            tokio::spawn(async move {
                pool.run(move || {
                    most.fetch_max(running.fetch_add(1, SeqCst) + 1, SeqCst);
                    for _ in 0..20 {
                        std::thread::yield_now();
                    }
                    running.fetch_sub(1, SeqCst);
                })
                .await
            })
        });
        for work in works.collect::<Vec<_>>() {
            work.await.unwrap().unwrap();
        }
        assert!((1..=2).contains(&most.load(SeqCst)));
        assert_eq!(pool.lock().free_threads, 2);
    }

    #[tokio::test]
    async fn long_work_lets_another_brand_go_first_at_a_checkpoint() {
        let pool = CpuPool::new(1);
        let (stop, stopped) = mpsc::channel::<()>();
        let long = tokio::spawn({
            let acme = pool.for_brand(&brand("acme"));
            async move {
                acme.run(move || {
                    while stopped.try_recv() == Err(mpsc::TryRecvError::Empty) {
                        checkpoint();
                    }
                })
                .await
            }
        });
        // The only thread belongs to the long work, which ends after this one.
        assert_eq!(pool.run(&brand("umbrella"), || 7).await, Ok(7));
        assert!(!long.is_finished());
        drop(stop);
        assert_eq!(long.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn dropped_work_ends_at_its_next_checkpoint_or_does_not_start() {
        let pool = CpuPool::new(1);
        let (sender, started) = oneshot::channel();
        let endless = tokio::spawn({
            let acme = pool.for_brand(&brand("acme"));
            async move {
                acme.run(move || {
                    let _ = sender.send(());
                    loop {
                        checkpoint();
                    }
                })
                .await
            }
        });
        started.await.unwrap();
        let unstarted = {
            let acme = pool.for_brand(&brand("acme"));
            tokio::spawn(async move { acme.run(|| panic!("it does not start")).await })
        };
        while pool.waiting_works() == 0 {
            tokio::task::yield_now().await;
        }
        unstarted.abort();
        assert!(unstarted.await.unwrap_err().is_cancelled());
        endless.abort();
        assert_eq!(pool.run(&brand("umbrella"), || 7).await, Ok(7));
        assert_eq!(pool.run(&brand("acme"), || 7).await, Ok(7));
    }

    impl CpuPool {
        /// How many works wait.
        fn waiting_works(&self) -> usize {
            self.lock().brands.values().map(|queue| queue.waiting.len()).sum()
        }
    }
}

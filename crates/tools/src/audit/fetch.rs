//! What the crawler needs from outside: responses, time, and threads for CPU work. The service implements it with the
//! guarded HTTP client, the tests with pages in memory.

use std::time::Duration;

use tokio::sync::oneshot;

pub use super::fetch_message::{FetchError, FetchRequest, FetchResponse, Method};
use super::{Page, PageUrl};

/// Work that takes milliseconds of CPU time.
pub type CpuWork = Box<dyn FnOnce() + Send>;

#[async_trait::async_trait]
pub trait Fetch: Send + Sync {
    /// Sends one request. Redirects are returned, not followed.
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError>;

    /// The page at this URL, if an interrupted crawl has read it already.
    async fn cached_page(&self, _: &PageUrl) -> Option<Page> {
        None
    }

    async fn sleep(&self, duration: Duration);

    /// Runs CPU work. A server runs it outside its async threads.
    async fn run_cpu_work(&self, work: CpuWork) {
        work();
    }

    /// Called with each page that has a response.
    fn page_was_read(&self, _: &Page) {}
}

/// Runs CPU work and returns its result. `None`: it panicked.
pub(super) async fn run_cpu_work<T: Send + 'static>(
    fetch: &dyn Fetch,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    let work = Box::new(move || {
        let _ = sender.send(work());
    });
    fetch.run_cpu_work(work).await;
    receiver.await.ok()
}

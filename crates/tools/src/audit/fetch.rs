//! What the crawler needs from outside: responses, and time. The service implements it with the guarded HTTP client,
//! the tests with pages in memory.

use std::time::Duration;

pub use super::fetch_message::{FetchError, FetchRequest, FetchResponse, Method};
use super::{Page, PageUrl};

#[async_trait::async_trait]
pub trait Fetch: Send + Sync {
    /// Sends one request. Redirects are returned, not followed.
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError>;

    /// The page at this URL, if an interrupted crawl has read it already.
    fn cached_page(&self, _: &PageUrl) -> Option<Page> {
        None
    }

    async fn sleep(&self, duration: Duration);

    /// Parses a page. This takes milliseconds of CPU time, so a server runs it outside its async threads.
    async fn parse_page(&self, parse: Box<dyn FnOnce() -> Page + Send>) -> Page {
        parse()
    }
}

//! Limits the requests to each host: how many at a time, and the delay between two.

use std::{collections::HashMap, time::Duration};

use super::{
    super::{
        Page, PageUrl,
        fetch::{Fetch, FetchError, FetchRequest, Method, run_cpu_work},
        page_url::authority_of,
    },
    frontier::Visit,
    limits::MAX_PAGE_BYTES,
};

/// A site may ask for a longer delay, but the audit has to end.
const MAX_DELAY: Duration = Duration::from_secs(10);
/// For an overloaded host without a `Retry-After` header.
const DEFAULT_BACKOFF: Duration = Duration::from_secs(2);

pub(super) struct HostThrottle {
    per_host: u32,
    delay: Duration,
    hosts: HashMap<String, Host>,
}

#[derive(Default, Clone, Copy)]
struct Host {
    in_flight: u32,
    /// The first request needs no delay.
    was_requested: bool,
    delay: Duration,
}

pub(super) struct Visited {
    pub(super) visit: Visit,
    pub(super) url: PageUrl,
    pub(super) page: Page,
    /// The body is longer than the limit.
    pub(super) is_truncated: bool,
}

impl HostThrottle {
    pub(super) fn new(per_host: u32, delay: Duration) -> Self {
        let delay = delay.min(MAX_DELAY);
        Self { per_host: per_host.max(1), delay, hosts: HashMap::new() }
    }

    /// Sets the `Crawl-delay` of a robots.txt.
    pub(super) fn slow_down(&mut self, url: &PageUrl, delay: Duration) {
        let host = self.host(url);
        host.delay = host.delay.max(delay.min(MAX_DELAY));
    }

    pub(super) fn may_request(&self, url: &str) -> bool {
        self.hosts.get(authority_of(url)).is_none_or(|host| {
            let max_in_flight = if host.delay.is_zero() { self.per_host } else { 1 };
            host.in_flight < max_in_flight
        })
    }

    /// Sends the request after the delay of its host. The future does not borrow the throttle.
    pub(super) fn visit<'f>(
        &mut self,
        fetch: &'f dyn Fetch,
        visit: Visit,
        url: PageUrl,
        max_text_bytes: usize,
    ) -> impl Future<Output = Visited> + Send + use<'f> {
        let host = self.host(&url);
        host.in_flight += 1;
        let was_requested = std::mem::replace(&mut host.was_requested, true);
        let delay = if was_requested { host.delay } else { Duration::ZERO };
        async move {
            if let Some(page) = fetch.cached_page(&url).await {
                return Visited { visit, url, page, is_truncated: false };
            }
            if !delay.is_zero() {
                fetch.sleep(delay).await;
            }
            let request =
                FetchRequest { url: url.clone(), method: Method::Get, max_body_bytes: MAX_PAGE_BYTES };
            let (page, is_truncated) = match fetch.fetch(request).await {
                Ok(response) => {
                    let (page_url, is_truncated) = (url.clone(), response.truncated);
                    let parse = move || Page::with_text(&page_url, &response, max_text_bytes);
                    let page = run_cpu_work(fetch, parse).await;
                    let page = page.unwrap_or_else(|| Page::from_error(&url, FetchError::Unreadable));
                    fetch.page_was_read(&page);
                    (page, is_truncated)
                }
                Err(error) => (Page::from_error(&url, error), false),
            };
            Visited { visit, url, page, is_truncated }
        }
    }

    pub(super) fn record_response(&mut self, url: &PageUrl, page: &Page) {
        let host = self.host(url);
        host.in_flight = host.in_flight.saturating_sub(1);
        if is_overloaded(page) {
            let retry_after = page.headers.retry_after.map(|seconds| Duration::from_secs(seconds.into()));
            host.delay = host.delay.max(retry_after.unwrap_or(DEFAULT_BACKOFF)).min(MAX_DELAY);
        }
    }

    pub(super) fn delay_of(&self, url: &PageUrl) -> Duration {
        self.hosts.get(&url.authority()).map_or(self.delay, |host| host.delay)
    }

    fn host(&mut self, url: &PageUrl) -> &mut Host {
        let delay = self.delay;
        self.hosts.entry(url.authority()).or_insert(Host { delay, ..Host::default() })
    }
}

/// The host limits requests (RFC 6585 §4), or is unavailable and says for how long.
pub(super) fn is_overloaded(page: &Page) -> bool {
    page.status == Some(429) || page.status == Some(503) && page.headers.retry_after.is_some()
}

//! Checks links and images that the crawl does not read: one HEAD request each.

use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::{
    super::{
        FetchOutcome, PageUrl, StopReason,
        fetch::{FetchRequest, Method},
    },
    Crawl, CrawlObserver, Stage,
};

/// Each host gets one request at a time.
const MAX_PARALLEL_HOSTS: usize = 8;

impl Crawl<'_> {
    /// Links and images share the limit. Each of both gets half of it, and what the other does not need.
    async fn urls_to_try(&mut self) -> Vec<PageUrl> {
        let max_tried = self.max_tried();
        let mut urls = std::mem::take(&mut self.others);
        let max_images = (max_tried / 2).max(max_tried.saturating_sub(urls.len()));
        let mut images = Vec::new();
        for url in std::mem::take(&mut self.images).iter().filter_map(|url| PageUrl::parse(url)) {
            // Some were visited like a page, or are linked too.
            let is_known = self.frontier.contains(url.as_str()) || self.other_seen.contains(url.as_str());
            if !is_known && images.len() < max_images && self.is_allowed(&url).await {
                images.push(url);
            }
        }
        urls.truncate(max_tried.saturating_sub(images.len()));
        urls.append(&mut images);
        urls
    }

    pub(super) async fn check_other_links(&mut self, observer: &mut CrawlObserver<'_>) {
        if self.site.end == StopReason::Cancelled {
            return;
        }
        let mut queue = VecDeque::new();
        for url in self.urls_to_try().await {
            if !self.site.scope.contains(&url) || self.is_allowed(&url).await {
                queue.push_back(url);
            }
        }
        let fetch = self.fetch;
        let mut busy_hosts = HashSet::new();
        let mut in_flight = FuturesUnordered::new();
        loop {
            while in_flight.len() < MAX_PARALLEL_HOSTS
                && let Some(index) =
                    queue.iter().position(|url: &PageUrl| !busy_hosts.contains(&url.authority()))
                && let Some(url) = queue.remove(index)
            {
                busy_hosts.insert(url.authority());
                let is_own = self.site.scope.contains(&url);
                let delay = if is_own { self.host_throttle.delay_of(&url) } else { Duration::ZERO };
                in_flight.push(async move {
                    if !delay.is_zero() {
                        fetch.sleep(delay).await;
                    }
                    let request = FetchRequest { url: url.clone(), method: Method::Head, max_body_bytes: 0 };
                    let outcome = match fetch.fetch(request).await {
                        Ok(response) => FetchOutcome { status: Some(response.status), error: None },
                        Err(error) => FetchOutcome { status: None, error: Some(error) },
                    };
                    (url, outcome)
                });
            }
            let Some((url, outcome)) = in_flight.next().await else { break };
            busy_hosts.remove(&url.authority());
            let url = url.to_string();
            self.site.tried.insert(url.clone(), outcome);
            let waiting = queue.len() + in_flight.len();
            if observer(&self.progress(Stage::OtherLinks, url, waiting)).is_break() {
                self.site.end = StopReason::Cancelled;
                return;
            }
        }
    }
}

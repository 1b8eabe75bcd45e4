//! The queue of URLs that a crawl has found and not visited yet.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use super::limits::{MAX_KNOWN_URL_BYTES, MAX_KNOWN_URLS};

/// How far into a queue to search for a URL whose host is not busy.
const LOOKAHEAD: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Frontier {
    /// In the order in which links were found: nearest to the start first.
    linked: VecDeque<Arc<str>>,
    /// From sitemaps, canonicals and alternates. Visited after the linked URLs.
    listed: VecDeque<Arc<str>>,
    known: HashMap<Arc<str>, Known>,
    /// The length of all known URLs.
    bytes: usize,
    waiting: usize,
    /// How many URLs were dropped.
    overflowed: usize,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    /// Clicks from the start. `None`: no link to it was found yet.
    depth: Option<u32>,
    redirects: u8,
    visited: bool,
    is_retry: bool,
}

/// A URL to visit now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) url: String,
    pub(super) depth: Option<u32>,
    /// How many redirects in a row led here.
    pub(super) redirects: u8,
    pub(super) is_retry: bool,
}

impl Frontier {
    /// Adds the target of a link.
    pub(super) fn add_linked(&mut self, url: &str, depth: u32, redirects: u8) {
        if !self.is_settled(url, Some(depth)) && self.reserve(url) {
            let is_retry = self.known.get(url).is_some_and(|known| known.is_retry);
            let known = Known { depth: Some(depth), redirects, visited: false, is_retry };
            let url = self.insert(url, known);
            self.linked.push_back(url);
        }
    }

    /// Adds a URL that was found without a link.
    pub(super) fn add_listed(&mut self, url: &str, redirects: u8) {
        if !self.contains(url) && self.reserve(url) {
            let url = self.insert(url, Known { depth: None, redirects, visited: false, is_retry: false });
            self.listed.push_back(url);
        }
    }

    fn insert(&mut self, url: &str, known: Known) -> Arc<str> {
        if let Some((url, _)) = self.known.get_key_value(url) {
            let url = Arc::clone(url);
            self.known.insert(Arc::clone(&url), known);
            return url;
        }
        let url: Arc<str> = url.into();
        self.bytes += url.len();
        self.waiting += 1;
        self.known.insert(Arc::clone(&url), known);
        url
    }

    /// Whether the URL may be stored. Counts it if not.
    fn reserve(&mut self, url: &str) -> bool {
        let has_space = self.known.len() < MAX_KNOWN_URLS && self.bytes + url.len() <= MAX_KNOWN_URL_BYTES;
        let fits = has_space || self.contains(url);
        self.overflowed += usize::from(!fits);
        fits
    }

    pub(super) fn contains(&self, url: &str) -> bool {
        self.known.contains_key(url)
    }

    /// Whether a link to this URL at this depth changes nothing.
    pub(super) fn is_settled(&self, url: &str, depth: Option<u32>) -> bool {
        let is_nearer =
            |before: Option<u32>| depth.is_some_and(|depth| before.is_none_or(|before| depth < before));
        self.known.get(url).is_some_and(|known| known.visited || !is_nearer(known.depth))
    }

    /// Adds a URL again, to retry it.
    pub(super) fn requeue(&mut self, visit: &Visit) {
        if let Some(known) = self.known.get_mut(visit.url.as_str()) {
            known.visited = false;
            known.is_retry = true;
            self.waiting += 1;
            self.linked.push_back(visit.url.as_str().into());
        }
    }

    /// The next URL that may be visited now.
    pub(super) fn next(&mut self, mut may_request: impl FnMut(&str) -> bool) -> Option<Visit> {
        for queue in [&mut self.linked, &mut self.listed] {
            // A URL can be in both queues, or twice in one.
            while queue.front().is_some_and(|url| self.known.get(url).is_none_or(|known| known.visited)) {
                queue.pop_front();
            }
            let is_waiting = |url: &&Arc<str>| self.known.get(*url).is_some_and(|known| !known.visited);
            let index = queue.iter().take(LOOKAHEAD).position(|url| may_request(url) && is_waiting(&url));
            if let Some(url) = index.and_then(|index| queue.remove(index))
                && let Some(known) = self.known.get_mut(&url)
            {
                known.visited = true;
                self.waiting -= 1;
                let Known { depth, redirects, is_retry, .. } = *known;
                return Some(Visit { url: (*url).to_owned(), depth, redirects, is_retry });
            }
        }
        None
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many URLs were dropped because there were too many.
    pub(super) fn overflowed(&self) -> usize {
        self.overflowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(frontier: &mut Frontier) -> Vec<String> {
        std::iter::from_fn(|| frontier.next(|_| true)).map(|visit| visit.url).collect()
    }

    #[test]
    fn linked_urls_come_before_listed_ones_and_each_comes_once() {
        let mut frontier = Frontier::default();
        frontier.add_listed("s1", 0);
        frontier.add_listed("s2", 0);
        frontier.add_linked("a", 0, 0);
        frontier.add_linked("b", 1, 0);
        frontier.add_linked("a", 1, 0);
        // A link to a listed URL moves it forward.
        frontier.add_linked("s2", 1, 0);
        assert_eq!(frontier.waiting(), 4);
        assert_eq!(order(&mut frontier), ["a", "b", "s2", "s1"]);
        frontier.add_linked("a", 0, 0);
        assert_eq!(order(&mut frontier), Vec::<String>::new());
    }

    #[test]
    fn url_of_a_busy_host_does_not_block_others() {
        let mut frontier = Frontier::default();
        frontier.add_linked("slow/1", 1, 0);
        frontier.add_linked("fast/1", 1, 0);
        assert_eq!(frontier.next(|url| url.starts_with("fast")).unwrap().url, "fast/1");
        assert_eq!(frontier.next(|url| url.starts_with("fast")), None);
        assert_eq!(frontier.waiting(), 1);
        let slow = frontier.next(|_| true).unwrap();
        frontier.requeue(&slow);
        let retry = frontier.next(|_| true).unwrap();
        assert_eq!((slow.is_retry, retry.depth, retry.is_retry), (false, Some(1), true));
    }

    #[test]
    fn number_of_known_urls_is_bounded() {
        let mut frontier = Frontier::default();
        (0..MAX_KNOWN_URLS + 10).for_each(|n| frontier.add_listed(&n.to_string(), 0));
        frontier.add_linked("0", 1, 0);
        assert_eq!((frontier.waiting(), frontier.overflowed()), (MAX_KNOWN_URLS, 10));
    }

    #[test]
    fn length_of_known_urls_is_bounded() {
        let mut frontier = Frontier::default();
        let long = "x".repeat(2_000);
        (0..MAX_KNOWN_URLS).for_each(|n| frontier.add_linked(&format!("{n}{long}"), 1, 0));
        assert!(frontier.overflowed() > 0 && frontier.bytes <= MAX_KNOWN_URL_BYTES);
        assert_eq!(frontier.waiting() + frontier.overflowed(), MAX_KNOWN_URLS);
    }
}

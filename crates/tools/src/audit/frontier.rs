//! The addresses that a crawl knows and has not visited. Plain data: no request is under way in here.

use std::collections::{HashMap, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A site can name addresses without end. More are counted and not kept.
const MOST_KNOWN: usize = 50_000;
/// Addresses further back in a queue wait until those before them are gone.
const LOOKAHEAD: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Frontier {
    /// In the order in which links led to them: nearest to the start first.
    linked: VecDeque<String>,
    /// Named by sitemaps, canonicals and alternates. Their turn comes when no linked one waits.
    listed: VecDeque<String>,
    known: HashMap<String, Known>,
    waiting: usize,
    /// Found and not kept.
    overflowed: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Known {
    /// Clicks from the start. Null: no link led here yet.
    depth: Option<u32>,
    redirects: u8,
    visited: bool,
}

/// An address whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Visit {
    pub url: String,
    pub depth: Option<u32>,
    /// How many redirects in a row led here.
    pub redirects: u8,
    /// It was put off once already.
    pub again: bool,
}

impl Frontier {
    /// Adds an address that a link at this depth leads to.
    pub fn add_linked(&mut self, url: &str, depth: u32, redirects: u8) {
        if !self.has_settled(url, Some(depth)) && self.has_room_for(url) {
            let known = Known { depth: Some(depth), redirects, visited: false };
            self.waiting += usize::from(self.known.insert(url.to_owned(), known).is_none());
            self.linked.push_back(url.to_owned());
        }
    }

    /// Adds an address that is named without a link.
    pub fn add_listed(&mut self, url: &str, redirects: u8) {
        if !self.knows(url) && self.has_room_for(url) {
            self.known.insert(url.to_owned(), Known { depth: None, redirects, visited: false });
            self.waiting += 1;
            self.listed.push_back(url.to_owned());
        }
    }

    fn has_room_for(&mut self, url: &str) -> bool {
        let has_room = self.known.len() < MOST_KNOWN || self.knows(url);
        self.overflowed += usize::from(!has_room);
        has_room
    }

    pub fn knows(&self, url: &str) -> bool {
        self.known.contains_key(url)
    }

    /// Whether finding the address again at this depth would change nothing.
    pub fn has_settled(&self, url: &str, depth: Option<u32>) -> bool {
        let is_nearer =
            |before: Option<u32>| depth.is_some_and(|depth| before.is_none_or(|before| depth < before));
        self.known.get(url).is_some_and(|known| known.visited || !is_nearer(known.depth))
    }

    /// Puts an address back that could not be visited yet.
    pub fn put_off(&mut self, visit: &Visit) {
        if let Some(known) = self.known.get_mut(&visit.url) {
            known.visited = false;
            self.waiting += 1;
            self.linked.push_back(visit.url.clone());
        }
    }

    /// The next address that may be visited now.
    pub fn next(&mut self, mut may_go: impl FnMut(&str) -> bool) -> Option<Visit> {
        for queue in [&mut self.linked, &mut self.listed] {
            // The same address can wait in both, or twice in one.
            while queue.front().is_some_and(|url| self.known.get(url).is_none_or(|known| known.visited)) {
                queue.pop_front();
            }
            let waits = |url: &&String| self.known.get(*url).is_some_and(|known| !known.visited);
            let at = queue.iter().take(LOOKAHEAD).position(|url| may_go(url) && waits(&url));
            if let Some(url) = at.and_then(|at| queue.remove(at))
                && let Some(known) = self.known.get_mut(&url)
            {
                known.visited = true;
                self.waiting -= 1;
                return Some(Visit { url, depth: known.depth, redirects: known.redirects, again: false });
            }
        }
        None
    }

    /// How many addresses wait.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many addresses were found and will never be visited, because there are too many.
    pub fn overflowed(&self) -> usize {
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
    fn linked_addresses_come_before_listed_ones_and_each_comes_once() {
        let mut frontier = Frontier::default();
        frontier.add_listed("s1", 0);
        frontier.add_listed("s2", 0);
        frontier.add_linked("a", 0, 0);
        frontier.add_linked("b", 1, 0);
        frontier.add_linked("a", 1, 0);
        // A link to a listed one brings it forward.
        frontier.add_linked("s2", 1, 0);
        assert_eq!(frontier.waiting(), 4);
        assert_eq!(order(&mut frontier), ["a", "b", "s2", "s1"]);
        frontier.add_linked("a", 0, 0);
        assert_eq!(order(&mut frontier), Vec::<String>::new());
    }

    #[test]
    fn one_that_may_not_go_yet_lets_others_pass() {
        let mut frontier = Frontier::default();
        frontier.add_linked("slow/1", 1, 0);
        frontier.add_linked("fast/1", 1, 0);
        assert_eq!(frontier.next(|url| url.starts_with("fast")).unwrap().url, "fast/1");
        assert_eq!(frontier.next(|url| url.starts_with("fast")), None);
        assert_eq!(frontier.waiting(), 1);
        let slow = frontier.next(|_| true).unwrap();
        frontier.put_off(&slow);
        assert_eq!(frontier.next(|_| true).unwrap().depth, Some(1));
    }

    #[test]
    fn no_more_than_so_many_are_kept() {
        let mut frontier = Frontier::default();
        (0..MOST_KNOWN + 10).for_each(|n| frontier.add_listed(&n.to_string(), 0));
        frontier.add_linked("0", 1, 0);
        assert_eq!((frontier.waiting(), frontier.overflowed()), (MOST_KNOWN, 10));
    }

    #[test]
    fn it_is_plain_data() {
        let mut frontier = Frontier::default();
        frontier.add_linked("a", 0, 0);
        frontier.add_listed("b", 2);
        let text = serde_json::to_string(&frontier).unwrap();
        assert_eq!(serde_json::from_str::<Frontier>(&text).unwrap(), frontier);
    }
}

use std::collections::HashSet;

use super::limits::{MAX_OTHER_URL_BYTES, MAX_OTHER_URLS};

/// A bounded set of URLs.
#[derive(Debug, Default)]
pub(super) struct UrlSet {
    urls: HashSet<Box<str>>,
    bytes: usize,
}

impl UrlSet {
    /// False: it is in the set already, or the set is full.
    pub(super) fn insert(&mut self, url: &str) -> bool {
        if self.contains(url) || self.is_full() {
            return false;
        }
        self.bytes += url.len();
        self.urls.insert(url.into())
    }

    pub(super) fn contains(&self, url: &str) -> bool {
        self.urls.contains(url)
    }

    pub(super) fn is_full(&self) -> bool {
        self.urls.len() >= MAX_OTHER_URLS || self.bytes >= MAX_OTHER_URL_BYTES
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.urls.iter().map(|url| &**url)
    }
}

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PageUrl;

/// The hosts of a site. A host with and without `www.` is the same site; another port is another site.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CrawlScope {
    hosts: BTreeSet<String>,
}

impl CrawlScope {
    /// From hosts (`example.com`, `localhost:3000`) or URLs.
    pub fn new(hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let hosts = hosts.into_iter().filter_map(|host| {
            let host = host.as_ref();
            let url = if host.contains("://") { host.to_owned() } else { format!("https://{host}/") };
            Some(without_www(PageUrl::parse(&url)?.authority()))
        });
        Self { hosts: hosts.collect() }
    }

    pub fn contains(&self, url: &PageUrl) -> bool {
        self.hosts.contains(&without_www(url.authority()))
    }

    pub fn contains_str(&self, url: &str) -> bool {
        PageUrl::parse(url).is_some_and(|url| self.contains(&url))
    }
}

fn without_www(authority: String) -> String {
    authority.strip_prefix("www.").filter(|rest| rest.contains('.')).map(str::to_owned).unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_contains_its_hosts_with_and_without_www() {
        let scope = CrawlScope::new(["example.com", "https://www.rival.test/about", "localhost:3000"]);
        let inside = [
            "http://example.com/",
            "https://www.example.com/x",
            "https://rival.test/",
            "http://localhost:3000/",
        ];
        let outside = [
            "https://shop.example.com/",
            "https://example.com:8443/",
            "http://localhost/",
            "https://notexample.com/",
            "https://example.com.evil.test/",
        ];
        assert!(inside.iter().all(|url| scope.contains_str(url)));
        assert!(!outside.iter().any(|url| scope.contains_str(url)));
    }
}

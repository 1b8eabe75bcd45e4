//! robots.txt (RFC 9309): which URLs a crawler may visit, and how fast.

mod directive;
mod pattern;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::percent_escapes::normalize_escapes;

/// More `Sitemap` lines are ignored. A crawl reads fewer sitemaps.
const MAX_SITEMAPS: usize = 200;

pub use self::{
    directive::{Directive, Key, directives},
    pattern::{escape_non_ascii, path_and_query},
};

/// The rules of one robots.txt.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Robots {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
struct Group {
    /// Product tokens in lower case, or `*`.
    agents: Vec<String>,
    rules: Vec<Rule>,
    crawl_delay: Option<f64>,
}

/// One `Allow` or `Disallow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    pub allow: bool,
    /// Normalized, so that it can be compared.
    pub path: String,
    /// The line in the file, counted from 1. 0: it is not from a file.
    pub line: u32,
}

/// Whether a URL may be visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'a> {
    pub allowed: bool,
    /// The rule that decided. `None`: no rule matches.
    pub rule: Option<&'a Rule>,
}

impl Robots {
    pub fn parse(file: &[u8]) -> Self {
        let mut robots = Self::default();
        // Consecutive `User-agent` lines share the rules after them. Unknown lines do not separate them.
        let mut naming_agents = false;
        for directive in directives(file) {
            match directive.key {
                Key::UserAgent => {
                    if !naming_agents {
                        robots.groups.push(Group::default());
                    }
                    naming_agents = true;
                    robots.with_group(|group| group.agents.extend(product_token(directive.value)));
                }
                Key::Allow | Key::Disallow => {
                    naming_agents = false;
                    let rule = Rule {
                        allow: directive.key == Key::Allow,
                        path: normalize_escapes(&escape_non_ascii(directive.value)),
                        line: directive.line,
                    };
                    robots.with_group(|group| group.add(rule));
                }
                Key::CrawlDelay => {
                    if let Some(delay) = seconds(directive.value) {
                        robots.with_group(|group| group.crawl_delay = Some(delay));
                    }
                }
                Key::Sitemap if robots.sitemaps.len() < MAX_SITEMAPS => {
                    let url = String::from_utf8_lossy(directive.value).into_owned();
                    if !url.is_empty() && !robots.sitemaps.contains(&url) {
                        robots.sitemaps.push(url);
                    }
                }
                Key::Sitemap | Key::Unknown => {}
            }
        }
        robots
    }

    /// For a site without a robots.txt (RFC 9309 §2.3.1.3).
    pub fn allowing_all() -> Self {
        Self::default()
    }

    /// For a robots.txt that could not be read (RFC 9309 §2.3.1.4).
    pub fn forbidding_all() -> Self {
        let rule = Rule { allow: false, path: "/".to_owned(), line: 0 };
        let group = Group { agents: vec!["*".to_owned()], rules: vec![rule], crawl_delay: None };
        Self { groups: vec![group], ..Self::default() }
    }

    /// Rules before the first `User-agent` are ignored.
    fn with_group(&mut self, change: impl FnOnce(&mut Group)) {
        if let Some(group) = self.groups.last_mut() {
            change(group);
        }
    }

    /// The longest matching rule decides. Of two equally long ones, `Allow` wins.
    pub fn decide(&self, agent: &str, url: &str) -> Decision<'_> {
        let path = path_and_query(url);
        if path == "/robots.txt" {
            return Decision { allowed: true, rule: None };
        }
        let path = normalize_escapes(&path);
        let rule = self
            .groups_for(agent)
            .flat_map(|group| &group.rules)
            .filter(|rule| pattern::matches(&rule.path, &path))
            .max_by_key(|rule| (rule.path.len(), rule.allow));
        Decision { allowed: rule.is_none_or(|rule| rule.allow), rule }
    }

    pub fn allows(&self, agent: &str, url: &str) -> bool {
        self.decide(agent, url).allowed
    }

    /// The requested delay between two requests. It is not part of RFC 9309, but widely used. The last one counts.
    pub fn crawl_delay(&self, agent: &str) -> Option<Duration> {
        let seconds = self.groups_for(agent).filter_map(|group| group.crawl_delay).last()?;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Whether a group names this agent, so that the group `*` does not apply to it.
    pub fn names(&self, agent: &str) -> bool {
        let agent = agent.to_ascii_lowercase();
        self.groups.iter().any(|group| group.agents.contains(&agent))
    }

    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    fn groups_for(&self, agent: &str) -> impl Iterator<Item = &Group> {
        let agent = if self.names(agent) { agent.to_ascii_lowercase() } else { "*".to_owned() };
        self.groups.iter().filter(move |group| group.agents.contains(&agent))
    }
}

impl Group {
    fn add(&mut self, rule: Rule) {
        // An empty path matches nothing.
        if rule.path.is_empty() {
            return;
        }
        // A rule that allows the index page of a folder also allows the folder.
        if rule.allow
            && let Some(end) = rule.path.rfind("/index.htm")
        {
            let is_last = !rule.path[end + 1..].contains('/');
            let folder = Rule { path: format!("{}/$", &rule.path[..end]), ..rule.clone() };
            self.rules.extend(is_last.then_some(folder));
        }
        self.rules.push(rule);
    }
}

/// The product token of a `User-agent` value: letters, `-` and `_`, or a single `*`.
fn product_token(value: &[u8]) -> Option<String> {
    if let [b'*', rest @ ..] = value {
        return rest.first().is_none_or(u8::is_ascii_whitespace).then(|| "*".to_owned());
    }
    let end = value.iter().position(|byte| !is_token_byte(*byte)).unwrap_or(value.len());
    let token = value[..end].iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect::<String>();
    (!token.is_empty()).then_some(token)
}

/// Whether a robots.txt can name this crawler.
pub fn is_product_token(agent: &str) -> bool {
    !agent.is_empty() && agent.bytes().all(is_token_byte)
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

fn seconds(value: &[u8]) -> Option<f64> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decision_names_its_rule() {
        let robots = Robots::parse(b"user-agent: *\ndisallow: /\nallow: /shop/\n");
        let decision = robots.decide("bot", "https://example.com/shop/x");
        assert_eq!(decision.rule.map(|rule| (rule.line, rule.path.as_str())), Some((3, "/shop/")));
        assert!(decision.allowed);
        assert!(!robots.allows("bot", "https://example.com/cart"));
        assert!(robots.allows("bot", "https://example.com/robots.txt"));
    }

    #[test]
    fn escapes_are_normalized_before_comparison() {
        // The examples of RFC 9309 §2.2.2.
        for (rule, path) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
            ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/\u{30c4}"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ] {
            let robots = Robots::parse(format!("user-agent: *\ndisallow: {rule}").as_bytes());
            assert!(!robots.allows("bot", &format!("https://example.com{path}")), "{rule}");
        }
        // A reserved character and its escape are different.
        assert!(Robots::parse(b"user-agent: *\ndisallow: /a%2Fb").allows("bot", "https://example.com/a/b"));
    }

    #[test]
    fn only_the_first_sitemaps_are_kept() {
        let lines: Vec<String> = (0..40_000).map(|n| format!("sitemap: /{n}")).collect();
        let robots = Robots::parse(lines.join("\n").as_bytes());
        assert_eq!(robots.sitemaps().len(), MAX_SITEMAPS);
        assert_eq!(robots.sitemaps()[0], "/0");
    }

    #[test]
    fn delays_and_sitemaps_are_read() {
        let robots = Robots::parse(
            b"Sitemap: https://example.com/a.xml\nuser-agent: *\ncrawl-delay: 2.5\nuser-agent: slow\n\
              disallow: /x\nuser-agent: slow\ncrawl-delay: nonsense\ncrawl-delay: 7\nsite-map: /b.xml",
        );
        assert_eq!(robots.crawl_delay("any"), Some(Duration::from_millis(2500)));
        assert_eq!(robots.crawl_delay("Slow"), Some(Duration::from_secs(7)));
        assert_eq!(robots.sitemaps(), ["https://example.com/a.xml", "/b.xml"]);
        assert!(robots.names("SLOW") && !robots.names("any"));
    }

    #[test]
    fn missing_file_allows_everything_and_unreadable_one_nothing() {
        assert!(Robots::allowing_all().allows("bot", "https://example.com/"));
        assert!(!Robots::forbidding_all().allows("bot", "https://example.com/"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed(file in proptest::collection::vec(any::<u8>(), 0..2000), url in ".{0,80}") {
            let robots = Robots::parse(&file);
            robots.decide("bot", &url);
            let again: Robots = serde_json::from_str(&serde_json::to_string(&robots).unwrap()).unwrap();
            prop_assert_eq!(again.allows("bot", &url), robots.allows("bot", &url));
        }

        #[test]
        fn longer_rule_wins_and_equal_length_allows(path in "/[a-c]{1,6}", more in "[a-c]{1,4}") {
            let file = format!("user-agent: *\nallow: {path}\ndisallow: {path}\ndisallow: {path}{more}");
            let robots = Robots::parse(file.as_bytes());
            let url = format!("https://example.com{path}");
            prop_assert!(robots.allows("bot", &url));
            let deeper = format!("{url}{more}");
            prop_assert!(!robots.allows("bot", &deeper));
        }
    }
}

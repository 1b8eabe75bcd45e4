use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use svc_mcp_tools::audit::{AuditLimit, CrawlScope, PageUrl, Sitemaps, collect_sitemaps};

use crate::fake_web::{FakeWeb, block_on};

#[derive(Deserialize)]
struct Golden {
    sets: Vec<Set>,
    differences: Vec<Difference>,
}

#[derive(Deserialize)]
struct Set {
    about: String,
    root: String,
    files: BTreeMap<String, String>,
    pages: Vec<(String, Option<String>)>,
}

#[derive(Deserialize)]
struct Difference {
    why: String,
    root: String,
    files: BTreeMap<String, String>,
    usp: Vec<String>,
    ours: Vec<String>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/sitemaps_usp.json")).unwrap()
}

fn collected(root: &str, files: &BTreeMap<String, String>) -> Sitemaps {
    let web = files.iter().fold(FakeWeb::default(), |web, (name, content)| {
        web.with(&format!("https://example.com/{name}"), 200, &[], BASE64_STANDARD.decode(content).unwrap())
    });
    let root = PageUrl::parse(&format!("https://example.com/{root}")).unwrap();
    block_on(collect_sitemaps(&web, &CrawlScope::new(["example.com"]), vec![root], Duration::ZERO))
}

fn urls(sitemaps: &Sitemaps) -> Vec<String> {
    let mut urls: Vec<String> = sitemaps.entries.iter().map(|entry| entry.written.clone()).collect();
    urls.sort();
    urls
}

/// Python's format: with a time and a numeric zone.
fn python_date(date: &str) -> String {
    let date_time = if date.len() == 10 { format!("{date}T00:00:00") } else { date.to_owned() };
    date_time.replace('Z', "+00:00")
}

#[test]
fn pages_match_ultimate_sitemap_parser() {
    let mut pages = 0;
    for set in golden().sets {
        let sitemaps = collected(&set.root, &set.files);
        let expected: Vec<&str> = set.pages.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls(&sitemaps), expected, "{}", set.about);
        for (url, date) in &set.pages {
            let ours = sitemaps.entries.iter().find(|entry| entry.written == *url).unwrap();
            // The parser has no modification date for feeds.
            if date.is_some() {
                let ours = ours.last_modified.as_deref().map(python_date);
                assert_eq!(ours, *date, "{}: {url}", set.about);
            }
        }
        pages += expected.len();
    }
    assert!(pages >= 280, "{pages}");
}

#[test]
fn differences_are_intended() {
    for difference in golden().differences {
        let sitemaps = collected(&difference.root, &difference.files);
        assert_eq!(urls(&sitemaps), difference.ours, "{}", difference.why);
        assert_ne!(difference.ours, difference.usp, "{}", difference.why);
    }
}

#[test]
fn index_depth_and_hosts_are_limited() {
    let index = |target: &str| format!("<sitemapindex><sitemap><loc>{target}</loc></sitemap></sitemapindex>");
    let mut web = FakeWeb::default();
    for n in 0..10 {
        web = web.text(&format!("/{n}.xml"), &index(&format!("https://brand.test/{}.xml", n + 1)));
    }
    let web =
        web.text("/abroad.xml", &index("https://other.test/s.xml")).text("https://other.test/s.xml", "");
    let roots =
        ["/0.xml", "/abroad.xml"].map(|path| PageUrl::parse(&format!("https://brand.test{path}")).unwrap());
    let sitemaps = block_on(collect_sitemaps(
        &web,
        &CrawlScope::new(["brand.test"]),
        roots.to_vec(),
        Duration::from_secs(1),
    ));
    assert_eq!(sitemaps.files.len(), 5);
    assert_eq!(sitemaps.limits, [AuditLimit::SitemapDepth].into());
    assert_eq!(web.times_requested("https://other.test/s.xml"), 0);
    assert_eq!(*web.delays.lock().unwrap(), [Duration::from_secs(1); 5]);
}

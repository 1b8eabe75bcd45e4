use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use svc_mcp_tools::audit::{Address, Scope, Sitemaps, collect_sitemaps};

use crate::world::{World, block_on};

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
    let world = files.iter().fold(World::default(), |world, (name, content)| {
        world.with(&format!("https://example.com/{name}"), 200, &[], BASE64_STANDARD.decode(content).unwrap())
    });
    let root = Address::parse(&format!("https://example.com/{root}")).unwrap();
    block_on(collect_sitemaps(&world, &Scope::new(["example.com"]), vec![root], Duration::ZERO))
}

fn urls(sitemaps: &Sitemaps) -> Vec<String> {
    let mut urls: Vec<String> = sitemaps.entries.iter().map(|listed| listed.written.clone()).collect();
    urls.sort();
    urls
}

/// As Python writes a date: with its time, and the zone as numbers.
fn as_python_writes(date: &str) -> String {
    let whole = if date.len() == 10 { format!("{date}T00:00:00") } else { date.to_owned() };
    whole.replace('Z', "+00:00")
}

#[test]
fn the_pages_are_those_of_ultimate_sitemap_parser() {
    let mut pages = 0;
    for set in golden().sets {
        let sitemaps = collected(&set.root, &set.files);
        let expected: Vec<&str> = set.pages.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls(&sitemaps), expected, "{}", set.about);
        for (url, date) in &set.pages {
            let ours = sitemaps.entries.iter().find(|listed| listed.written == *url).unwrap();
            // For feeds it gives the date as that of a story.
            if date.is_some() {
                let ours = ours.last_modified.as_deref().map(as_python_writes);
                assert_eq!(ours, *date, "{}: {url}", set.about);
            }
        }
        pages += expected.len();
    }
    assert!(pages >= 280, "{pages}");
}

#[test]
fn where_it_differs_the_reason_is_known() {
    for difference in golden().differences {
        let sitemaps = collected(&difference.root, &difference.files);
        assert_eq!(urls(&sitemaps), difference.ours, "{}", difference.why);
        assert_ne!(difference.ours, difference.usp, "{}", difference.why);
    }
}

#[test]
fn an_index_leads_only_so_deep_and_only_to_the_own_site() {
    let index = |target: &str| format!("<sitemapindex><sitemap><loc>{target}</loc></sitemap></sitemapindex>");
    let mut world = World::default();
    for n in 0..10 {
        world = world.text(&format!("/{n}.xml"), &index(&format!("https://brand.test/{}.xml", n + 1)));
    }
    let world =
        world.text("/abroad.xml", &index("https://other.test/s.xml")).text("https://other.test/s.xml", "");
    let roots =
        ["/0.xml", "/abroad.xml"].map(|path| Address::parse(&format!("https://brand.test{path}")).unwrap());
    let sitemaps = block_on(collect_sitemaps(
        &world,
        &Scope::new(["brand.test"]),
        roots.to_vec(),
        Duration::from_secs(1),
    ));
    assert_eq!(sitemaps.files.len(), 5);
    assert!(sitemaps.cut);
    assert_eq!(world.times_asked("https://other.test/s.xml"), 0);
    assert_eq!(*world.pauses.lock().unwrap(), [Duration::from_secs(1); 5]);
}

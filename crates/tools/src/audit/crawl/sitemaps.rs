use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use super::{
    super::{
        Address, Answer, Listed, Scope, SitemapFile, Sitemaps,
        fetch::Fetch,
        sitemap::{self, SitemapKind},
    },
    known_files::document,
};

/// How deep an index may lie within others. The protocol allows none.
const DEEPEST: u8 = 3;
const MOST_FILES: usize = 200;
const MOST_ENTRIES: usize = 50_000;
/// Of all addresses together: far more than so many of usual length.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// The most that the protocol allows.
const LARGEST_FILE: usize = 50 * 1024 * 1024;

/// Reads these sitemaps and those that they name, with a pause between two.
pub async fn collect_sitemaps(
    fetch: &dyn Fetch,
    scope: &Scope,
    roots: Vec<Address>,
    delay: Duration,
) -> Sitemaps {
    let mut sitemaps = Sitemaps::default();
    let mut seen: HashSet<Address> = roots.iter().cloned().collect();
    let mut listed = HashSet::new();
    let mut bytes = 0;
    let mut waiting: VecDeque<(Address, u8)> = roots.into_iter().map(|root| (root, 0)).collect();
    while let Some((address, depth)) = waiting.pop_front() {
        if sitemaps.files.len() >= MOST_FILES {
            sitemaps.cut = true;
            break;
        }
        if !delay.is_zero() {
            fetch.pause(delay).await;
        }
        let (file, entries) = read(fetch, scope, &address).await;
        for entry in entries {
            let Some(url) = Address::parse(&entry.url) else { continue };
            if file.kind == Some(SitemapKind::Index) {
                if depth >= DEEPEST {
                    sitemaps.cut = true;
                } else if scope.holds(&url) && seen.insert(url.clone()) {
                    waiting.push_back((url, depth + 1));
                }
            } else if sitemaps.entries.len() >= MOST_ENTRIES || bytes > MOST_BYTES {
                sitemaps.cut = true;
                break;
            } else if listed.insert(entry.url.clone()) {
                bytes += entry.url.len();
                sitemaps.entries.push(Listed {
                    url: url.to_string(),
                    written: entry.url,
                    last_modified: entry.last_modified,
                    sitemap: file.url.clone(),
                });
            }
        }
        sitemaps.files.push(file);
    }
    sitemaps
}

async fn read(fetch: &dyn Fetch, scope: &Scope, address: &Address) -> (SitemapFile, Vec<sitemap::Entry>) {
    let mut file =
        SitemapFile { url: address.to_string(), answer: Answer::default(), kind: None, problem: None };
    let fetched = match document(fetch, scope, address, LARGEST_FILE).await {
        Ok(fetched) => fetched,
        Err(fault) => {
            file.problem = Some(fault.to_string());
            file.answer.fault = Some(fault);
            return (file, Vec::new());
        }
    };
    file.answer.status = Some(fetched.status);
    if fetched.status != 200 {
        file.problem = Some(file.answer.told());
        return (file, Vec::new());
    }
    match sitemap::read(&fetched.body) {
        Ok(sitemap) => {
            file.kind = Some(sitemap.kind);
            file.problem = sitemap.broken;
            (file, sitemap.entries)
        }
        Err(error) => {
            file.problem = Some(error.to_string());
            (file, Vec::new())
        }
    }
}

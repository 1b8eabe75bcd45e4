//! Any file is a sitemap with bounded, distinct URLs, or it is refused.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use svc_mcp_tools::audit::sitemap;

fuzz_target!(|data: &[u8]| {
    if let Ok(sitemap) = sitemap::read(data) {
        let urls: HashSet<&str> = sitemap.entries.iter().map(|entry| entry.url.as_str()).collect();
        assert_eq!(urls.len(), sitemap.entries.len(), "each URL is listed once");
        assert!(urls.len() <= 50_000);
    }
});

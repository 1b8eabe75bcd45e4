//! Any page gives its facts, the same each time.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use svc_mcp_tools::audit::{Page, PageUrl, fetch::FetchResponse};

static URL: LazyLock<PageUrl> = LazyLock::new(|| PageUrl::parse("https://example.com/a/b?c").expect("a URL"));

fuzz_target!(|data: &[u8]| {
    let response = FetchResponse {
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: data.to_vec(),
        truncated: false,
        first_byte_ms: 1,
    };
    let page = Page::from_response(&URL, &response);
    let html = page.live().expect("a page with status 200");
    assert!(html.links.iter().all(|link| link.url.len() <= 8192));
    let _ = (page.noindex(), page.canonical(), page.is_indexable(), page.alternates().count());
});

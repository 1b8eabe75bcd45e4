//! Counts the memory that the pages of a crawl use.

use super::{
    super::{
        Page,
        page::{Interner, Link},
    },
    limits::MAX_HELD_BYTES,
};

/// A link and its place among those seen so far.
const LINK_BYTES: usize = size_of::<Link>() + 32;

#[derive(Debug, Default)]
pub(super) struct PageMemory {
    links: Interner<Link>,
    bytes: usize,
}

impl PageMemory {
    /// Shares the links that other pages have too, and counts the rest.
    pub(super) fn add(&mut self, page: &mut Page) {
        let mut links = page.html.as_mut().map(|html| std::mem::take(&mut html.links)).unwrap_or_default();
        // The length as JSON is close to the size in memory.
        self.bytes += size_of::<Page>() + page.json_bytes() + links.len() * size_of::<usize>();
        for link in &mut links {
            if self.links.intern(link) {
                self.bytes += LINK_BYTES + link.url.len() + link.text.len();
            }
        }
        links.shrink_to_fit();
        if let Some(html) = &mut page.html {
            html.links = links;
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MAX_HELD_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::{PageUrl, fetch::FetchResponse},
        *,
    };

    /// Links that are on every page, and as many that are only on this one.
    fn page(number: usize, links: usize) -> Page {
        let link = |path: String| format!("<li><a href=\"/{path}\">A link to {path}</a></li>");
        let shared = (0..links).map(|n| link(format!("products/category-{n}")));
        let own = (0..links).map(|n| link(format!("articles/{number}/part-{n}")));
        let text = "<p>Words of a text as it is on a page of a shop.</p>".repeat(300);
        let html = shared.chain(own).chain([text]).collect::<Vec<_>>().concat();
        let url = PageUrl::parse(&format!("https://a.test/articles/{number}")).unwrap();
        let headers = vec![("content-type".to_owned(), "text/html".to_owned())];
        let response = FetchResponse { status: 200, headers, body: html.into(), ..FetchResponse::default() };
        Page::with_text(&url, &response, super::super::limits::max_text_bytes(1_000))
    }

    #[test]
    fn thousand_usual_pages_fit_and_huge_ones_do_not() {
        let mut memory = PageMemory::default();
        (0..100).for_each(|number| memory.add(&mut page(number, 40)));
        let usual = memory.bytes;
        assert!(usual * 10 < MAX_HELD_BYTES && !memory.is_full(), "{usual}");
        (100..110).for_each(|number| memory.add(&mut page(number, 1_000)));
        assert!((memory.bytes - usual) * 100 > MAX_HELD_BYTES, "{}", memory.bytes);
    }
}

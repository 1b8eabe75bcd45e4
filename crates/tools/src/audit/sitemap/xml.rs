use quick_xml::{
    NsReader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
    name::ResolveResult,
};

use super::{
    super::snippet::{MAX_SNIPPET_CHARS, clip},
    CHUNK_ITEMS, Entries, NotASitemapError, Sitemap, SitemapKind,
};
use crate::cpu_pool::checkpoint;

/// Longer than any URL or date. More text in one element is ignored.
const MAX_TEXT_CHARS: usize = 4_096;

/// The element names of one sitemap format.
struct Format {
    kind: SitemapKind,
    root: &'static str,
    item: &'static str,
    url: &'static str,
    /// The first one that exists counts.
    dates: &'static [&'static str],
}

const FORMATS: [Format; 4] = [
    Format { kind: SitemapKind::Pages, root: "urlset", item: "url", url: "loc", dates: &["lastmod"] },
    Format {
        kind: SitemapKind::Index,
        root: "sitemapindex",
        item: "sitemap",
        url: "loc",
        dates: &["lastmod"],
    },
    Format { kind: SitemapKind::Rss, root: "rss", item: "item", url: "link", dates: &["pubDate"] },
    Format {
        kind: SitemapKind::Atom,
        root: "feed",
        item: "entry",
        url: "link",
        dates: &["updated", "modified", "published", "issued"],
    },
];

/// Entities of the document type are not expanded: a few lines of them can expand to gigabytes.
pub(super) fn read(text: &str) -> Result<Sitemap, NotASitemapError> {
    let mut reader = NsReader::from_str(text);
    // `?a=1&b=2` without `&amp;` is the most common error in sitemaps, and its meaning is clear.
    reader.config_mut().allow_dangling_amp = true;
    let mut document: Option<Document> = None;
    let mut events = 0_usize;
    let broken = loop {
        if events.is_multiple_of(CHUNK_ITEMS) {
            checkpoint();
        }
        events += 1;
        let (namespace, event) = match reader.read_resolved_event() {
            Ok(resolved) => resolved,
            // The message may contain text from the file.
            Err(error) => break Some(clip(&error.to_string(), MAX_SNIPPET_CHARS)),
        };
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.into_inner(),
            ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
        };
        match (&mut document, event) {
            (None, Event::Start(tag)) => {
                document = Some(Document::new(&tag, namespace).ok_or(NotASitemapError)?);
            }
            (None, Event::Empty(tag)) => {
                document = Some(Document::new(&tag, namespace).ok_or(NotASitemapError)?);
                break None;
            }
            (Some(document), Event::Start(tag)) => document.open(&tag, namespace),
            (Some(document), Event::Empty(tag)) => {
                document.open(&tag, namespace);
                document.close();
            }
            (Some(document), Event::End(_)) => document.close(),
            (Some(document), Event::Text(text)) => document.add_text(&text.xml10_content()),
            (Some(document), Event::CData(text)) => document.add_text(&text.xml10_content()),
            (Some(document), Event::GeneralRef(reference)) => document.add_text(&resolve(&reference)),
            (_, Event::Eof) => break None,
            _ => {}
        }
    };
    let Some(Document { format, entries, .. }) = document else { return Err(NotASitemapError) };
    Ok(entries.into_sitemap(format.kind, broken))
}

/// Resolves character references and the five predefined entities. Any other entity stays as written.
fn resolve(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.xml10_content();
    resolve_predefined_entity(&name).map_or_else(|| format!("&{name};"), str::to_owned)
}

struct Document {
    format: &'static Format,
    /// Elements in other namespaces (images, videos, news) also have URLs, which are not pages.
    namespace: String,
    /// How many elements are open inside the root.
    depth: usize,
    item: Option<Item>,
    text: String,
    entries: Entries,
}

#[derive(Default)]
struct Item {
    /// How many elements are open around it.
    depth: usize,
    /// The name of the child element whose text is being read.
    child: Option<String>,
    url: Option<String>,
    /// An Atom link with `rel="self"`, used if there is no link to the page.
    self_url: Option<String>,
    dates: Vec<(usize, String)>,
}

impl Document {
    fn new(root: &BytesStart<'_>, namespace: &str) -> Option<Self> {
        let format = FORMATS.iter().find(|format| root.local_name().into_inner() == format.root)?;
        let namespace = namespace.to_owned();
        Some(Self {
            format,
            namespace,
            depth: 0,
            item: None,
            text: String::new(),
            entries: Entries::default(),
        })
    }

    fn open(&mut self, tag: &BytesStart<'_>, namespace: &str) {
        self.depth += 1;
        self.text.clear();
        let is_own_namespace = namespace == self.namespace;
        let name = tag.local_name().into_inner();
        match &mut self.item {
            None if is_own_namespace && name == self.format.item => {
                self.item = Some(Item { depth: self.depth, ..Item::default() });
            }
            Some(item) if self.depth == item.depth + 1 => {
                item.child = is_own_namespace.then(|| name.to_owned());
                if is_own_namespace && self.format.kind == SitemapKind::Atom && name == self.format.url {
                    item.read_atom_link(tag);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(item) = &mut self.item {
            if self.depth == item.depth {
                let url = item.url.take().or_else(|| item.self_url.take());
                let date = item.dates.iter().min_by_key(|(rank, _)| *rank).map(|(_, date)| date.as_str());
                self.entries.add(&url.unwrap_or_default(), date);
                self.item = None;
            } else if self.depth == item.depth + 1
                && let Some(child) = item.child.take()
            {
                let text = std::mem::take(&mut self.text);
                if child == self.format.url && self.format.kind != SitemapKind::Atom {
                    item.url = Some(text);
                } else if let Some(rank) = self.format.dates.iter().position(|date| *date == child)
                    && !text.trim().is_empty()
                {
                    item.dates.push((rank, text));
                }
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn add_text(&mut self, text: &str) {
        let is_read =
            self.item.as_ref().is_some_and(|item| item.child.is_some() && self.depth == item.depth + 1);
        if is_read && self.text.len() + text.len() <= MAX_TEXT_CHARS {
            self.text.push_str(text);
        }
    }
}

impl Item {
    fn read_atom_link(&mut self, tag: &BytesStart<'_>) {
        let attribute = |name: &str| {
            let found = tag.attributes().with_checks(false).flatten().find(|a| a.key.into_inner() == name)?;
            found.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
        };
        let Some(href) = attribute("href") else { return };
        match attribute("rel").as_deref() {
            None | Some("alternate") => self.url.get_or_insert(href),
            Some("self") => self.self_url.get_or_insert(href),
            Some(_) => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{super::read, *};

    const NS: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

    fn pairs(file: &str) -> Vec<(String, Option<String>)> {
        read(file.as_bytes()).unwrap().entries.into_iter().map(|e| (e.url, e.last_modified)).collect()
    }

    fn urls(file: &str) -> Vec<String> {
        pairs(file).into_iter().map(|(url, _)| url).collect()
    }

    #[test]
    fn pages_and_dates_are_read_and_images_are_not() {
        let file = format!(
            "<?xml version=\"1.0\"?><urlset {NS} xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">
            <url><loc> https://a.test/1?x=1&amp;y=&#50; </loc><lastmod>2026-01-02</lastmod>
              <image:image><image:loc>https://a.test/i.png</image:loc></image:image></url>
            <url><image:loc>https://a.test/j.png</image:loc><loc><![CDATA[https://a.test/2]]></loc></url>
            <url><lastmod>2026</lastmod></url></urlset>"
        );
        assert_eq!(
            pairs(&file),
            [
                ("https://a.test/1?x=1&y=2".to_owned(), Some("2026-01-02".to_owned())),
                ("https://a.test/2".to_owned(), None)
            ]
        );
    }

    #[test]
    fn prefixes_and_missing_namespaces_are_read() {
        let prefixed = "<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'>\
            <s:url><s:loc>https://a.test/1</s:loc></s:url></s:urlset>";
        assert_eq!(urls(prefixed), ["https://a.test/1"]);
        assert_eq!(urls("<urlset><url><loc>https://a.test/1</loc></url></urlset>"), ["https://a.test/1"]);
    }

    #[test]
    fn entries_before_a_syntax_error_are_kept() {
        let file =
            format!("<urlset {NS}><url><loc>https://a.test/1</loc></url><url><loc>https://a.test/2</url>");
        let sitemap = read(file.as_bytes()).unwrap();
        assert_eq!(sitemap.entries.len(), 1);
        assert!(sitemap.broken.is_some());
        assert_eq!(
            urls(&format!("<urlset {NS}><url><loc>https://a.test/?a=1&b=2</loc></url></urlset>")),
            ["https://a.test/?a=1&b=2"]
        );
    }

    #[test]
    fn entities_of_the_document_are_not_expanded() {
        let file = format!(
            "<!DOCTYPE urlset [<!ENTITY a \"https://a.test/\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
             <urlset {NS}><url><loc>&b;</loc></url><url><loc>https://a.test/&b;</loc></url></urlset>"
        );
        assert_eq!(urls(&file), ["https://a.test/&b;"]);
    }

    #[test]
    fn feed_entries_give_their_pages() {
        let rss = "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>https://a.test/</link>\
            <item><title>One</title><atom:link href='https://a.test/api/1'/><link>https://a.test/1</link>\
            <pubDate>Tue, 10 Aug 2010 20:43:53 GMT</pubDate></item></channel></rss>";
        assert_eq!(
            pairs(rss),
            [("https://a.test/1".to_owned(), Some("Tue, 10 Aug 2010 20:43:53 GMT".to_owned()))]
        );
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://a.test/'/>\
            <entry><link rel='self' href='https://a.test/api/1'/><link rel='alternate' href='https://a.test/1?a&amp;b'/>\
            <published>2026-01-01T00:00:00Z</published><updated>2026-02-01T00:00:00Z</updated></entry>\
            <entry><link rel='edit' href='https://a.test/e'/><link rel='self' href='https://a.test/2'/></entry></feed>";
        assert_eq!(
            pairs(atom),
            [
                ("https://a.test/1?a&b".to_owned(), Some("2026-02-01T00:00:00Z".to_owned())),
                ("https://a.test/2".to_owned(), None)
            ]
        );
    }

    #[test]
    fn index_lists_sitemaps() {
        let file =
            format!("<sitemapindex {NS}><sitemap><loc>https://a.test/s.xml</loc></sitemap></sitemapindex>");
        let sitemap = read(file.as_bytes()).unwrap();
        assert_eq!(sitemap.kind, SitemapKind::Index);
        assert_eq!(sitemap.entries[0].url, "https://a.test/s.xml");
    }

    #[test]
    fn deep_nesting_is_harmless() {
        let file = format!("<urlset {NS}>{}", "<url>".repeat(200_000));
        assert!(urls(&file).is_empty());
    }
}

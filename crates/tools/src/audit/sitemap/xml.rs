use quick_xml::{
    NsReader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
    name::ResolveResult,
};

use super::{
    super::snippet::{LONGEST_SNIPPET, clipped},
    Entries, NotASitemap, Sitemap, SitemapKind,
};

/// An address or a date is never longer; more text in one element is left out.
const LONGEST_TEXT: usize = 4_096;

/// How a form of sitemap names its parts.
struct Form {
    kind: SitemapKind,
    root: &'static str,
    item: &'static str,
    address: &'static str,
    /// The first one that is there counts.
    dates: &'static [&'static str],
}

const FORMS: [Form; 4] = [
    Form { kind: SitemapKind::Pages, root: "urlset", item: "url", address: "loc", dates: &["lastmod"] },
    Form {
        kind: SitemapKind::Index,
        root: "sitemapindex",
        item: "sitemap",
        address: "loc",
        dates: &["lastmod"],
    },
    Form { kind: SitemapKind::Rss, root: "rss", item: "item", address: "link", dates: &["pubDate"] },
    Form {
        kind: SitemapKind::Atom,
        root: "feed",
        item: "entry",
        address: "link",
        dates: &["updated", "modified", "published", "issued"],
    },
];

/// Entities that a document declares are not expanded: a few lines of them can stand for gigabytes.
pub(super) fn read(text: &str) -> Result<Sitemap, NotASitemap> {
    let mut reader = NsReader::from_str(text);
    // `?a=1&b=2` without `&amp;` is the most common fault of sitemaps, and its meaning is plain.
    reader.config_mut().allow_dangling_amp = true;
    let mut document: Option<Document> = None;
    let broken = loop {
        let (namespace, event) = match reader.read_resolved_event() {
            Ok(resolved) => resolved,
            // It may hold names from the file.
            Err(error) => break Some(clipped(&error.to_string(), LONGEST_SNIPPET)),
        };
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.into_inner(),
            ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
        };
        match (&mut document, event) {
            (None, Event::Start(tag)) => document = Some(Document::new(&tag, namespace).ok_or(NotASitemap)?),
            (None, Event::Empty(tag)) => {
                document = Some(Document::new(&tag, namespace).ok_or(NotASitemap)?);
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
            (Some(document), Event::GeneralRef(reference)) => document.add_text(&resolved(&reference)),
            (_, Event::Eof) => break None,
            _ => {}
        }
    };
    let Some(Document { form, entries, .. }) = document else { return Err(NotASitemap) };
    Ok(Sitemap { kind: form.kind, entries: entries.kept, broken })
}

/// A character or one of the five entities that XML has by itself. Any other stays as it is written.
fn resolved(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.xml10_content();
    resolve_predefined_entity(&name).map_or_else(|| format!("&{name};"), str::to_owned)
}

struct Document {
    form: &'static Form,
    /// Parts in other namespaces (pictures, videos, news) have addresses too, which are not pages.
    namespace: String,
    /// How many elements are open inside the root.
    depth: usize,
    item: Option<Item>,
    text: String,
    entries: Entries,
}

#[derive(Default)]
struct Item {
    /// How many elements were open around it.
    depth: usize,
    /// The part of the item whose text is being read: its name.
    part: Option<String>,
    address: Option<String>,
    /// An Atom link with `rel="self"`: where the entry is, if nothing says where its page is.
    own_address: Option<String>,
    dates: Vec<(usize, String)>,
}

impl Document {
    fn new(root: &BytesStart<'_>, namespace: &str) -> Option<Self> {
        let form = FORMS.iter().find(|form| root.local_name().into_inner() == form.root)?;
        let namespace = namespace.to_owned();
        Some(Self { form, namespace, depth: 0, item: None, text: String::new(), entries: Entries::default() })
    }

    fn open(&mut self, tag: &BytesStart<'_>, namespace: &str) {
        self.depth += 1;
        self.text.clear();
        let ours = namespace == self.namespace;
        let name = tag.local_name().into_inner();
        match &mut self.item {
            None if ours && name == self.form.item => {
                self.item = Some(Item { depth: self.depth, ..Item::default() });
            }
            Some(item) if self.depth == item.depth + 1 => {
                item.part = ours.then(|| name.to_owned());
                if ours && self.form.kind == SitemapKind::Atom && name == self.form.address {
                    item.link(tag);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(item) = &mut self.item {
            if self.depth == item.depth {
                let address = item.address.take().or_else(|| item.own_address.take());
                let date = item.dates.iter().min_by_key(|(rank, _)| *rank).map(|(_, date)| date.as_str());
                self.entries.add(&address.unwrap_or_default(), date);
                self.item = None;
            } else if self.depth == item.depth + 1
                && let Some(part) = item.part.take()
            {
                let text = std::mem::take(&mut self.text);
                if part == self.form.address && self.form.kind != SitemapKind::Atom {
                    item.address = Some(text);
                } else if let Some(rank) = self.form.dates.iter().position(|date| *date == part)
                    && !text.trim().is_empty()
                {
                    item.dates.push((rank, text));
                }
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn add_text(&mut self, text: &str) {
        let read = self.item.as_ref().is_some_and(|item| item.part.is_some() && self.depth == item.depth + 1);
        if read && self.text.len() + text.len() <= LONGEST_TEXT {
            self.text.push_str(text);
        }
    }
}

impl Item {
    fn link(&mut self, tag: &BytesStart<'_>) {
        let attribute = |name: &str| {
            let found = tag.attributes().with_checks(false).flatten().find(|a| a.key.into_inner() == name)?;
            found.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
        };
        let Some(href) = attribute("href") else { return };
        match attribute("rel").as_deref() {
            None | Some("alternate") => self.address.get_or_insert(href),
            Some("self") => self.own_address.get_or_insert(href),
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
    fn pages_and_their_dates_are_read_and_pictures_are_not() {
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
    fn a_break_keeps_what_is_before_it() {
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
    fn feeds_give_the_pages_of_their_entries() {
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
    fn an_index_names_sitemaps() {
        let file =
            format!("<sitemapindex {NS}><sitemap><loc>https://a.test/s.xml</loc></sitemap></sitemapindex>");
        let sitemap = read(file.as_bytes()).unwrap();
        assert_eq!(sitemap.kind, SitemapKind::Index);
        assert_eq!(sitemap.entries[0].url, "https://a.test/s.xml");
    }

    #[test]
    fn deep_nesting_ends_without_harm() {
        let file = format!("<urlset {NS}>{}", "<url>".repeat(200_000));
        assert!(urls(&file).is_empty());
    }
}

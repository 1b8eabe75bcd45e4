use super::{
    super::snippet::{LONGEST_SNIPPET, clipped},
    Address, Alternate, Canonical, Fetched, Headers,
};

const MOST: usize = 100;

impl Headers {
    pub(super) fn read(address: &Address, fetched: &Fetched) -> Self {
        let text = |name| fetched.header(name).map(|value| clipped(value, LONGEST_SNIPPET));
        let mut headers = Self {
            content_type: text("content-type"),
            robots: fetched.headers("x-robots-tag").take(MOST).map(|v| clipped(v, LONGEST_SNIPPET)).collect(),
            canonicals: Vec::new(),
            alternates: Vec::new(),
            hsts: text("strict-transport-security"),
            csp: text("content-security-policy"),
            content_type_options: text("x-content-type-options"),
            retry_after: fetched.header("retry-after").and_then(|seconds| seconds.trim().parse().ok()),
        };
        for link in fetched.headers("link").flat_map(links).take(MOST) {
            let url = address.join(link.target).map(|url| url.to_string());
            if link.is("canonical") {
                let href = clipped(link.target, LONGEST_SNIPPET);
                headers.canonicals.push(Canonical { href, url });
            } else if link.is("alternate")
                && let Some(language) = link.parameter("hreflang")
            {
                headers.alternates.push(Alternate { language: clipped(language, 40), url });
            }
        }
        headers
    }
}

/// One link of a `Link` header (RFC 8288).
struct HeaderLink<'a> {
    target: &'a str,
    parameters: &'a str,
}

impl<'a> HeaderLink<'a> {
    fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.split(';').find_map(|parameter| {
            let (key, value) = parameter.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
        })
    }

    fn is(&self, relation: &str) -> bool {
        let relations = self.parameter("rel").unwrap_or_default();
        relations.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(relation))
    }
}

/// `<a>; x=y, <b>; x=y`: a comma within the angle brackets does not separate.
fn links(value: &str) -> impl Iterator<Item = HeaderLink<'_>> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once('<')?;
        let (target, after) = after.split_once('>')?;
        let end = after.find(", <").or_else(|| after.find(",<")).unwrap_or(after.len());
        rest = &after[end..];
        Some(HeaderLink { target, parameters: &after[..end] })
    })
}

/// Whether `noindex` or `none` is said, to all or to a large search engine: `noindex, nofollow`,
/// `googlebot: noindex`.
pub(super) fn forbids_indexing(value: &str) -> bool {
    let (agent, directives) = match value.split_once(':') {
        Some((agent, directives)) if !agent.contains(',') && !has_value(agent) => (agent.trim(), directives),
        _ => ("", value),
    };
    let is_heard = ["", "googlebot", "bingbot"].iter().any(|heard| agent.eq_ignore_ascii_case(heard));
    is_heard && directives.split(',').any(|directive| matches_any(directive.trim(), &["noindex", "none"]))
}

/// Directives with a value of their own have a colon too, without naming an agent.
fn has_value(name: &str) -> bool {
    matches_any(name.trim(), &["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"])
}

fn matches_any(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_header_are_read() {
        let header =
            "<https://a.test/1,2>; rel=\"canonical\", </de>; rel=alternate; hreflang=\"de\",</x>;rel=next";
        let fetched = Fetched {
            status: 200,
            headers: vec![("link".to_owned(), header.to_owned())],
            ..Fetched::default()
        };
        let headers = Headers::read(&Address::parse("https://a.test/").unwrap(), &fetched);
        assert_eq!(headers.canonicals[0].url.as_deref(), Some("https://a.test/1,2"));
        assert_eq!(
            headers.alternates,
            [Alternate { language: "de".to_owned(), url: Some("https://a.test/de".to_owned()) }]
        );
    }

    #[test]
    fn only_words_to_search_engines_keep_a_page_out() {
        for value in ["noindex", "NOFOLLOW, NoIndex", "none", "googlebot: noindex", "Bingbot:none"] {
            assert!(forbids_indexing(value), "{value}");
        }
        for value in ["", "index", "otherbot: noindex", "max-snippet: 20", "noindexed", "googlebot: nofollow"]
        {
            assert!(!forbids_indexing(value), "{value}");
        }
        assert!(forbids_indexing("max-snippet: 20, noindex"));
    }
}

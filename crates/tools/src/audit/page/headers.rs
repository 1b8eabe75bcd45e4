use super::{
    super::snippet::{MAX_SNIPPET_CHARS, clip},
    Alternate, Canonical, FetchResponse, Headers, PageUrl,
};

const MAX_LINKS: usize = 100;

impl Headers {
    pub(super) fn read(url: &PageUrl, response: &FetchResponse) -> Self {
        let text = |name| response.header(name).map(|value| clip(value, MAX_SNIPPET_CHARS));
        let mut headers = Self {
            content_type: text("content-type"),
            robots: response
                .headers("x-robots-tag")
                .take(MAX_LINKS)
                .map(|v| clip(v, MAX_SNIPPET_CHARS))
                .collect(),
            canonicals: Vec::new(),
            alternates: Vec::new(),
            hsts: text("strict-transport-security"),
            csp: text("content-security-policy"),
            content_type_options: text("x-content-type-options"),
            retry_after: response.header("retry-after").and_then(|seconds| seconds.trim().parse().ok()),
        };
        for link in response.headers("link").flat_map(links).take(MAX_LINKS) {
            let target = url.join(link.target).map(|target| target.to_string());
            if link.has_relation("canonical") {
                let href = clip(link.target, MAX_SNIPPET_CHARS);
                headers.canonicals.push(Canonical { href, url: target });
            } else if link.has_relation("alternate")
                && let Some(language) = link.parameter("hreflang")
            {
                headers.alternates.push(Alternate { language: clip(language, 40), url: target });
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

    fn has_relation(&self, relation: &str) -> bool {
        let relations = self.parameter("rel").unwrap_or_default();
        relations.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(relation))
    }
}

/// `<a>; x=y, <b>; x=y`. A comma inside the angle brackets is not a separator.
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

/// Whether the value has `noindex` or `none` for all crawlers or for a large search engine, as in `noindex, nofollow`
/// or `googlebot: noindex`.
pub(super) fn forbids_indexing(value: &str) -> bool {
    let (agent, directives) = match value.split_once(':') {
        Some((agent, directives)) if !agent.contains(',') && !has_value(agent) => (agent.trim(), directives),
        _ => ("", value),
    };
    let is_addressed = matches_any(agent, &["", "googlebot", "bingbot"]);
    is_addressed && directives.split(',').any(|directive| matches_any(directive.trim(), &["noindex", "none"]))
}

/// Directives with a value also have a colon, which does not separate an agent.
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
    fn link_header_is_parsed() {
        let header =
            "<https://a.test/1,2>; rel=\"canonical\", </de>; rel=alternate; hreflang=\"de\",</x>;rel=next";
        let response = FetchResponse {
            status: 200,
            headers: vec![("link".to_owned(), header.to_owned())],
            ..FetchResponse::default()
        };
        let headers = Headers::read(&PageUrl::parse("https://a.test/").unwrap(), &response);
        assert_eq!(headers.canonicals[0].url.as_deref(), Some("https://a.test/1,2"));
        assert_eq!(
            headers.alternates,
            [Alternate { language: "de".to_owned(), url: Some("https://a.test/de".to_owned()) }]
        );
    }

    #[test]
    fn only_directives_for_search_engines_forbid_indexing() {
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

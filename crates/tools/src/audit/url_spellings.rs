//! Finds the page that somebody means: people and models write URLs in other ways than a crawl.

use super::PageUrl;

/// The URLs that `text` may mean on the site of `start`, the most literal one first. It may be relative (`/about`) or lack
/// the scheme. The scheme, `www.` and a slash at the end may differ. Empty: it is not a URL.
pub(super) fn url_spellings(start: &PageUrl, text: &str) -> Vec<String> {
    let text = text.trim();
    let host = start.authority();
    let has_host = |text: &str| without_www(text).starts_with(without_www(&host));
    let scheme = if start.is_https() { "https" } else { "http" };
    let url = if text.contains("://") {
        PageUrl::parse(text)
    } else if has_host(text) {
        PageUrl::parse(&format!("{scheme}://{text}"))
    } else {
        start.join(&format!("/{}", text.trim_start_matches('/')))
    };
    let Some(url) = url else { return Vec::new() };
    let (scheme, rest) = url.as_str().split_once("://").unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let other_scheme = if scheme == "https" { "http" } else { "https" };
    let other_host = host.strip_prefix("www.").map_or_else(|| format!("www.{host}"), str::to_owned);
    let mut spellings = Vec::new();
    for scheme in [scheme, other_scheme] {
        for host in [host, &other_host] {
            for path in [path.to_owned(), with_other_slash(path)] {
                spellings.push(format!("{scheme}://{host}{path}"));
            }
        }
    }
    spellings
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// The path with a slash at its end, or without it.
fn with_other_slash(path_and_query: &str) -> String {
    let (path, query) = path_and_query.split_at(path_and_query.find('?').unwrap_or(path_and_query.len()));
    match path.strip_suffix('/') {
        Some("") => path_and_query.to_owned(),
        Some(path) => format!("{path}{query}"),
        None => format!("{path}/{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_found_by_any_spelling_of_its_url() {
        let start = PageUrl::parse("https://www.brand.test/shop/").unwrap();
        for text in [
            "/about",
            "about",
            "/about/",
            " /about#team ",
            "brand.test/about",
            "www.brand.test/about/",
            "http://brand.test/about",
            "https://www.brand.test/about?utm_source=mail",
        ] {
            let spellings = url_spellings(&start, text);
            assert!(spellings.contains(&"https://www.brand.test/about".to_owned()), "{text}: {spellings:?}");
            assert!(spellings.contains(&"http://brand.test/about/".to_owned()), "{text}: {spellings:?}");
            assert_eq!(spellings.len(), 8);
        }
        assert_eq!(
            url_spellings(&start, "/a?b=1")[..2],
            ["https://www.brand.test/a?b=1", "https://www.brand.test/a/?b=1"]
        );
        assert!(url_spellings(&start, "/").iter().all(|url| url.ends_with(".test/")));
        assert_eq!(url_spellings(&start, "mailto://x"), Vec::<String>::new());
    }

    #[test]
    fn port_is_a_part_of_the_host() {
        let start = PageUrl::parse("http://127.0.0.1:3000/").unwrap();
        assert_eq!(url_spellings(&start, "127.0.0.1:3000/a")[0], "http://127.0.0.1:3000/a");
    }
}

use std::collections::HashSet;

use super::text::{clip_to, excerpt};
use crate::audit::PageUrl;

/// Longer names are truncated in results, to limit their size.
const MAX_NAME_CHARS: usize = 300;
/// File names that servers also send for the address of their folder.
const INDEX_FILES: [&str; 4] = ["index.html", "index.htm", "index.php", "default.aspx"];

/// A text with its name, for analyses of several texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedText<'a> {
    /// Usually a URL.
    pub name: &'a str,
    pub text: &'a str,
}

pub(super) fn display_name(name: &str) -> String {
    excerpt(clip_to(name, MAX_NAME_CHARS), MAX_NAME_CHARS)
}

/// Keeps the first text of each page. A page has several addresses, and it is no duplicate of itself.
pub(super) fn distinct_pages<'a>(texts: impl IntoIterator<Item = NamedText<'a>>) -> Vec<NamedText<'a>> {
    let mut seen = HashSet::new();
    let is_new = |text: &NamedText<'a>| page_key(text.name).is_none_or(|key| seen.insert(key));
    texts.into_iter().filter(is_new).collect()
}

/// Equal for the addresses of one page: with and without `www.`, a slash at the end and `index.html`, http and https.
/// `None`: not a URL.
fn page_key(name: &str) -> Option<String> {
    let url = PageUrl::parse(name)?;
    let rest = url.as_str().split_once("://")?.1;
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let folder =
        INDEX_FILES.iter().find_map(|file| path.strip_suffix(file)?.strip_suffix('/')).unwrap_or(path);
    Some(format!("{}?{query}", folder.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_page_are_kept_once() {
        let names = [
            "https://www.acme.example/tea/",
            "http://acme.example/tea",
            "https://acme.example/tea/index.html?utm_source=mail",
            "https://acme.example/tea?size=2",
            "https://acme.example/",
            "https://acme.example/index.php",
            "post_1",
            "post_1",
        ];
        let kept = distinct_pages(names.map(|name| NamedText { name, text: "" }));
        let kept: Vec<&str> = kept.iter().map(|text| text.name).collect();
        assert_eq!(kept, [names[0], names[3], names[4], "post_1", "post_1"]);
    }
}

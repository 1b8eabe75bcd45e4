use super::{
    super::{Evidence, Page, Severity, SiteGraph, page::Html},
    Check, Code, Run, count_of,
};

const MIN_WORDS: u32 = 200;
/// Shorter texts can be similar by chance.
const MIN_WORDS_TO_COMPARE: u32 = 50;
/// Of 64 bits. Two texts differ in about `64 · arccos(1 − share of different three-word sequences) / π` bits: six bits
/// mean one different word in sixty, and unrelated texts differ in 32.
const MAX_DIFFERENT_BITS: u32 = 6;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::ThinContent,
        severity: Severity::Warning,
        title: "Little text on the page",
        why: "A page with little text rarely answers what people search for.",
        fix: "Answer the questions of its visitors, merge it with a page that does, or exclude it from search results \
              with noindex.",
        run: Run::SearchablePage(thin),
    },
    Check {
        code: Code::DuplicateContent,
        severity: Severity::Warning,
        title: "Nearly the same text on several pages",
        why: "Search engines show only one of several pages with the same text, and maybe not the one you want.",
        fix: "Set the page to show as the canonical of the others, redirect them to it, or write different texts.",
        run: Run::Pages(duplicate),
    },
    Check {
        code: Code::LangMissing,
        severity: Severity::Notice,
        title: "Language of the page is not declared",
        why: "Screen readers do not know how to pronounce the text, and browsers do not know whether to translate it.",
        fix: "Add the language to the root element: <html lang=\"en\">.",
        run: Run::Page(lang),
    },
    Check {
        code: Code::ViewportMissing,
        severity: Severity::Warning,
        title: "Page is not made for phones",
        why: "Phones show the desktop layout with text too small to read, and search engines rank the mobile version.",
        fix: "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">.",
        run: Run::Page(viewport),
    },
];

fn thin(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || {
        Evidence::new(
            format!("{} outside navigation, header and footer", count_of(html.words as usize, "word")),
            format!("at least {MIN_WORDS} words"),
        )
    };
    (html.words < MIN_WORDS).then(evidence).into_iter().collect()
}

fn duplicate(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let pages: Vec<(&Page, &Html)> =
        graph.indexable_pages().filter(|(_, html)| html.words >= MIN_WORDS_TO_COMPARE).collect();
    let is_similar = |a: &Html, b: &Html| {
        a.fingerprint.exact == b.fingerprint.exact
            || a.fingerprint.distance(b.fingerprint) <= MAX_DIFFERENT_BITS
    };
    let mut issues = Vec::new();
    for (page, html) in &pages {
        let others = pages.iter().filter(|(other, text)| other.url != page.url && is_similar(html, text));
        let others: Vec<&str> = others.map(|(other, _)| other.url.as_str()).collect();
        if !others.is_empty() {
            let found = format!("nearly the same text as {}", count_of(others.len(), "other page"));
            issues.push((
                page.url.clone(),
                Evidence::new(found, "a different text, or a canonical").related(others),
            ));
        }
    }
    issues
}

fn lang(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || Evidence::new("no lang attribute on <html>", "<html lang=\"…\">");
    html.lang.as_ref().is_none_or(String::is_empty).then(evidence).into_iter().collect()
}

fn viewport(_: &Page, html: &Html) -> Vec<Evidence> {
    let wanted = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
    let evidence = || Evidence::new("no viewport element", wanted);
    html.viewport.as_ref().is_none_or(String::is_empty).then(evidence).into_iter().collect()
}

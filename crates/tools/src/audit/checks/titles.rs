use unicode_segmentation::UnicodeSegmentation;

use super::{
    super::{Evidence, Page, Severity, SiteGraph, page::Html},
    Check, Code, Run, count_of, pages_with_same_text,
};

/// In graphemes. Search results cut longer titles.
const MIN_TITLE_CHARS: usize = 30;
const MAX_TITLE_CHARS: usize = 60;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::TitleMissing,
        severity: Severity::Error,
        title: "Missing page title",
        why: "The title is the headline in search results and in the browser tab. Without a title they show the URL.",
        fix: "Add a <title> to the head that says what this page is about.",
        run: Run::Page(missing),
    },
    Check {
        code: Code::TitleDuplicate,
        severity: Severity::Error,
        title: "Same title on several pages",
        why: "Pages with the same title compete with each other, and people cannot distinguish them in search results.",
        fix: "Give each page a different title, or set one of them as the canonical of the others.",
        run: Run::Pages(duplicate),
    },
    Check {
        code: Code::TitleShort,
        severity: Severity::Warning,
        title: "Page title is too short",
        why: "A short title often lacks the words that people search for.",
        fix: "Write what the page offers, then the brand, in 30 to 60 characters.",
        run: Run::SearchablePage(short),
    },
    Check {
        code: Code::TitleLong,
        severity: Severity::Warning,
        title: "Page title is too long",
        why: "Search results cut the end of the title, which is often the important part.",
        fix: "Put the important words first and shorten it to 60 characters.",
        run: Run::SearchablePage(long),
    },
    Check {
        code: Code::TitleMultiple,
        severity: Severity::Warning,
        title: "Several titles on one page",
        why: "With several titles, it is not defined which one is shown.",
        fix: "Keep one <title>. Look for a template or plugin that adds the second one.",
        run: Run::Page(multiple),
    },
];

/// Browsers use the first title.
fn title(html: &Html) -> Option<&str> {
    html.titles.first().map(String::as_str).filter(|title| !title.is_empty())
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let found = if html.titles.is_empty() { "no <title>" } else { "an empty <title>" };
    let evidence =
        || Evidence::new(found, format!("a <title> of {MIN_TITLE_CHARS} to {MAX_TITLE_CHARS} characters"));
    title(html).is_none().then(evidence).into_iter().collect()
}

fn duplicate(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let groups = pages_with_same_text(graph.indexable_pages(), title);
    let evidence = |(page, title, others): (&Page, &str, Vec<&str>)| {
        let found = format!("the same title on {}", count_of(others.len() + 1, "page"));
        let evidence = Evidence::new(found, "a different title on each page").snippet(title).related(others);
        (page.url.clone(), evidence)
    };
    groups.into_iter().map(evidence).collect()
}

fn short(_: &Page, html: &Html) -> Vec<Evidence> {
    with_length(html, |length| length < MIN_TITLE_CHARS, format!("at least {MIN_TITLE_CHARS} characters"))
}

fn long(_: &Page, html: &Html) -> Vec<Evidence> {
    with_length(html, |length| length > MAX_TITLE_CHARS, format!("at most {MAX_TITLE_CHARS} characters"))
}

fn with_length(html: &Html, is_issue: fn(usize) -> bool, wanted: String) -> Vec<Evidence> {
    let Some(title) = title(html) else { return Vec::new() };
    let length = title.graphemes(true).count();
    let evidence =
        || Evidence::new(format!("a title of {}", count_of(length, "character")), wanted).snippet(title);
    is_issue(length).then(evidence).into_iter().collect()
}

fn multiple(_: &Page, html: &Html) -> Vec<Evidence> {
    let count = html.titles.len();
    let evidence =
        || Evidence::new(count_of(count, "<title> element"), "one <title>").snippet(&html.titles.join(" · "));
    (count > 1).then(evidence).into_iter().collect()
}

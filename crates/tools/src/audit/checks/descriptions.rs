use unicode_segmentation::UnicodeSegmentation;

use super::{
    super::{Evidence, Page, Severity, SiteGraph, page::Html},
    Check, Code, Run, count_of, pages_with_same_text,
};

/// In graphemes. Search results cut longer descriptions.
const MAX_DESCRIPTION_CHARS: usize = 160;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::DescriptionMissing,
        severity: Severity::Warning,
        title: "Missing meta description",
        why: "Search results show an arbitrary part of the page instead of a reason to click.",
        fix: "Add <meta name=\"description\"> with one or two sentences about what the page offers.",
        run: Run::SearchablePage(missing),
    },
    Check {
        code: Code::DescriptionDuplicate,
        severity: Severity::Warning,
        title: "Same meta description on several pages",
        why: "Several search results have the same text, so people cannot tell which one to click.",
        fix: "Describe what is different about this page.",
        run: Run::Pages(duplicate),
    },
    Check {
        code: Code::DescriptionLong,
        severity: Severity::Notice,
        title: "Meta description is too long",
        why: "Search results cut the end of the description.",
        fix: "Shorten it to 160 characters, and start with the reason to click.",
        run: Run::SearchablePage(long),
    },
];

fn description(html: &Html) -> Option<&str> {
    html.descriptions.iter().map(String::as_str).find(|text| !text.is_empty())
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let found = if html.descriptions.is_empty() { "no description" } else { "an empty description" };
    let evidence =
        || Evidence::new(found, format!("a description of up to {MAX_DESCRIPTION_CHARS} characters"));
    description(html).is_none().then(evidence).into_iter().collect()
}

fn duplicate(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let groups = pages_with_same_text(graph.indexable_pages(), description);
    let evidence = |(page, text, others): (&Page, &str, Vec<&str>)| {
        let found = format!("the same description on {}", count_of(others.len() + 1, "page"));
        let evidence =
            Evidence::new(found, "a different description on each page").snippet(text).related(others);
        (page.url.clone(), evidence)
    };
    groups.into_iter().map(evidence).collect()
}

fn long(_: &Page, html: &Html) -> Vec<Evidence> {
    let Some(text) = description(html) else { return Vec::new() };
    let length = text.graphemes(true).count();
    let evidence = || {
        Evidence::new(
            format!("a description of {length} characters"),
            format!("at most {MAX_DESCRIPTION_CHARS} characters"),
        )
        .snippet(text)
    };
    (length > MAX_DESCRIPTION_CHARS).then(evidence).into_iter().collect()
}

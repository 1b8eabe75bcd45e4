use unicode_segmentation::UnicodeSegmentation;

use super::{
    super::{Evidence, Page, Severity, Survey, page::Html},
    Check, Code, Run, counted, shared,
};

/// In characters as people count them. More is cut off in search results.
const LONGEST: usize = 160;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::DescriptionMissing,
        severity: Severity::Warning,
        why: "Search results show a scrap of the page instead of a reason to click.",
        fix: "Add <meta name=\"description\"> with one or two sentences on what the visitor gets here.",
        run: Run::Shown(missing),
    },
    Check {
        code: Code::DescriptionDuplicate,
        severity: Severity::Warning,
        why: "The same text under several results tells nobody which one to click.",
        fix: "Describe what this page has and the others have not.",
        run: Run::Site(duplicate),
    },
    Check {
        code: Code::DescriptionLong,
        severity: Severity::Notice,
        why: "Search results cut the end off.",
        fix: "Shorten it to 160 characters, the reason to click first.",
        run: Run::Shown(long),
    },
];

fn description(html: &Html) -> Option<&str> {
    html.descriptions.iter().map(String::as_str).find(|text| !text.is_empty())
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let found = if html.descriptions.is_empty() { "no description" } else { "an empty description" };
    let evidence = || Evidence::new(found, format!("a description of up to {LONGEST} characters"));
    description(html).is_none().then(evidence).into_iter().collect()
}

fn duplicate(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let groups = shared(survey.indexable_pages(), description);
    let evidence = |(page, text, others): (&Page, &str, Vec<&str>)| {
        let found = format!("the same description on {}", counted(others.len() + 1, "page"));
        let evidence =
            Evidence::new(found, "a description that no other page has").snippet(text).related(others);
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
            format!("at most {LONGEST} characters"),
        )
        .snippet(text)
    };
    (length > LONGEST).then(evidence).into_iter().collect()
}

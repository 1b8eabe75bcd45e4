use unicode_segmentation::UnicodeSegmentation;

use super::{
    super::{Evidence, Page, Severity, Survey, page::Html},
    Check, Code, Run, counted, shared,
};

/// In characters as people count them. More is cut off in search results; less says too little.
const SHORTEST: usize = 30;
const LONGEST: usize = 60;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::TitleMissing,
        severity: Severity::Error,
        why: "The title is the headline in search results and in the browser's tab. Without one they show the address.",
        fix: "Put a <title> into the head that says what this page is about.",
        run: Run::Page(missing),
    },
    Check {
        code: Code::TitleDuplicate,
        severity: Severity::Error,
        why: "Pages with one title compete with each other, and people cannot tell them apart in search results.",
        fix: "Give each page a title of its own, or name one of them as the canonical of the others.",
        run: Run::Site(duplicate),
    },
    Check {
        code: Code::TitleShort,
        severity: Severity::Warning,
        why: "A short title leaves out the words that people search for.",
        fix: "Say what the page offers, then the brand: 30 to 60 characters.",
        run: Run::Shown(short),
    },
    Check {
        code: Code::TitleLong,
        severity: Severity::Warning,
        why: "Search results cut the end off, and it is often the part that matters.",
        fix: "Put the important words first and shorten it to 60 characters.",
        run: Run::Shown(long),
    },
    Check {
        code: Code::TitleMultiple,
        severity: Severity::Warning,
        why: "Which of several titles is shown is left to chance.",
        fix: "Keep one <title>; look for a template or plugin that adds a second.",
        run: Run::Page(multiple),
    },
];

/// The first title, as browsers take it.
fn title(html: &Html) -> Option<&str> {
    html.titles.first().map(String::as_str).filter(|title| !title.is_empty())
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let found = if html.titles.is_empty() { "no <title>" } else { "an empty <title>" };
    let evidence = || Evidence::new(found, format!("a <title> of {SHORTEST} to {LONGEST} characters"));
    title(html).is_none().then(evidence).into_iter().collect()
}

fn duplicate(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let groups = shared(survey.indexable_pages(), title);
    let evidence = |(page, title, others): (&Page, &str, Vec<&str>)| {
        let found = format!("the same title on {}", counted(others.len() + 1, "page"));
        let evidence = Evidence::new(found, "a title that no other page has").snippet(title).related(others);
        (page.url.clone(), evidence)
    };
    groups.into_iter().map(evidence).collect()
}

fn short(_: &Page, html: &Html) -> Vec<Evidence> {
    measured(html, |length| length < SHORTEST, format!("at least {SHORTEST} characters"))
}

fn long(_: &Page, html: &Html) -> Vec<Evidence> {
    measured(html, |length| length > LONGEST, format!("at most {LONGEST} characters"))
}

fn measured(html: &Html, is_fault: fn(usize) -> bool, wanted: String) -> Vec<Evidence> {
    let Some(title) = title(html) else { return Vec::new() };
    let length = title.graphemes(true).count();
    let evidence =
        || Evidence::new(format!("a title of {}", counted(length, "character")), wanted).snippet(title);
    is_fault(length).then(evidence).into_iter().collect()
}

fn multiple(_: &Page, html: &Html) -> Vec<Evidence> {
    let count = html.titles.len();
    let evidence =
        || Evidence::new(counted(count, "<title> element"), "one").snippet(&html.titles.join(" · "));
    (count > 1).then(evidence).into_iter().collect()
}

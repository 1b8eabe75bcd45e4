use super::{
    super::{Evidence, Page, Severity, Survey, page::Html},
    Check, Code, Run, counted,
};

const FEWEST_WORDS: u32 = 200;
/// Shorter texts are alike by chance.
const FEWEST_WORDS_TO_COMPARE: u32 = 50;
/// Of 64 bits. Two texts differ in about `64 · arccos(1 − share of different rows of three words) / π` of them: six are
/// one word in sixty, while texts that have nothing in common differ in 32.
const MOST_DIFFERENT_BITS: u32 = 6;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::ThinContent,
        severity: Severity::Warning,
        why: "A page that says little rarely answers what somebody searched for.",
        fix: "Answer the questions that bring people here, merge it with a page that does, or keep it out of search \
              results with noindex.",
        run: Run::Shown(thin),
    },
    Check {
        code: Code::DuplicateContent,
        severity: Severity::Warning,
        why: "Search engines show one of the pages that say the same, and not always the one you want.",
        fix: "Name the one to show as the canonical of the others, redirect them to it, or write what differs.",
        run: Run::Site(duplicate),
    },
    Check {
        code: Code::LangMissing,
        severity: Severity::Notice,
        why: "Screen readers do not know how to pronounce the text, and browsers whether to offer a translation.",
        fix: "Add the language to the root element: <html lang=\"en\">.",
        run: Run::Page(lang),
    },
    Check {
        code: Code::ViewportMissing,
        severity: Severity::Warning,
        why: "Phones show the page as on a desk, in print too small to read, and search engines rank by phones.",
        fix: "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">.",
        run: Run::Page(viewport),
    },
];

fn thin(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || {
        Evidence::new(
            format!("{} outside of navigation, header and footer", counted(html.words as usize, "word")),
            format!("at least {FEWEST_WORDS} words"),
        )
    };
    (html.words < FEWEST_WORDS).then(evidence).into_iter().collect()
}

fn duplicate(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let pages: Vec<(&Page, &Html)> =
        survey.indexable_pages().filter(|(_, html)| html.words >= FEWEST_WORDS_TO_COMPARE).collect();
    let is_same = |a: &Html, b: &Html| {
        a.fingerprint.exact == b.fingerprint.exact
            || a.fingerprint.distance(b.fingerprint) <= MOST_DIFFERENT_BITS
    };
    let mut found = Vec::new();
    for (page, html) in &pages {
        let others = pages.iter().filter(|(other, text)| other.url != page.url && is_same(html, text));
        let others: Vec<&str> = others.map(|(other, _)| other.url.as_str()).collect();
        if !others.is_empty() {
            let told = format!("nearly the same text as {}", counted(others.len(), "other page"));
            found.push((
                page.url.clone(),
                Evidence::new(told, "a text of its own, or a canonical").related(others),
            ));
        }
    }
    found
}

fn lang(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || Evidence::new("no lang attribute on <html>", "<html lang=\"…\">");
    html.lang.as_ref().is_none_or(String::is_empty).then(evidence).into_iter().collect()
}

fn viewport(_: &Page, html: &Html) -> Vec<Evidence> {
    let wanted = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
    let evidence = || Evidence::new("no viewport", wanted);
    html.viewport.as_ref().is_none_or(String::is_empty).then(evidence).into_iter().collect()
}

use super::{
    super::{
        Evidence, Page, Severity, SiteGraph,
        page::{Alternate, Html},
    },
    Check, Code, Run,
    language_codes::is_hreflang,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::HreflangToError,
        severity: Severity::Error,
        title: "Translation leads to a broken page",
        why: "Search engines send visitors of that language to a page that does not work.",
        fix: "Correct the URL of the translation, or remove the entry.",
        run: Run::Pages(to_error),
    },
    Check {
        code: Code::HreflangNoReturn,
        severity: Severity::Warning,
        title: "Translation does not link back",
        why: "Search engines accept two pages as translations only if each links to the other.",
        fix: "Add an entry for this page, with its language, to the translation.",
        run: Run::Pages(no_return),
    },
    Check {
        code: Code::HreflangNoSelf,
        severity: Severity::Warning,
        title: "List of translations lacks the page itself",
        why: "Without an entry for the page itself, search engines may ignore the whole list.",
        fix: "Add an entry with the language and URL of this page.",
        run: Run::Page(no_self),
    },
    Check {
        code: Code::HreflangBadCode,
        severity: Severity::Warning,
        title: "Unknown language code of a translation",
        why: "Search engines ignore entries with an unknown language or country.",
        fix: "Use a language code of ISO 639-1 and, if needed, a country code of ISO 3166-1, joined by a hyphen: en, \
              en-GB, zh-Hant.",
        run: Run::Page(bad_code),
    },
    Check {
        code: Code::HreflangNoXdefault,
        severity: Severity::Notice,
        title: "Translations have no default page",
        why: "For visitors of all other languages, the search engine chooses the page.",
        fix: "Add an entry with hreflang=\"x-default\" for the page that all other visitors should see.",
        run: Run::Page(no_xdefault),
    },
];

/// Entries for other pages.
fn translations<'a>(graph: &'a SiteGraph<'a>) -> impl Iterator<Item = (&'a Page, &'a Alternate, &'a str)> {
    graph.live_pages().flat_map(|(page, _)| {
        let entries = page.alternates().filter_map(|alternate| Some((alternate, alternate.url.as_deref()?)));
        let others = entries.filter(|(_, url)| *url != page.url);
        others.map(move |(alternate, url)| (page, alternate, url))
    })
}

fn to_error(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let broken = translations(graph).filter_map(|(page, alternate, url)| {
        let found = format!("the translation does not work: {}", graph.destination(url).failure()?);
        Some((page.url.clone(), entry_evidence(alternate, url, &found, "a page with status 200")))
    });
    broken.collect()
}

fn no_return(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let one_way = translations(graph).filter_map(|(page, alternate, url)| {
        let target = graph.page(url)?;
        target.live()?;
        let returns = target.alternates().any(|back| back.url.as_deref() == Some(&page.url));
        let found = "the translation has no entry for this page";
        let evidence = || entry_evidence(alternate, url, found, "an entry for this page");
        (!returns).then(|| (page.url.clone(), evidence()))
    });
    one_way.collect()
}

fn entry_evidence(alternate: &Alternate, url: &str, found: &str, wanted: &str) -> Evidence {
    let snippet = format!("hreflang=\"{}\" href=\"{url}\"", alternate.language);
    Evidence::new(found, wanted).snippet(&snippet).related([url]).key(url)
}

fn no_self(page: &Page, _: &Html) -> Vec<Evidence> {
    let mut entries = page.alternates().peekable();
    let is_missing =
        entries.peek().is_some() && !entries.any(|entry| entry.url.as_deref() == Some(&page.url));
    let evidence = || Evidence::new("no entry for this page itself", "an entry with its language and URL");
    is_missing.then(evidence).into_iter().collect()
}

fn bad_code(page: &Page, _: &Html) -> Vec<Evidence> {
    let unknown = page.alternates().filter(|entry| !is_hreflang(&entry.language));
    let evidence = |entry: &Alternate| {
        Evidence::new(
            "an unknown language or country code",
            "codes of ISO 639-1 and ISO 3166-1, or x-default",
        )
        .snippet(&format!("hreflang=\"{}\"", entry.language))
        .key(&entry.language)
    };
    unknown.map(evidence).collect()
}

fn no_xdefault(page: &Page, _: &Html) -> Vec<Evidence> {
    let mut entries = page.alternates().peekable();
    let is_missing =
        entries.peek().is_some() && !entries.any(|entry| entry.language.eq_ignore_ascii_case("x-default"));
    let evidence = || Evidence::new("no x-default entry", "one x-default entry");
    is_missing.then(evidence).into_iter().collect()
}

use super::{
    super::{
        Evidence, Page, Severity, Survey,
        page::{Alternate, Html},
        survey::Arrival,
    },
    Check, Code, Run,
    language_codes::is_hreflang,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::HreflangToError,
        severity: Severity::Error,
        why: "Visitors of that language are sent to a page that does not work.",
        fix: "Correct the address of the translation, or remove the entry.",
        run: Run::Site(to_error),
    },
    Check {
        code: Code::HreflangNoReturn,
        severity: Severity::Warning,
        why: "Search engines believe two pages to be translations only if each names the other.",
        fix: "Let the translation name this page too, with this page's language.",
        run: Run::Site(no_return),
    },
    Check {
        code: Code::HreflangNoSelf,
        severity: Severity::Warning,
        why: "Without the page's own entry search engines may ignore the whole list.",
        fix: "Add an entry with this page's own language and address.",
        run: Run::Page(no_self),
    },
    Check {
        code: Code::HreflangBadCode,
        severity: Severity::Warning,
        why: "Search engines ignore an entry whose language or country they do not know.",
        fix: "Use a language of ISO 639-1 and, if needed, a country of ISO 3166-1, joined by a hyphen: en, en-GB, \
              zh-Hant.",
        run: Run::Page(bad_code),
    },
    Check {
        code: Code::HreflangNoXdefault,
        severity: Severity::Notice,
        why: "Visitors of all other languages are sent to whichever page the search engine picks.",
        fix: "Add an entry with hreflang=\"x-default\" for the page that suits everybody else.",
        run: Run::Page(no_xdefault),
    },
];

/// Entries that lead to other pages.
fn translations<'a>(survey: &'a Survey<'a>) -> impl Iterator<Item = (&'a Page, &'a Alternate, &'a str)> {
    survey.live_pages().flat_map(|(page, _)| {
        let named = page.alternates().filter_map(|alternate| Some((alternate, alternate.url.as_deref()?)));
        let others = named.filter(|(_, url)| *url != page.url);
        others.map(move |(alternate, url)| (page, alternate, url))
    })
}

fn to_error(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let broken = translations(survey).filter_map(|(page, alternate, url)| {
        let arrival = survey.page(url).map(Arrival::At);
        let arrival = arrival.or_else(|| survey.site.tried.get(url).map(Arrival::Tried))?;
        let found = format!("the translation leads nowhere: {}", arrival.trouble()?);
        Some((page.url.clone(), told(alternate, url, found, "a page that answers with status 200")))
    });
    broken.collect()
}

fn no_return(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let one_way = translations(survey).filter_map(|(page, alternate, url)| {
        let target = survey.page(url)?;
        target.live()?;
        let returns = target.alternates().any(|back| back.url.as_deref() == Some(&page.url));
        let evidence =
            || told(alternate, url, "the translation does not name this page".to_owned(), "an entry back");
        (!returns).then(|| (page.url.clone(), evidence()))
    });
    one_way.collect()
}

fn told(alternate: &Alternate, url: &str, found: String, wanted: &str) -> Evidence {
    let snippet = format!("hreflang=\"{}\" href=\"{url}\"", alternate.language);
    Evidence::new(found, wanted).snippet(&snippet).related([url]).key(url)
}

fn no_self(page: &Page, _: &Html) -> Vec<Evidence> {
    let mut entries = page.alternates().peekable();
    let is_missing =
        entries.peek().is_some() && !entries.any(|entry| entry.url.as_deref() == Some(&page.url));
    let evidence = || Evidence::new("no entry for this page itself", "one with its own language and address");
    is_missing.then(evidence).into_iter().collect()
}

fn bad_code(page: &Page, _: &Html) -> Vec<Evidence> {
    let unknown = page.alternates().filter(|entry| !is_hreflang(&entry.language));
    let evidence = |entry: &Alternate| {
        Evidence::new(
            "a language or country that there is not",
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
    let evidence = || Evidence::new("no x-default among the translations", "one entry with x-default");
    is_missing.then(evidence).into_iter().collect()
}

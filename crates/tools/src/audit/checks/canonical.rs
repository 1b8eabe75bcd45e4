use super::{
    super::{
        Evidence, Page, Severity, Survey,
        page::{Canonical, Html},
        survey::Arrival,
    },
    Check, Code, Run, counted,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::CanonicalToError,
        severity: Severity::Error,
        why: "The page asks search engines to show another one that does not work, so neither is shown.",
        fix: "Name a page that answers with status 200; usually this page itself.",
        run: Run::Site(to_error),
    },
    Check {
        code: Code::CanonicalToRedirect,
        severity: Severity::Error,
        why: "The page to be shown sends visitors elsewhere, so search engines have to guess which one is meant.",
        fix: "Name the address at which the redirect ends.",
        run: Run::Site(to_redirect),
    },
    Check {
        code: Code::CanonicalToNoindex,
        severity: Severity::Error,
        why: "The page to be shown forbids that it is shown, so neither is.",
        fix: "Remove the noindex there, or name another page.",
        run: Run::Site(to_noindex),
    },
    Check {
        code: Code::CanonicalMultiple,
        severity: Severity::Warning,
        why: "Search engines ignore canonicals that there are several of.",
        fix: "Keep one; look for a template or plugin that adds a second.",
        run: Run::Page(multiple),
    },
    Check {
        code: Code::CanonicalRelative,
        severity: Severity::Warning,
        why: "A relative address means another page on each host and under each folder that serves this one.",
        fix: "Write the whole address, with https:// and the host.",
        run: Run::Page(relative),
    },
    Check {
        code: Code::CanonicalHeaderMismatch,
        severity: Severity::Warning,
        why: "The document and the Link header name different pages, so search engines ignore both.",
        fix: "Name the same page in both, or remove one.",
        run: Run::Page(header_mismatch),
    },
];

/// Pages that name another one, with where that leads.
fn elsewhere<'a>(survey: &'a Survey<'a>) -> impl Iterator<Item = (&'a Page, &'a str)> {
    let named = survey.live_pages().filter_map(|(page, _)| Some((page, page.canonical()?)));
    named.filter(|(page, canonical)| page.url != *canonical)
}

fn to_error(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let broken = elsewhere(survey).filter_map(|(page, canonical)| {
        let arrival = survey.page(canonical).map(Arrival::At);
        let arrival = arrival.or_else(|| survey.site.tried.get(canonical).map(Arrival::Tried))?;
        Some((page, canonical, arrival.trouble()?))
    });
    let unreadable = survey.live_pages().flat_map(|(page, html)| {
        let written = html.canonicals.iter().chain(&page.headers.canonicals);
        written.filter(|canonical| canonical.url.is_none()).map(move |canonical| {
            let evidence = Evidence::new("its canonical is no web address", "the address of a page");
            (page.url.clone(), evidence.snippet(&canonical.href))
        })
    });
    broken
        .map(|(page, canonical, trouble)| {
            let found = format!("its canonical leads nowhere: {trouble}");
            (
                page.url.clone(),
                Evidence::new(found, "a page that answers with status 200").related([canonical]),
            )
        })
        .chain(unreadable)
        .collect()
}

fn to_redirect(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let moving = elsewhere(survey).filter_map(|(page, canonical)| {
        let to = match (survey.page(canonical), survey.site.tried.get(canonical)) {
            (Some(target), _) => Some(target.redirect_to.as_deref()?),
            (None, Some(answer)) => answer.status.filter(|status| (300..400).contains(status)).map(|_| ""),
            (None, None) => None,
        }?;
        let related = [canonical, to].into_iter().filter(|url| !url.is_empty());
        let evidence = Evidence::new("its canonical is redirected", "the address where the redirect ends");
        Some((page.url.clone(), evidence.related(related)))
    });
    moving.collect()
}

fn to_noindex(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let hidden = elsewhere(survey).filter_map(|(page, canonical)| {
        let noindex = survey.page(canonical)?.noindex()?;
        let evidence = Evidence::new("its canonical forbids to be shown", "a page that may be shown");
        Some((page.url.clone(), evidence.snippet(&noindex).related([canonical])))
    });
    hidden.collect()
}

fn multiple(_: &Page, html: &Html) -> Vec<Evidence> {
    let count = html.canonicals.len();
    let evidence = || {
        Evidence::new(counted(count, "canonical link"), "one")
            .related(html.canonicals.iter().map(|c| &c.href))
    };
    (count > 1).then(evidence).into_iter().collect()
}

fn relative(page: &Page, html: &Html) -> Vec<Evidence> {
    let is_whole = |canonical: &&Canonical| {
        let href = canonical.href.to_ascii_lowercase();
        href.starts_with("https://") || href.starts_with("http://")
    };
    let written = html.canonicals.iter().chain(&page.headers.canonicals);
    let relative = written.filter(|canonical| canonical.url.is_some() && !is_whole(canonical));
    let evidence = |canonical: &Canonical| {
        Evidence::new("a canonical without scheme and host", "the whole address")
            .snippet(&format!("<link rel=\"canonical\" href=\"{}\">", canonical.href))
            .related(&canonical.url)
    };
    relative.take(1).map(evidence).collect()
}

fn header_mismatch(page: &Page, html: &Html) -> Vec<Evidence> {
    let Some(document) = html.canonicals.first() else { return Vec::new() };
    let other = page.headers.canonicals.iter().find(|header| header.url != document.url);
    let evidence = |header: &Canonical| {
        Evidence::new("the document and the Link header name different pages", "the same page in both")
            .related([&document.href, &header.href])
    };
    other.map(evidence).into_iter().collect()
}

//! How addresses answer.

use std::collections::HashSet;

use super::{
    super::{Answer, Evidence, Page, Severity, Survey, page::Html, survey::Arrival},
    Check, Code, Run, counted,
};

/// What web.dev calls good, in milliseconds.
const SLOW_MS: u32 = 800;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::Http4xx,
        severity: Severity::Error,
        why: "Visitors see an error instead of a page, and search engines drop it.",
        fix: "Bring the page back, redirect it (301) to the one that replaces it, or remove what leads to it.",
        run: Run::Site(|survey| failing(survey, 400..500)),
    },
    Check {
        code: Code::Http5xx,
        severity: Severity::Error,
        why: "The server fails: visitors see an error, and search engines visit the whole site less often.",
        fix: "Look in the server's log for the error at this address and mend it.",
        run: Run::Site(|survey| failing(survey, 500..600)),
    },
    Check {
        code: Code::Timeout,
        severity: Severity::Error,
        why: "Nothing came back: visitors leave, and search engines visit the whole site less often.",
        fix: "See that the server is up and reachable, and find out what keeps this page from answering.",
        run: Run::Site(unanswered),
    },
    Check {
        code: Code::RedirectLoop,
        severity: Severity::Error,
        why: "The redirects lead in a circle, so browsers give up and show an error.",
        fix: "Let the last redirect lead to a page that answers with status 200.",
        run: Run::Site(redirect_loop),
    },
    Check {
        code: Code::RedirectChain,
        severity: Severity::Warning,
        why: "Each redirect costs the visitor a round trip, and search engines give up after a few.",
        fix: "Let the first address, and the links to it, lead straight to the last.",
        run: Run::Site(redirect_chain),
    },
    Check {
        code: Code::MetaRefresh,
        severity: Severity::Warning,
        why: "The page reloads or moves by itself, which takes readers by surprise and hides the move from search \
              engines.",
        fix: "Redirect on the server with status 301, and remove the element.",
        run: Run::Page(meta_refresh),
    },
    Check {
        code: Code::SlowTtfb,
        severity: Severity::Warning,
        why: "The first byte comes late, so everything after it does too: visitors leave and rank is lost.",
        fix: "Cache the page, or find out what the server waits for: queries, other services, a cold start.",
        run: Run::Page(slow_ttfb),
    },
];

fn failing(survey: &Survey<'_>, statuses: std::ops::Range<u16>) -> Vec<(String, Evidence)> {
    let fails = |page: &&Page| page.status.is_some_and(|status| statuses.contains(&status));
    survey.site.pages.iter().filter(fails).map(|page| trouble(survey, page)).collect()
}

fn unanswered(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let fails = |page: &&Page| page.fault.is_some() && page.is_broken();
    survey.site.pages.iter().filter(fails).map(|page| trouble(survey, page)).collect()
}

fn trouble(survey: &Survey<'_>, page: &Page) -> (String, Evidence) {
    let linkers = survey.linkers(&page.url);
    let mut found = Answer { status: page.status, fault: page.fault.clone() }.told();
    if !linkers.is_empty() {
        found = format!("{found}; linked from {}", counted(linkers.len(), "page"));
    }
    (page.url.clone(), Evidence::new(found, "an answer with status 200").related(linkers))
}

fn redirect_loop(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    redirects(survey, |survey, page| {
        let journey = survey.follow(&page.url);
        (journey.end == Arrival::Loop).then(|| {
            Evidence::new(
                format!("{} that never end", counted(journey.hops.len(), "redirect")),
                "a redirect that ends at a page",
            )
            .related(journey.hops.iter().map(|hop| &hop.url))
        })
    })
}

fn redirect_chain(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    redirects(survey, |survey, page| {
        let journey = survey.follow(&page.url);
        (journey.hops.len() > 1 && journey.end != Arrival::Loop).then(|| {
            let way = journey.hops.iter().filter_map(|hop| hop.redirect_to.as_ref());
            Evidence::new(counted(journey.hops.len(), "redirect") + " in a row", "one redirect at most")
                .related(way)
        })
    })
}

/// Looks at redirects where visitors enter them: those that are only passed through are part of another's way.
fn redirects(
    survey: &Survey<'_>,
    look: impl Fn(&Survey<'_>, &Page) -> Option<Evidence>,
) -> Vec<(String, Evidence)> {
    let targets: HashSet<&str> =
        survey.site.pages.iter().filter_map(|page| page.redirect_to.as_deref()).collect();
    let listed: HashSet<&str> = survey.listed().map(|listed| listed.url.as_str()).collect();
    let is_entered = |page: &&Page| {
        !targets.contains(page.url.as_str())
            || page.url == survey.site.start
            || !survey.linkers(&page.url).is_empty()
            || listed.contains(page.url.as_str())
    };
    let moving = survey.site.pages.iter().filter(|page| page.redirect_to.is_some()).filter(is_entered);
    moving.filter_map(|page| Some((page.url.clone(), look(survey, page)?))).collect()
}

fn meta_refresh(_: &Page, html: &Html) -> Vec<Evidence> {
    let refresh = html.refresh.iter();
    refresh
        .map(|content| {
            Evidence::new("a refresh in the page", "a redirect on the server, or none")
                .snippet(&format!("<meta http-equiv=\"refresh\" content=\"{content}\">"))
        })
        .collect()
}

fn slow_ttfb(page: &Page, _: &Html) -> Vec<Evidence> {
    let slow = page.first_byte_ms > SLOW_MS;
    let evidence = || {
        Evidence::new(
            format!("the first byte came after {} ms", page.first_byte_ms),
            format!("the first byte within {SLOW_MS} ms"),
        )
    };
    slow.then(evidence).into_iter().collect()
}

use super::{
    super::{
        Evidence, Page, Severity, SiteGraph,
        page::{Canonical, Html},
    },
    Check, Code, Run, count_of,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::CanonicalToError,
        severity: Severity::Error,
        title: "Canonical leads to a broken page",
        why: "The page asks search engines to show another page, which does not work, so neither is shown.",
        fix: "Set it to a page with status 200, usually this page itself.",
        run: Run::Pages(to_error),
    },
    Check {
        code: Code::CanonicalToRedirect,
        severity: Severity::Error,
        title: "Canonical leads to a redirect",
        why: "The canonical page redirects, so search engines have to guess which page is meant.",
        fix: "Set it to the URL where the redirect ends.",
        run: Run::Pages(to_redirect),
    },
    Check {
        code: Code::CanonicalToNoindex,
        severity: Severity::Error,
        title: "Canonical leads to a page that is hidden from search",
        why: "The canonical page forbids indexing, so neither page is shown.",
        fix: "Remove the noindex from that page, or set another canonical.",
        run: Run::Pages(to_noindex),
    },
    Check {
        code: Code::CanonicalMultiple,
        severity: Severity::Warning,
        title: "Several canonicals on one page",
        why: "Search engines ignore the canonicals of a page that has several.",
        fix: "Keep one canonical. Look for a template or plugin that adds the second one.",
        run: Run::Page(multiple),
    },
    Check {
        code: Code::CanonicalRelative,
        severity: Severity::Warning,
        title: "Canonical is not a complete URL",
        why: "A relative URL means a different page on each host and in each folder that serves this page.",
        fix: "Write the complete URL, with https:// and the host.",
        run: Run::Page(relative),
    },
    Check {
        code: Code::CanonicalHeaderMismatch,
        severity: Severity::Warning,
        title: "Page and header have different canonicals",
        why: "The document and the Link header have different canonicals, so search engines ignore both.",
        fix: "Use the same URL in both, or remove one of them.",
        run: Run::Page(header_mismatch),
    },
];

/// Pages whose canonical is another page, with the canonical.
fn with_other_canonical<'a>(graph: &'a SiteGraph<'a>) -> impl Iterator<Item = (&'a Page, &'a str)> {
    let named = graph.live_pages().filter_map(|(page, _)| Some((page, page.canonical()?)));
    named.filter(|(page, canonical)| page.url != *canonical)
}

fn to_error(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let broken = with_other_canonical(graph)
        .filter_map(|(page, canonical)| Some((page, canonical, graph.destination(canonical).failure()?)));
    let invalid = graph.live_pages().flat_map(|(page, html)| {
        let written = html.canonicals.iter().chain(&page.headers.canonicals);
        written.filter(|canonical| canonical.url.is_none()).map(move |canonical| {
            let evidence = Evidence::new("its canonical is not an http URL", "the URL of a page");
            (page.url.clone(), evidence.snippet(&canonical.href))
        })
    });
    broken
        .map(|(page, canonical, failure)| {
            let found = format!("its canonical does not work: {failure}");
            (page.url.clone(), Evidence::new(found, "a page with status 200").related([canonical]))
        })
        .chain(invalid)
        .collect()
}

fn to_redirect(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let moving = with_other_canonical(graph).filter_map(|(page, canonical)| {
        let to = match (graph.page(canonical), graph.site.tried.get(canonical)) {
            (Some(target), _) => Some(target.redirect_to.as_deref()?),
            (None, Some(outcome)) => outcome.status.filter(|status| (300..400).contains(status)).map(|_| ""),
            (None, None) => None,
        }?;
        let related = [canonical, to].into_iter().filter(|url| !url.is_empty());
        let evidence = Evidence::new("its canonical redirects", "the URL where the redirect ends");
        Some((page.url.clone(), evidence.related(related)))
    });
    moving.collect()
}

fn to_noindex(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let hidden = with_other_canonical(graph).filter_map(|(page, canonical)| {
        let noindex = graph.page(canonical)?.noindex()?;
        let evidence = Evidence::new("its canonical forbids indexing", "a page that may be indexed");
        Some((page.url.clone(), evidence.snippet(&noindex).related([canonical])))
    });
    hidden.collect()
}

fn multiple(_: &Page, html: &Html) -> Vec<Evidence> {
    let count = html.canonicals.len();
    let evidence = || {
        Evidence::new(count_of(count, "canonical link"), "one canonical")
            .related(html.canonicals.iter().map(|c| &c.href))
    };
    (count > 1).then(evidence).into_iter().collect()
}

fn relative(page: &Page, html: &Html) -> Vec<Evidence> {
    let is_absolute = |canonical: &&Canonical| {
        let href = canonical.href.to_ascii_lowercase();
        href.starts_with("https://") || href.starts_with("http://")
    };
    let written = html.canonicals.iter().chain(&page.headers.canonicals);
    let relative = written.filter(|canonical| canonical.url.is_some() && !is_absolute(canonical));
    let evidence = |canonical: &Canonical| {
        Evidence::new("a canonical without scheme and host", "the complete URL")
            .snippet(&format!("<link rel=\"canonical\" href=\"{}\">", canonical.href))
            .related(&canonical.url)
    };
    relative.take(1).map(evidence).collect()
}

fn header_mismatch(page: &Page, html: &Html) -> Vec<Evidence> {
    let Some(document) = html.canonicals.first() else { return Vec::new() };
    let other = page.headers.canonicals.iter().find(|header| header.url != document.url);
    let evidence = |header: &Canonical| {
        Evidence::new("the document and the Link header have different canonicals", "the same URL in both")
            .related([&document.href, &header.href])
    };
    other.map(evidence).into_iter().collect()
}

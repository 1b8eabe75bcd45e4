//! Status codes, redirects and response times.

use std::collections::HashSet;

use super::{
    super::{Evidence, Page, Severity, SiteGraph, page::Html, site_graph::Destination},
    Check, Code, Run, count_of,
};

/// The limit that web.dev calls good.
const MAX_FIRST_BYTE_MS: u32 = 800;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::Http4xx,
        severity: Severity::Error,
        title: "Page not found (4xx)",
        why: "Visitors see an error instead of a page, and search engines remove it.",
        fix: "Restore the page, redirect it (301) to its replacement, or remove the links to it.",
        run: Run::Response(|graph| failing(graph, 400..500)),
    },
    Check {
        code: Code::Http5xx,
        severity: Severity::Error,
        title: "Server error (5xx)",
        why: "The server fails: visitors see an error, and search engines visit the whole site less often.",
        fix: "Find the error for this URL in the server's log and fix it.",
        run: Run::Response(|graph| failing(graph, 500..600)),
    },
    Check {
        code: Code::Timeout,
        severity: Severity::Error,
        title: "Page does not respond",
        why: "The page does not respond: visitors leave, and search engines visit the whole site less often.",
        fix: "Check that the server is running and reachable, and find out why this page does not respond.",
        run: Run::Response(without_response),
    },
    Check {
        code: Code::RedirectLoop,
        severity: Severity::Error,
        title: "Redirect loop",
        why: "The redirects form a loop, so browsers stop and show an error.",
        fix: "Change the last redirect so that it leads to a page with status 200.",
        run: Run::Pages(redirect_loop),
    },
    Check {
        code: Code::RedirectChain,
        severity: Severity::Warning,
        title: "Several redirects in a row",
        why: "Each redirect delays the visitor, and search engines stop after a few redirects.",
        fix: "Redirect the first URL directly to the last one, and update the links to it.",
        run: Run::Pages(redirect_chain),
    },
    Check {
        code: Code::MetaRefresh,
        severity: Severity::Warning,
        title: "Page reloads or redirects by itself",
        why: "The page reloads or redirects by itself. This surprises readers and hides the redirect from search \
              engines.",
        fix: "Redirect on the server with status 301, and remove the element.",
        run: Run::Page(meta_refresh),
    },
    Check {
        code: Code::SlowTtfb,
        severity: Severity::Warning,
        title: "Slow response of the server",
        why: "The first byte arrives late and delays everything after it: visitors leave, and the page ranks lower.",
        fix: "Cache the page, or find out what the server waits for: queries, other services, a cold start.",
        run: Run::Page(slow_ttfb),
    },
];

fn failing(graph: &SiteGraph<'_>, statuses: std::ops::Range<u16>) -> Vec<(String, Evidence)> {
    let fails = |page: &&Page| page.status.is_some_and(|status| statuses.contains(&status));
    graph.site.pages.iter().filter(fails).map(|page| failure_evidence(graph, page)).collect()
}

fn without_response(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let fails = |page: &&Page| page.error.is_some() && page.is_broken();
    graph.site.pages.iter().filter(fails).map(|page| failure_evidence(graph, page)).collect()
}

fn failure_evidence(graph: &SiteGraph<'_>, page: &Page) -> (String, Evidence) {
    let linking_pages = graph.linking_pages(&page.url);
    let mut found = page.outcome().describe();
    if !linking_pages.is_empty() {
        found = format!("{found}; linked from {}", count_of(linking_pages.len(), "page"));
    }
    (page.url.clone(), Evidence::new(found, "a response with status 200").related(graph.referrers(&page.url)))
}

fn redirect_loop(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    redirects(graph, |graph, page| {
        let path = graph.follow(&page.url);
        (path.end == Destination::Loop).then(|| {
            Evidence::new(
                format!("a loop of {}", count_of(path.redirects.len(), "redirect")),
                "a redirect that ends at a page",
            )
            .related(path.redirects.iter().map(|redirect| &redirect.url))
        })
    })
}

fn redirect_chain(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    redirects(graph, |graph, page| {
        let path = graph.follow(&page.url);
        (path.redirects.len() > 1 && path.end != Destination::Loop).then(|| {
            let targets = path.redirects.iter().filter_map(|redirect| redirect.redirect_to.as_ref());
            Evidence::new(count_of(path.redirects.len(), "redirect") + " in a row", "at most one redirect")
                .related(targets)
        })
    })
}

/// Reports only redirects where a visitor can start. Those in the middle belong to the path of another redirect.
fn redirects(
    graph: &SiteGraph<'_>,
    find: impl Fn(&SiteGraph<'_>, &Page) -> Option<Evidence>,
) -> Vec<(String, Evidence)> {
    let targets: HashSet<&str> =
        graph.site.pages.iter().filter_map(|page| page.redirect_to.as_deref()).collect();
    let in_sitemaps: HashSet<&str> = graph.sitemap_urls().map(|entry| entry.url.as_str()).collect();
    let is_entry_point = |page: &&Page| {
        !targets.contains(page.url.as_str())
            || page.url == graph.site.start
            || !graph.linking_pages(&page.url).is_empty()
            || in_sitemaps.contains(page.url.as_str())
    };
    let moving = graph.site.pages.iter().filter(|page| page.redirect_to.is_some()).filter(is_entry_point);
    moving.filter_map(|page| Some((page.url.clone(), find(graph, page)?))).collect()
}

fn meta_refresh(_: &Page, html: &Html) -> Vec<Evidence> {
    let refresh = html.refresh.iter();
    refresh
        .map(|content| {
            Evidence::new("a refresh element", "a redirect on the server, or none")
                .snippet(&format!("<meta http-equiv=\"refresh\" content=\"{content}\">"))
        })
        .collect()
}

fn slow_ttfb(page: &Page, _: &Html) -> Vec<Evidence> {
    let slow = page.first_byte_ms > MAX_FIRST_BYTE_MS;
    let evidence = || {
        Evidence::new(
            format!("the first byte came after {} ms", page.first_byte_ms),
            format!("the first byte within {MAX_FIRST_BYTE_MS} ms"),
        )
    };
    slow.then(evidence).into_iter().collect()
}

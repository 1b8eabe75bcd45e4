use std::collections::BTreeMap;

use super::{
    super::{
        Evidence, Page, PageUrl, Severity, SiteGraph,
        page::{Html, Resource},
    },
    Check, Code, Run, count_of,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::MixedContent,
        severity: Severity::Error,
        title: "Insecure content on a secure page",
        why: "Browsers block resources that a secure page loads over http, or mark the page as insecure.",
        fix: "Load it over https. Most servers offer the same file there.",
        run: Run::Page(mixed_content),
    },
    Check {
        code: Code::HttpScheme,
        severity: Severity::Error,
        title: "Page without HTTPS",
        why: "Anyone on the network path can read and change the page. Browsers mark it as not secure, and it ranks lower.",
        fix: "Serve it over https, and redirect http to https with status 301.",
        run: Run::Page(http_scheme),
    },
    Check {
        code: Code::InsecureForm,
        severity: Severity::Warning,
        title: "Form sends data without HTTPS",
        why: "Anyone on the network path can read what people type into the form, and browsers warn about it.",
        fix: "Change the form's action to a URL that starts with https://.",
        run: Run::Page(insecure_form),
    },
    Check {
        code: Code::HstsMissing,
        severity: Severity::Notice,
        title: "Missing HSTS header",
        why: "Without this header, a visitor's first request may use http and be intercepted.",
        fix: "Send Strict-Transport-Security: max-age=31536000; includeSubDomains.",
        run: Run::Site(hsts),
    },
    Check {
        code: Code::CspMissing,
        severity: Severity::Notice,
        title: "Missing Content-Security-Policy header",
        why: "A content security policy stops injected scripts from running.",
        fix: "Send Content-Security-Policy. Start with Content-Security-Policy-Report-Only to see what it would block.",
        run: Run::Site(csp),
    },
    Check {
        code: Code::NosniffMissing,
        severity: Severity::Notice,
        title: "Missing nosniff header",
        why: "Without this header, browsers may run a harmless file as a script.",
        fix: "Send X-Content-Type-Options: nosniff.",
        run: Run::Site(nosniff),
    },
];

fn mixed_content(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = |resource: &Resource| {
        let attribute = match resource.element.as_str() {
            "link" => "href",
            "object" => "data",
            _ => "src",
        };
        Evidence::new(format!("a {} loaded over http", resource.element), "the same resource over https")
            .snippet(&format!("<{} {attribute}=\"{}\">", resource.element, resource.url))
            .related([&resource.url])
            .key(&resource.url)
    };
    html.insecure_resources.iter().map(evidence).collect()
}

fn http_scheme(page: &Page, _: &Html) -> Vec<Evidence> {
    let evidence =
        || Evidence::new("the page is served over http", "https, and a redirect from http to https");
    (page.url.starts_with("http:") && !is_loopback(page)).then(evidence).into_iter().collect()
}

/// Browsers treat pages of the same machine as secure.
fn is_loopback(page: &Page) -> bool {
    PageUrl::parse(&page.url).is_some_and(|url| url.is_loopback())
}

fn insecure_form(_: &Page, html: &Html) -> Vec<Evidence> {
    let actions = html.forms.iter().filter_map(|form| form.action.as_deref());
    let evidence = |action: &str| {
        Evidence::new("a form that sends its data over http", "an https action")
            .snippet(&format!("<form action=\"{action}\">"))
            .key(action)
    };
    actions.filter(|action| action.starts_with("http:")).map(evidence).collect()
}

fn hsts(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    // Browsers ignore the header over http.
    let is_missing = |page: &Page, _: &Html| page.url.starts_with("https:") && page.headers.hsts.is_none();
    by_host(graph, is_missing, "Strict-Transport-Security")
}

fn csp(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    by_host(graph, |page, html| page.headers.csp.is_none() && !html.has_csp, "Content-Security-Policy")
}

fn nosniff(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    let is_missing = |page: &Page, _: &Html| {
        let options = page.headers.content_type_options.as_deref().unwrap_or_default();
        !options.eq_ignore_ascii_case("nosniff")
    };
    by_host(graph, is_missing, "X-Content-Type-Options: nosniff")
}

/// Headers are usually set for a whole host, so there is one issue for all its pages.
fn by_host(graph: &SiteGraph<'_>, is_missing: fn(&Page, &Html) -> bool, header: &str) -> Vec<Evidence> {
    let mut hosts: BTreeMap<String, (usize, Vec<&str>)> = BTreeMap::new();
    for (page, html) in graph.live_pages() {
        let Some(url) = PageUrl::parse(&page.url) else { continue };
        let (pages, affected) = hosts.entry(url.authority()).or_default();
        *pages += 1;
        if is_missing(page, html) {
            affected.push(&page.url);
        }
    }
    let affected_hosts = hosts.into_iter().filter(|(_, (_, affected))| !affected.is_empty());
    let evidence = |(host, (pages, mut affected)): (String, (usize, Vec<&str>))| {
        // The order of the visits differs from audit to audit.
        affected.sort_unstable();
        let found = format!("{} of {} without the header {header}", affected.len(), count_of(pages, "page"));
        Evidence::new(found, "the header on every page").related(affected).key(&host)
    };
    affected_hosts.map(evidence).collect()
}

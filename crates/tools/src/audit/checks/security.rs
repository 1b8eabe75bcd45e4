use std::collections::BTreeMap;

use super::{
    super::{
        Address, Evidence, Page, Severity, Survey,
        page::{Html, Resource},
    },
    Check, Code, Run, counted,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::MixedContent,
        severity: Severity::Error,
        why: "Browsers block what a secure page loads over http, or warn of the page.",
        fix: "Load it over https; most servers offer the same file there.",
        run: Run::Page(mixed_content),
    },
    Check {
        code: Code::HttpScheme,
        severity: Severity::Error,
        why: "Anybody between can read and change the page; browsers call it not secure, and it ranks lower.",
        fix: "Serve it over https and redirect http there with status 301.",
        run: Run::Page(http_scheme),
    },
    Check {
        code: Code::InsecureForm,
        severity: Severity::Warning,
        why: "What people type into the form is sent so that anybody between can read it, and browsers warn of it.",
        fix: "Let the form's action begin with https://.",
        run: Run::Page(insecure_form),
    },
    Check {
        code: Code::HstsMissing,
        severity: Severity::Notice,
        why: "Without this header a visitor's first request may go over http and be caught.",
        fix: "Send Strict-Transport-Security: max-age=31536000; includeSubDomains.",
        run: Run::Site(hsts),
    },
    Check {
        code: Code::CspMissing,
        severity: Severity::Notice,
        why: "A policy keeps a script that somebody slipped into a page from running.",
        fix: "Send Content-Security-Policy, at first as Content-Security-Policy-Report-Only to see what it would stop.",
        run: Run::Site(csp),
    },
    Check {
        code: Code::NosniffMissing,
        severity: Severity::Notice,
        why: "Without this header browsers may take a harmless file for a script.",
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
        Evidence::new(format!("a {} loaded over http", resource.element), "the same over https")
            .snippet(&format!("<{} {attribute}=\"{}\">", resource.element, resource.url))
            .related([&resource.url])
            .key(&resource.url)
    };
    html.insecure_resources.iter().map(evidence).collect()
}

fn http_scheme(page: &Page, _: &Html) -> Vec<Evidence> {
    let evidence = || Evidence::new("the page is served over http", "https, and a redirect there");
    (page.url.starts_with("http:") && !is_local(page)).then(evidence).into_iter().collect()
}

/// Nobody is between a machine and itself, so browsers call such a page secure as well.
fn is_local(page: &Page) -> bool {
    Address::parse(&page.url).is_some_and(|address| address.is_local())
}

fn insecure_form(_: &Page, html: &Html) -> Vec<Evidence> {
    let actions = html.forms.iter().filter_map(|form| form.action.as_deref());
    let evidence = |action: &str| {
        Evidence::new("a form that sends over http", "an action with https")
            .snippet(&format!("<form action=\"{action}\">"))
            .key(action)
    };
    actions.filter(|action| action.starts_with("http:")).map(evidence).collect()
}

fn hsts(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    // Over http the header means nothing.
    let lacks = |page: &Page, _: &Html| page.url.starts_with("https:") && page.headers.hsts.is_none();
    by_host(survey, lacks, "Strict-Transport-Security")
}

fn csp(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    by_host(survey, |page, html| page.headers.csp.is_none() && !html.has_csp, "Content-Security-Policy")
}

fn nosniff(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let lacks = |page: &Page, _: &Html| {
        let options = page.headers.content_type_options.as_deref().unwrap_or_default();
        !options.eq_ignore_ascii_case("nosniff")
    };
    by_host(survey, lacks, "X-Content-Type-Options: nosniff")
}

/// Headers are set for a whole host, so one fault is told for all its pages.
fn by_host(survey: &Survey<'_>, lacks: fn(&Page, &Html) -> bool, header: &str) -> Vec<(String, Evidence)> {
    let mut hosts: BTreeMap<String, (usize, Vec<&str>)> = BTreeMap::new();
    for (page, html) in survey.live_pages() {
        let Some(address) = Address::parse(&page.url) else { continue };
        let (pages, lacking) = hosts.entry(address.authority()).or_default();
        *pages += 1;
        if lacks(page, html) {
            lacking.push(&page.url);
        }
    }
    let faulty = hosts.into_iter().filter_map(|(host, (pages, lacking))| {
        let first = *lacking.first()?;
        let found = format!("{} of {} without the header {header}", lacking.len(), counted(pages, "page"));
        Some((first.to_owned(), Evidence::new(found, "the header on every page").related(lacking).key(&host)))
    });
    faulty.collect()
}

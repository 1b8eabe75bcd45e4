use std::collections::BTreeSet;

use svc_mcp_tools::audit::{Code, CrawlPlan, Issue, Summary, examine};

use crate::{
    cases::cases,
    fake_web::{FakeWeb, HOME, Sample, about, body, robots, sound, third},
};

fn codes(issues: &[Issue]) -> BTreeSet<&'static str> {
    issues.iter().map(|issue| issue.code.as_str()).collect()
}

#[test]
fn sound_site_has_no_issues() {
    assert_eq!(codes(&examine(&sound().site())), BTreeSet::new());
}

#[test]
fn every_check_finds_its_issue_and_no_similar_case() {
    let cases = cases();
    let covered: BTreeSet<Code> = cases.iter().map(|case| case.code).collect();
    assert_eq!(covered, Code::ALL.iter().copied().collect());
    assert_eq!(cases.len(), 63);
    for case in cases {
        let name = case.code.as_str();
        let issues = examine(&case.with_issue.site());
        assert!(codes(&issues).contains(name), "{name} was not found, only {:?}", codes(&issues));
        let issues = examine(&case.without_issue.site());
        let wrong: Vec<_> = issues.iter().filter(|issue| issue.code == case.code).collect();
        assert!(wrong.is_empty(), "{name} was found by mistake: {wrong:?}");
    }
}

#[test]
fn evidence_is_complete_and_short() {
    let long = "x".repeat(3_000);
    let errors = format!("<title>{long}</title><a href=\"/{}\">{long}</a><h3>{long}</h3>", "y".repeat(1_500));
    let webs = cases().into_iter().map(|case| case.with_issue).chain([body(&errors)]);
    for issue in webs.flat_map(|web| examine(&web.site())) {
        let evidence = &issue.evidence;
        assert!(issue.url.starts_with("http"), "{issue:?}");
        assert!(!evidence.found.is_empty() && !evidence.wanted.is_empty(), "{issue:?}");
        assert!(evidence.snippet.iter().all(|text| text.chars().count() <= 201), "{issue:?}");
        assert!(
            evidence.related.len() <= 5 && serde_json::to_string(&issue).unwrap().len() < 6_000,
            "{issue:?}"
        );
        let json = serde_json::to_value(&issue).unwrap();
        assert_eq!(serde_json::from_value::<Issue>(json).unwrap(), issue);
    }
}

#[test]
fn evidence_names_the_place() {
    let issues = |code, web: FakeWeb| -> Vec<Issue> {
        examine(&web.site()).into_iter().filter(|issue| issue.code == code).collect()
    };
    let broken = issues(Code::BrokenInternalLink, body("<a href=\"/gone\">Old page</a>"));
    assert_eq!(broken[0].url, "https://brand.test/about");
    assert_eq!(broken[0].evidence.related, ["https://brand.test/gone"]);
    assert!(broken[0].evidence.snippet.as_ref().unwrap().contains("Old page"));
    let missing = issues(Code::Http4xx, body("<a href=\"/gone\">Old page</a>"));
    assert_eq!(missing[0].url, "https://brand.test/gone");
    assert_eq!(missing[0].evidence.related, ["https://brand.test/about"]);
    assert!(missing[0].evidence.found.contains("404"));
    let blocked = issues(Code::RobotsBlocksSite, robots("User-agent: *\nDisallow: /\n"));
    assert!(blocked[0].evidence.found.contains("line 2"), "{blocked:?}");
    let failing = sound().with("/robots.txt", 503, &[], "");
    assert!(issues(Code::RobotsBlocksSite, failing)[0].evidence.found.contains("503"));
}

/// Pages link in another order, and the first audit starts elsewhere.
#[test]
fn equal_audits_have_equal_issues_whatever_the_order_of_the_pages() {
    let without_headers = |web: FakeWeb| {
        ["/", "/about", "/a", "/b"].iter().fold(web, |web, path| {
            let web = web.header(path, "strict-transport-security", None);
            web.header(path, "x-content-type-options", None)
        })
    };
    let web = |links: &[&str]| {
        let web = sound()
            .text("/robots.txt", "User-agent: GPTBot\nDisallow: /\n")
            .without("/sitemap.xml")
            .page("/", Sample::new("home").links(links))
            .page("/about", Sample::new("about").links(&["/"]))
            .page("/a", Sample::new("a").links(&["/", "/gone"]))
            .page("/b", Sample::new("b").links(&["/", "/gone"]));
        without_headers(web)
    };
    let identities = |web: FakeWeb, start: &str, per_host| -> BTreeSet<String> {
        let site = web.crawl(&CrawlPlan { per_host, ..CrawlPlan::new(start) });
        examine(&site).iter().map(|issue| format!("{:?}", issue.identity())).collect()
    };
    let first = identities(web(&["/about", "/a", "/b"]), HOME, 1);
    let second = identities(web(&["/b", "/a", "/about"]), HOME, 4);
    let third = identities(web(&["/a", "/b", "/about"]), "https://brand.test/about", 4);
    for code in ["HstsMissing", "NosniffMissing", "SitemapMissing", "AiTrainingBotBlocked"] {
        let wide =
            |identity: &&String| identity.contains(code) && identity.contains("\"https://brand.test/\"");
        assert_eq!(first.iter().filter(wide).count(), 1, "{code}: {first:?}");
    }
    assert_eq!(first, second);
    assert_eq!(first, third);
}

#[test]
fn broken_page_names_all_that_leads_to_it() {
    let related = |web: FakeWeb| -> Vec<String> {
        let issues = examine(&web.site());
        let missing = issues.iter().find(|issue| issue.code == Code::Http4xx).unwrap();
        let path = |url: &String| url.trim_start_matches("https://brand.test").to_owned();
        missing.evidence.related.iter().map(path).collect()
    };
    assert_eq!(related(body("<a href=\"/moved\">Old</a>").redirect("/moved", "/gone")), ["/moved", "/about"]);
    assert_eq!(related(sound().sitemap(&["/", "/about", "/gone"])), ["/sitemap.xml"]);
    let canonical = "<link rel=\"canonical\" href=\"https://brand.test/gone\">".to_owned();
    assert_eq!(related(about(|page| page.canonical = Some(canonical))), ["/about"]);
}

#[test]
fn issues_are_sorted_by_severity_then_pages_then_title() {
    let titles = |web: FakeWeb| -> Vec<&'static str> {
        let issues = examine(&web.site());
        let ranked = Summary::of(&web.site(), &issues).ranked();
        let mut codes: Vec<Code> = issues.iter().map(|issue| issue.code).collect();
        codes.dedup();
        assert_eq!(codes, ranked.iter().map(|(code, ..)| *code).collect::<Vec<_>>());
        codes.into_iter().map(Code::title).collect()
    };
    let web = third(Sample::new("third").set(|page| page.description.clear())).page(
        "/about",
        Sample::new("about").links(&["/", "/gone"]).set(|page| {
            page.description.clear();
            page.h1.clear();
        }),
    );
    assert_eq!(
        titles(web),
        [
            // One page each.
            "Broken internal link",
            "Page not found (4xx)",
            // Two pages, then one.
            "Missing meta description",
            "Missing main heading (h1)",
        ]
    );
}

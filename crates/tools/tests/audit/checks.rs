use std::collections::BTreeSet;

use svc_mcp_tools::audit::{Code, Issue, examine};

use crate::{
    cases::cases,
    fake_web::{FakeWeb, body, robots, sound},
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
    assert_eq!(cases.len(), 62);
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

//! What to fix first, and what the score gains.

use svc_mcp_tools::audit::{Code, Fix, Score, examine, fixes};

use crate::fake_web::{FakeWeb, Sample, body, sound};

fn fixes_of(web: &FakeWeb) -> Vec<Fix> {
    let site = web.site();
    fixes(&site, &examine(&site))
}

fn score_of(web: &FakeWeb) -> f64 {
    let site = web.site();
    Score::of(&site, &examine(&site)).score.unwrap()
}

fn paths(urls: &[String]) -> Vec<&str> {
    urls.iter().map(|url| url.trim_start_matches("https://brand.test")).collect()
}

/// `/gone` is linked from two pages and in the sitemap. `/a` has no title, and `/b` has no title and a broken link.
fn web() -> FakeWeb {
    let untitled = |name: &str| Sample::new(name).set(|page| page.title.clear());
    sound()
        .sitemap(&["/", "/about", "/gone"])
        .page("/", Sample::new("home").links(&["/about", "/a", "/b", "/gone"]))
        .page("/a", untitled("a").links(&["/"]))
        .page("/b", untitled("b").links(&["/", "/gone"]))
}

#[test]
fn issues_with_the_same_cause_are_one_fix() {
    let fixes = fixes_of(&web());
    let missing = &fixes[0];
    assert_eq!(missing.code, Code::Http4xx);
    assert_eq!(missing.also, [Code::BrokenInternalLink, Code::SitemapUrlError]);
    assert_eq!((missing.issues, missing.pages_total), (4, 3));
    assert_eq!(paths(&missing.pages), ["/gone", "/", "/b"]);
    assert_eq!(paths(&missing.linked_from), ["/", "/b", "/sitemap.xml"]);
    let titles = &fixes[1];
    assert_eq!((titles.code, titles.issues, titles.pages_total), (Code::TitleMissing, 2, 2));
    assert_eq!(paths(&titles.pages), ["/a", "/b"]);
    assert!(titles.linked_from.is_empty() && titles.also.is_empty());
}

#[test]
fn gain_is_the_difference_to_the_score_of_the_fixed_site() {
    // Of five pages only `/about` has no error. The page `/b` has errors of both causes.
    let before = score_of(&web());
    assert!((before - 20.0).abs() < 0.01, "{before}");
    let fixes = fixes_of(&web());
    let restored = web().page("/gone", Sample::new("gone").links(&["/"]));
    let titled =
        web().page("/a", Sample::new("a").links(&["/"])).page("/b", Sample::new("b").links(&["/", "/gone"]));
    for (fix, fixed) in fixes.iter().zip([restored, titled]) {
        let gain = score_of(&fixed) - before;
        assert!((fix.score_gain - gain).abs() < 0.01, "{fix:?}: {gain}");
    }
    assert!(fixes[0].score_gain > 39.9 && fixes[1].score_gain > 19.9);
    // A redirect counts as a page only while it has an error.
    let looping = || body("<a href=\"/loop\">Loop</a>");
    let broken = looping().redirect("/loop", "/loop-2").redirect("/loop-2", "/loop");
    let repaired = looping().redirect("/loop", "/");
    let fix = &fixes_of(&broken)[0];
    assert_eq!((fix.code, &fix.also[..]), (Code::RedirectLoop, &[Code::BrokenInternalLink][..]));
    assert!((fix.score_gain - (score_of(&repaired) - score_of(&broken))).abs() < 0.01, "{fix:?}");
    // Only errors lower the score.
    let warning = fixes_of(&body("<h2>Two</h2><h4>Four</h4>"));
    assert_eq!((warning[0].code, warning[0].score_gain), (Code::HeadingOrder, 0.0));
}

#[test]
fn many_broken_pages_leave_space_for_other_fixes() {
    let gone: Vec<String> = (0..60).map(|n| format!("/gone-{n}/{}", "x".repeat(1_500))).collect();
    let links: Vec<&str> = gone.iter().map(String::as_str).collect();
    let web = sound()
        .page("/", Sample::new("home").links(&links).links(&["/about", "/a"]))
        .page("/a", Sample::new("a").set(|page| page.title.clear()));
    let fixes = fixes_of(&web);
    let broken = fixes.iter().filter(|fix| fix.code == Code::Http4xx);
    // Three of their own, and one for the rest.
    assert_eq!(broken.clone().count(), 4);
    assert_eq!(broken.map(|fix| fix.issues).sum::<u32>(), 60);
    assert!(fixes.iter().any(|fix| fix.code == Code::TitleMissing));
    let size = serde_json::to_string(&fixes).unwrap().len();
    assert!(fixes.len() <= 20 && size < 40_000, "{size}");
}

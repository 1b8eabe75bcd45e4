use std::{ops::ControlFlow, sync::atomic::Ordering::SeqCst, time::Duration};

use svc_mcp_tools::audit::{
    Code, End, Issue, Plan, PlanFault, Progress, Score, Site, Stage, crawl, examine,
    fetch::{FetchFault, Method},
};

use crate::world::{HOME, Sample, World, block_on, sound};

fn urls(site: &Site) -> Vec<&str> {
    site.pages.iter().map(|page| page.url.trim_start_matches("https://brand.test")).collect()
}

/// `/` links to `/0` … `/9`, each of them to ten more.
fn tree() -> World {
    let paths = |prefix: &str| -> Vec<String> { (0..10).map(|n| format!("{prefix}{n}")).collect() };
    let page = |path: &str, links: &[String]| {
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Sample::new(path).links(&links)
    };
    let mut world = World::default().text("/robots.txt", "").page("/", page("/", &paths("/")));
    for path in paths("/") {
        let below = paths(&format!("{path}/"));
        for leaf in &below {
            world = world.page(leaf, page(leaf, &[]));
        }
        world = world.page(&path, page(&path, &below));
    }
    world
}

#[test]
fn pages_are_visited_once_and_nearest_first() {
    for per_host in [1, 4] {
        let world = tree();
        let site = world.crawl(&Plan { max_pages: 1_000, per_host, ..Plan::new(HOME) });
        assert_eq!((site.pages.len(), site.end, site.left_out), (111, End::Complete, 0));
        assert_eq!(world.times_asked("/3/4"), 1);
        assert_eq!(world.most_under_way.load(SeqCst), per_host as usize);
        // With several under way the answers may overtake each other.
        let depths: Vec<usize> =
            urls(&site).iter().map(|url| url.trim_matches('/').split('/').count()).collect();
        assert!(per_host > 1 || depths.is_sorted(), "{depths:?}");
    }
}

#[test]
fn limits_on_pages_and_depth_are_kept() {
    let site = tree().crawl(&Plan { max_pages: 20, ..Plan::new(HOME) });
    assert_eq!((site.pages.len(), site.end), (20, End::Limited));
    let site = tree().crawl(&Plan { max_depth: Some(1), ..Plan::new(HOME) });
    assert_eq!((site.pages.len(), site.end, site.left_out), (11, End::Limited, 100));
    // What is too deep may be named by a sitemap, and then it is visited.
    let listed = tree().sitemap(&["/3/4"]).crawl(&Plan { max_depth: Some(1), ..Plan::new(HOME) });
    assert_eq!((listed.pages.len(), listed.left_out), (12, 99));
    let site = tree().crawl(&Plan { max_pages: 0, ..Plan::new(HOME) });
    assert_eq!((site.pages.len(), site.end), (0, End::Limited));
}

#[test]
fn robots_txt_is_obeyed_for_pages_and_files() {
    let world = sound()
        .text("/robots.txt", "User-agent: svc-mcp\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n")
        .page("/", Sample::new("home").links(&["/about", "/private/x", "/private/y.pdf", "/open.pdf"]));
    let site = world.site();
    assert_eq!(site.forbidden, ["https://brand.test/private/x"]);
    assert_eq!(world.times_asked("/private/x") + world.times_asked("/private/y.pdf"), 0);
    assert_eq!(world.times_asked("/open.pdf"), 1);
}

#[test]
fn a_forbidden_start_ends_the_crawl_before_it_begins() {
    for world in [
        sound().text("/robots.txt", "User-agent: *\nDisallow: /\n"),
        sound().with("/robots.txt", 500, &[], ""),
        sound().with("/robots.txt", 429, &[], ""),
        sound().fault("/robots.txt", FetchFault::Timeout),
    ] {
        let site = world.site();
        assert_eq!((site.pages.len(), site.end), (0, End::Forbidden));
        assert_eq!(world.times_asked("/sitemap.xml") + world.times_asked("/llms.txt"), 0);
        let issues = examine(&site);
        assert!(issues.iter().any(|issue| issue.code == Code::RobotsBlocksSite));
        assert_eq!(Score::of(&site, &issues).score, None);
    }
    // RFC 9309: what is not there forbids nothing.
    assert_eq!(sound().with("/robots.txt", 403, &[], "").site().pages.len(), 2);
    let moved = sound().redirect("/robots.txt", "/r.txt").text("/r.txt", "User-agent: *\nDisallow: /about");
    assert_eq!(moved.site().pages.len(), 1);
}

#[test]
fn a_crawl_delay_is_kept_one_request_at_a_time_and_within_reason() {
    for (asked, kept) in [("0.5", 500), ("3600", 10_000)] {
        let world = tree().text("/robots.txt", &format!("User-agent: *\nCrawl-delay: {asked}\n"));
        world.crawl(&Plan { max_depth: Some(1), include_sitemap: false, ..Plan::new(HOME) });
        assert_eq!(world.most_under_way.load(SeqCst), 1);
        assert_eq!(*world.pauses.lock().unwrap(), vec![Duration::from_millis(kept); 10]);
    }
    let world = sound();
    world.crawl(&Plan { delay_ms: 30, ..Plan::new(HOME) });
    // Before the sitemap and the second page.
    assert_eq!(*world.pauses.lock().unwrap(), [Duration::from_millis(30); 2]);
}

#[test]
fn a_host_that_has_had_too_much_is_asked_once_more_and_slower() {
    let world = sound().with("/about", 429, &[("retry-after", "3")], "");
    let site = world.site();
    assert_eq!(world.times_asked("/about"), 2);
    assert_eq!(*world.pauses.lock().unwrap(), [Duration::from_secs(3)]);
    assert_eq!(site.pages.iter().find(|page| page.url.ends_with("/about")).unwrap().status, Some(429));
}

#[test]
fn redirects_are_followed_hop_by_hop_and_not_for_ever() {
    let mut world = sound().page("/", Sample::new("home").links(&["/hop/0", "/about"]));
    for n in 0..40 {
        world = world.redirect(&format!("/hop/{n}"), &format!("/hop/{}", n + 1));
    }
    let site = world.site();
    let hops = site.pages.iter().filter(|page| page.redirect_to.is_some()).count();
    assert_eq!(hops, 11);
    let loops = sound().redirect("/about", "/a").redirect("/a", "/b").redirect("/b", "/about");
    let site = loops.site();
    assert_eq!(site.pages.len(), 4);
    assert_eq!(loops.times_asked("/about"), 1);
}

#[test]
fn a_start_that_moves_takes_the_site_with_it_if_the_new_host_is_ours() {
    let world = World::default()
        .redirect("http://brand.test/", "https://www.brand.test/")
        .page("https://www.brand.test/", Sample::new("home").links(&["/about"]))
        .page("https://www.brand.test/about", Sample::new("about"));
    let site = world.crawl(&Plan::new("http://brand.test/"));
    assert_eq!(site.pages.len(), 3);

    let moved = || {
        World::default()
            .redirect(HOME, "https://new.test/")
            .page("https://new.test/", Sample::new("home").links(&["/about"]))
            .page("https://new.test/about", Sample::new("about"))
    };
    assert_eq!(moved().crawl(&Plan::new(HOME)).pages.len(), 1);
    let hosts = vec!["brand.test".to_owned(), "new.test".to_owned()];
    assert_eq!(moved().crawl(&Plan { hosts, ..Plan::new(HOME) }).pages.len(), 3);
}

#[test]
fn no_other_host_is_visited_only_tried_with_a_head_and_once() {
    let abroad = ["https://rival.test/", "https://far.test/1", "https://far.test/2"];
    let world = sound()
        .page("/", Sample::new("home").links(&abroad).links(&["/about", "/file.pdf"]))
        .page("/about", Sample::new("about").links(&abroad))
        .html("https://rival.test/", "<a href=\"https://rival.test/deeper\">deeper</a>");
    let hosts = vec!["brand.test".to_owned(), "rival.test".to_owned()];
    let site = world.crawl(&Plan { hosts, max_tried: 3, ..Plan::new(HOME) });
    assert_eq!(site.tried.len(), 3);
    let asked = world.asked.lock().unwrap();
    let elsewhere: Vec<_> = asked.iter().filter(|(_, url)| !url.contains("brand.test")).collect();
    assert!(elsewhere.iter().all(|(method, _)| *method == Method::Head));
    assert_eq!(elsewhere.len(), 3);
}

#[test]
fn a_start_that_is_not_ours_is_refused() {
    let go = |plan: Plan| block_on(crawl(&plan, &sound(), &mut |_| ControlFlow::Continue(())));
    let hosts = vec!["rival.test".to_owned()];
    assert_eq!(go(Plan { hosts, ..Plan::new(HOME) }).unwrap_err(), PlanFault::NotOurs);
    assert_eq!(go(Plan::new("file:///etc/passwd")).unwrap_err(), PlanFault::NotAnAddress);
}

#[test]
fn progress_is_told_and_a_crawl_can_be_stopped() {
    let mut told: Vec<Progress> = Vec::new();
    let world = tree();
    let site = block_on(crawl(&Plan::new(HOME), &world, &mut |progress| {
        told.push(progress.clone());
        if told.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }));
    let site = site.unwrap();
    assert_eq!((site.pages.len(), site.end), (5, End::Cancelled));
    assert!(
        told.iter().zip(1..).all(|(progress, n)| progress.visited == n && progress.stage == Stage::Pages)
    );
    assert_eq!(told[0].waiting, 10);
}

#[test]
fn a_crawl_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(work: T) -> T {
        work
    }
    let world = sound();
    let plan = Plan::new(HOME);
    let mut watch = |_: &Progress| ControlFlow::Continue(());
    assert_eq!(block_on(is_send(crawl(&plan, &world, &mut watch))).unwrap().pages.len(), 2);
}

#[test]
fn what_is_not_html_is_not_read() {
    let world = sound().page("/", Sample::new("home").links(&["/about", "/data"])).with(
        "/data",
        200,
        &[("content-type", "application/json")],
        "<a href=\"/hidden\">no</a>",
    );
    let site = world.site();
    assert_eq!(site.pages.len(), 3);
    assert_eq!(world.times_asked("/hidden"), 0);
}

#[test]
fn sitemaps_can_be_left_out() {
    let world = sound().sitemap(&["/", "/about", "/extra"]).page("/extra", Sample::new("extra"));
    assert_eq!(world.site().pages.len(), 3);
    let world = sound().sitemap(&["/", "/about", "/extra"]).page("/extra", Sample::new("extra"));
    let site = world.crawl(&Plan { include_sitemap: false, ..Plan::new(HOME) });
    assert_eq!((site.pages.len(), site.sitemaps, world.times_asked("/sitemap.xml")), (2, None, 0));
}

#[test]
fn the_score_is_the_share_of_pages_without_errors() {
    let world =
        sound().page("/", Sample::new("home").links(&["/about", "/gone", "/x"])).page("/x", Sample::new("x"));
    let site = world.site();
    let issues = examine(&site);
    let score = Score::of(&site, &issues);
    // Of `/`, `/about`, `/x` and `/gone`, the first has the broken link and the last is not there.
    assert_eq!((score.score, score.html_pages, score.pages_with_errors), (Some(50.0), 4, 2));
    assert_eq!(score.counts.errors, 2);
    let sound_site = sound().site();
    assert_eq!(Score::of(&sound_site, &examine(&sound_site)).score, Some(100.0));
}

#[test]
fn a_fault_has_one_identity_in_every_audit() {
    let broken = |links: &[&str]| -> Vec<Issue> {
        let issues = examine(&sound().page("/", Sample::new("home").links(links)).site());
        issues.into_iter().filter(|issue| issue.code == Code::BrokenInternalLink).collect()
    };
    let before = broken(&["/about", "/gone-1", "/gone-2"]);
    let now = broken(&["/about", "/gone-2", "/gone-3"]);
    let shared: Vec<_> =
        now.iter().filter(|issue| before.iter().any(|old| old.identity() == issue.identity())).collect();
    assert_eq!((before.len(), now.len(), shared.len()), (2, 2, 1));
    assert_eq!(shared[0].evidence.key, "https://brand.test/gone-2");
}

#[test]
fn a_page_that_is_remembered_is_not_asked_for_again() {
    let whole = sound().page("/", Sample::new("home").links(&["/about", "/x"])).page("/x", Sample::new("x"));
    let site = whole.site();
    let known: Vec<_> = site.pages.iter().filter(|page| page.url.ends_with("/about")).cloned().collect();
    let resumed = whole.remembering(known);
    let again = resumed.site();
    let urls = |site: &Site| {
        site.pages.iter().map(|page| page.url.clone()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(urls(&again), urls(&site));
    assert_eq!(examine(&again), examine(&site));
    assert_eq!((resumed.times_asked("/about"), resumed.times_asked("/x")), (1, 2));
}

#[test]
fn what_a_crawl_saw_is_plain_data() {
    let site = sound().site();
    let text = serde_json::to_string(&site).unwrap();
    assert_eq!(serde_json::from_str::<Site>(&text).unwrap(), site);
    let schema = serde_json::to_value(schemars::schema_for!(Site)).unwrap();
    assert!(schema["properties"]["pages"].is_object());
}

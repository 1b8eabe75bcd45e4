use std::{ops::ControlFlow, sync::atomic::Ordering::SeqCst, time::Duration};

use svc_mcp_tools::audit::{
    Code, CrawlPlan, CrawlPlanError, Issue, Progress, Score, Site, Stage, StopReason, crawl, crawl_until,
    examine,
    fetch::{Fetch, FetchError, FetchRequest, FetchResponse, Method},
};

use crate::fake_web::{FakeWeb, HOME, Sample, block_on, sound};

fn urls(site: &Site) -> Vec<&str> {
    site.pages.iter().map(|page| page.url.trim_start_matches("https://brand.test")).collect()
}

/// `/` links to `/0` … `/9`, each of them to ten more.
fn tree() -> FakeWeb {
    let paths = |prefix: &str| -> Vec<String> { (0..10).map(|n| format!("{prefix}{n}")).collect() };
    let page = |path: &str, links: &[String]| {
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Sample::new(path).links(&links)
    };
    let mut web = FakeWeb::default().text("/robots.txt", "").page("/", page("/", &paths("/")));
    for path in paths("/") {
        let below = paths(&format!("{path}/"));
        for leaf in &below {
            web = web.page(leaf, page(leaf, &[]));
        }
        web = web.page(&path, page(&path, &below));
    }
    web
}

#[test]
fn pages_are_visited_once_and_nearest_first() {
    for per_host in [1, 4] {
        let web = tree();
        let site = web.crawl(&CrawlPlan { max_pages: 1_000, per_host, ..CrawlPlan::new(HOME) });
        assert_eq!((site.pages.len(), site.end, site.left_out), (111, StopReason::Complete, 0));
        assert_eq!(web.times_requested("/3/4"), 1);
        assert_eq!(web.max_in_flight.load(SeqCst), per_host as usize);
        // Concurrent responses may arrive in another order.
        let depths: Vec<usize> =
            urls(&site).iter().map(|url| url.trim_matches('/').split('/').count()).collect();
        assert!(per_host > 1 || depths.is_sorted(), "{depths:?}");
    }
}

#[test]
fn limits_on_pages_and_depth_are_respected() {
    let site = tree().crawl(&CrawlPlan { max_pages: 20, ..CrawlPlan::new(HOME) });
    assert_eq!((site.pages.len(), site.end), (20, StopReason::Limited));
    let site = tree().crawl(&CrawlPlan { max_depth: Some(1), ..CrawlPlan::new(HOME) });
    assert_eq!((site.pages.len(), site.end, site.left_out), (11, StopReason::Limited, 100));
    // A page that is too deep is visited if it is in a sitemap.
    let listed = tree().sitemap(&["/3/4"]).crawl(&CrawlPlan { max_depth: Some(1), ..CrawlPlan::new(HOME) });
    assert_eq!((listed.pages.len(), listed.left_out), (12, 99));
    let site = tree().crawl(&CrawlPlan { max_pages: 0, ..CrawlPlan::new(HOME) });
    assert_eq!((site.pages.len(), site.end), (0, StopReason::Limited));
}

#[test]
fn robots_txt_is_obeyed_for_pages_and_files() {
    let web = sound()
        .text("/robots.txt", "User-agent: svc-mcp\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n")
        .page("/", Sample::new("home").links(&["/about", "/private/x", "/private/y.pdf", "/open.pdf"]));
    let site = web.site();
    assert_eq!(site.forbidden, ["https://brand.test/private/x"]);
    assert_eq!(web.times_requested("/private/x") + web.times_requested("/private/y.pdf"), 0);
    assert_eq!(web.times_requested("/open.pdf"), 1);
}

#[test]
fn forbidden_start_page_ends_the_crawl() {
    for web in [
        sound().text("/robots.txt", "User-agent: *\nDisallow: /\n"),
        sound().with("/robots.txt", 500, &[], ""),
        sound().with("/robots.txt", 429, &[], ""),
        sound().error("/robots.txt", FetchError::Timeout),
    ] {
        let site = web.site();
        assert_eq!((site.pages.len(), site.end), (0, StopReason::Forbidden));
        assert_eq!(web.times_requested("/sitemap.xml") + web.times_requested("/llms.txt"), 0);
        let issues = examine(&site);
        assert!(issues.iter().any(|issue| issue.code == Code::RobotsBlocksSite));
        assert_eq!(Score::of(&site, &issues).score, None);
    }
    // RFC 9309: a missing robots.txt forbids nothing.
    assert_eq!(sound().with("/robots.txt", 403, &[], "").site().pages.len(), 2);
    let moved = sound().redirect("/robots.txt", "/r.txt").text("/r.txt", "User-agent: *\nDisallow: /about");
    assert_eq!(moved.site().pages.len(), 1);
}

#[test]
fn crawl_delay_is_respected_up_to_a_maximum() {
    for (crawl_delay, millis) in [("0.5", 500), ("3600", 10_000)] {
        let web = tree().text("/robots.txt", &format!("User-agent: *\nCrawl-delay: {crawl_delay}\n"));
        web.crawl(&CrawlPlan { max_depth: Some(1), include_sitemap: false, ..CrawlPlan::new(HOME) });
        assert_eq!(web.max_in_flight.load(SeqCst), 1);
        assert_eq!(*web.delays.lock().unwrap(), vec![Duration::from_millis(millis); 10]);
    }
    let web = sound();
    web.crawl(&CrawlPlan { delay_ms: 30, ..CrawlPlan::new(HOME) });
    // Before the sitemap and the second page.
    assert_eq!(*web.delays.lock().unwrap(), [Duration::from_millis(30); 2]);
}

#[test]
fn overloaded_host_gets_one_retry_after_its_delay() {
    let web = sound().with("/about", 429, &[("retry-after", "3")], "");
    let site = web.site();
    assert_eq!(web.times_requested("/about"), 2);
    assert_eq!(*web.delays.lock().unwrap(), [Duration::from_secs(3)]);
    assert_eq!(site.pages.iter().find(|page| page.url.ends_with("/about")).unwrap().status, Some(429));
}

#[test]
fn redirects_are_followed_up_to_the_limit() {
    let mut web = sound().page("/", Sample::new("home").links(&["/hop/0", "/about"]));
    for n in 0..40 {
        web = web.redirect(&format!("/hop/{n}"), &format!("/hop/{}", n + 1));
    }
    let site = web.site();
    let hops = site.pages.iter().filter(|page| page.redirect_to.is_some()).count();
    assert_eq!(hops, 11);
    let loops = sound().redirect("/about", "/a").redirect("/a", "/b").redirect("/b", "/about");
    let site = loops.site();
    assert_eq!(site.pages.len(), 4);
    assert_eq!(loops.times_requested("/about"), 1);
}

#[test]
fn start_page_may_redirect_to_another_allowed_host() {
    let web = FakeWeb::default()
        .redirect("http://brand.test/", "https://www.brand.test/")
        .page("https://www.brand.test/", Sample::new("home").links(&["/about"]))
        .page("https://www.brand.test/about", Sample::new("about"));
    let site = web.crawl(&CrawlPlan::new("http://brand.test/"));
    assert_eq!(site.pages.len(), 3);

    let moved = || {
        FakeWeb::default()
            .redirect(HOME, "https://new.test/")
            .page("https://new.test/", Sample::new("home").links(&["/about"]))
            .page("https://new.test/about", Sample::new("about"))
    };
    assert_eq!(moved().crawl(&CrawlPlan::new(HOME)).pages.len(), 1);
    let hosts = vec!["brand.test".to_owned(), "new.test".to_owned()];
    assert_eq!(moved().crawl(&CrawlPlan { hosts, ..CrawlPlan::new(HOME) }).pages.len(), 3);
}

#[test]
fn other_hosts_get_one_head_request_for_each_link() {
    let abroad = ["https://rival.test/", "https://far.test/1", "https://far.test/2"];
    let web = sound()
        .page("/", Sample::new("home").links(&abroad).links(&["/about", "/file.pdf"]))
        .page("/about", Sample::new("about").links(&abroad))
        .html("https://rival.test/", "<a href=\"https://rival.test/deeper\">deeper</a>");
    let hosts = vec!["brand.test".to_owned(), "rival.test".to_owned()];
    let site = web.crawl(&CrawlPlan { hosts, max_tried: 3, ..CrawlPlan::new(HOME) });
    assert_eq!(site.tried.len(), 3);
    let requests = web.requests.lock().unwrap();
    let elsewhere: Vec<_> = requests.iter().filter(|(_, url)| !url.contains("brand.test")).collect();
    assert!(elsewhere.iter().all(|(method, _)| *method == Method::Head));
    assert_eq!(elsewhere.len(), 3);
}

#[test]
fn images_share_the_limit_of_head_requests_with_links() {
    let tried = |files: usize, images: usize| -> (usize, usize) {
        let files: Vec<String> = (0..files).map(|n| format!("/file-{n}.pdf")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let images: Vec<String> = (0..images).map(|n| format!("<img src=\"/image-{n}\">")).collect();
        let home = Sample::new("home").links(&files).set(|page| page.body.push_str(&images.concat()));
        // The image of another site is not requested, nor is one that robots.txt forbids.
        let others = "<img src=\"https://cdn.test/image-x\"><img src=\"/private/image-y\">";
        let web = sound()
            .text("/robots.txt", "User-agent: *\nDisallow: /private\n")
            .page("/", home.links(&["/about"]).set(|page| page.body.push_str(others)));
        web.crawl(&CrawlPlan { max_tried: 4, ..CrawlPlan::new(HOME) });
        let requests = web.requests.lock().unwrap();
        assert!(!requests.iter().any(|(_, url)| url.contains("cdn.test") || url.contains("private")));
        let head = |part: &str| {
            requests.iter().filter(|(method, url)| *method == Method::Head && url.contains(part)).count()
        };
        (head("/file-"), head("/image-"))
    };
    assert_eq!(tried(6, 6), (2, 2));
    assert_eq!(tried(1, 6), (1, 3));
    assert_eq!(tried(6, 1), (3, 1));
    assert_eq!(tried(6, 0), (4, 0));
}

#[test]
fn start_outside_the_allowed_hosts_is_refused() {
    let start = |plan: CrawlPlan| block_on(crawl(&plan, &sound(), &mut |_| ControlFlow::Continue(())));
    let hosts = vec!["rival.test".to_owned()];
    assert_eq!(
        start(CrawlPlan { hosts, ..CrawlPlan::new(HOME) }).unwrap_err(),
        CrawlPlanError::StartOutsideHosts
    );
    assert_eq!(start(CrawlPlan::new("file:///etc/passwd")).unwrap_err(), CrawlPlanError::InvalidStart);
}

#[test]
fn crawl_reports_progress_and_can_be_stopped() {
    let mut reports: Vec<Progress> = Vec::new();
    let web = tree();
    let site = block_on(crawl(&CrawlPlan::new(HOME), &web, &mut |progress| {
        reports.push(progress.clone());
        if reports.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }));
    let site = site.unwrap();
    assert_eq!((site.pages.len(), site.end), (5, StopReason::Cancelled));
    assert!(
        reports.iter().zip(1..).all(|(progress, n)| progress.visited == n && progress.stage == Stage::Pages)
    );
    assert_eq!(reports[0].waiting, 10);
}

#[test]
fn crawl_ends_at_its_deadline_with_the_pages_read() {
    let web = tree();
    let (over, deadline) = tokio::sync::oneshot::channel();
    let (mut over, mut reports) = (Some(over), 0);
    let mut observer = |_: &Progress| {
        reports += 1;
        if reports == 5 {
            over.take().unwrap().send(()).unwrap();
        }
        ControlFlow::Continue(())
    };
    let deadline = async { deadline.await.unwrap() };
    let plan = CrawlPlan { max_pages: 1_000, ..CrawlPlan::new(HOME) };
    let site = block_on(crawl_until(deadline, &plan, &web, &mut observer)).unwrap();
    assert_eq!(site.end, StopReason::TimedOut);
    assert!((5..111).contains(&site.pages.len()), "{}", site.pages.len());
    assert!(site.left_out > 0);
}

/// A site whose sitemap never responds.
struct HangingSitemap {
    web: FakeWeb,
    requested: tokio::sync::Notify,
}

#[async_trait::async_trait]
impl Fetch for HangingSitemap {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        if request.url.path() == "/sitemap.xml" {
            self.requested.notify_one();
            std::future::pending::<()>().await;
        }
        self.web.fetch(request).await
    }

    async fn sleep(&self, duration: Duration) {
        self.web.sleep(duration).await;
    }
}

#[test]
fn deadline_covers_the_files_before_the_first_page() {
    let web = HangingSitemap { web: sound(), requested: tokio::sync::Notify::new() };
    let plan = CrawlPlan::new(HOME);
    let mut observer = |_: &Progress| ControlFlow::Continue(());
    let site = block_on(crawl_until(web.requested.notified(), &plan, &web, &mut observer)).unwrap();
    assert_eq!((site.end, site.pages.len(), site.left_out), (StopReason::TimedOut, 0, 1));
}

#[test]
fn spelling_of_the_start_makes_no_other_crawl() {
    let plan = |start: &str| CrawlPlan { hosts: vec!["brand.test".into()], ..CrawlPlan::new(start) };
    let first = plan("https://brand.test/shop?a=1");
    for same in [
        "http://brand.test/shop?a=1",
        "https://www.brand.test/shop/?a=1#top",
        "HTTPS://Brand.TEST:443/x/../shop?a=1&utm_source=mail",
    ] {
        assert!(first.is_same_crawl(&plan(same)), "{same}");
    }
    for other in [
        "https://brand.test/",
        "https://brand.test/shop",
        "https://brand.test/Shop?a=1",
        "https://brand.test/shop?a=2",
        "https://brand.test:8443/shop?a=1",
        "https://shop.brand.test/shop?a=1",
    ] {
        assert!(!first.is_same_crawl(&plan(other)), "{other}");
    }
    assert!(plan("https://brand.test").is_same_crawl(&plan("https://brand.test/")));
    for other in [
        CrawlPlan { max_pages: 5, ..first.clone() },
        CrawlPlan { max_depth: Some(3), ..first.clone() },
        CrawlPlan { include_sitemap: false, ..first.clone() },
    ] {
        assert!(!first.is_same_crawl(&other), "{other:?}");
    }
}

#[test]
fn crawl_is_send() {
    fn is_send<T: Send>(work: T) -> T {
        work
    }
    let web = sound();
    let plan = CrawlPlan::new(HOME);
    let mut observer = |_: &Progress| ControlFlow::Continue(());
    assert_eq!(block_on(is_send(crawl(&plan, &web, &mut observer))).unwrap().pages.len(), 2);
}

#[test]
fn other_content_types_are_not_parsed() {
    let web = sound().page("/", Sample::new("home").links(&["/about", "/data"])).with(
        "/data",
        200,
        &[("content-type", "application/json")],
        "<a href=\"/hidden\">no</a>",
    );
    let site = web.site();
    assert_eq!(site.pages.len(), 3);
    assert_eq!(web.times_requested("/hidden"), 0);
}

#[test]
fn sitemaps_can_be_excluded() {
    let web = sound().sitemap(&["/", "/about", "/extra"]).page("/extra", Sample::new("extra"));
    assert_eq!(web.site().pages.len(), 3);
    let web = sound().sitemap(&["/", "/about", "/extra"]).page("/extra", Sample::new("extra"));
    let site = web.crawl(&CrawlPlan { include_sitemap: false, ..CrawlPlan::new(HOME) });
    assert_eq!((site.pages.len(), site.sitemaps, web.times_requested("/sitemap.xml")), (2, None, 0));
}

#[test]
fn score_is_the_share_of_pages_without_errors() {
    let web =
        sound().page("/", Sample::new("home").links(&["/about", "/gone", "/x"])).page("/x", Sample::new("x"));
    let site = web.site();
    let issues = examine(&site);
    let score = Score::of(&site, &issues);
    // Of `/`, `/about`, `/x` and `/gone`, the first has the broken link and the last is missing.
    assert_eq!((score.score, score.html_pages, score.pages_with_errors), (Some(50.0), 4, 2));
    assert_eq!(score.counts.errors, 2);
    let sound_site = sound().site();
    assert_eq!(Score::of(&sound_site, &examine(&sound_site)).score, Some(100.0));
}

#[test]
fn issue_has_the_same_identity_in_every_audit() {
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
fn cached_page_is_not_requested_again() {
    let absolute =
        sound().page("/", Sample::new("home").links(&["/about", "/x"])).page("/x", Sample::new("x"));
    let site = absolute.site();
    let known: Vec<_> = site.pages.iter().filter(|page| page.url.ends_with("/about")).cloned().collect();
    let resumed = absolute.with_cached_pages(known);
    let again = resumed.site();
    let urls = |site: &Site| {
        site.pages.iter().map(|page| page.url.clone()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(urls(&again), urls(&site));
    assert_eq!(examine(&again), examine(&site));
    assert_eq!((resumed.times_requested("/about"), resumed.times_requested("/x")), (1, 2));
}

#[test]
fn site_can_be_serialized() {
    let site = sound().site();
    let text = serde_json::to_string(&site).unwrap();
    assert_eq!(serde_json::from_str::<Site>(&text).unwrap(), site);
    let schema = serde_json::to_value(schemars::schema_for!(Site)).unwrap();
    assert!(schema["properties"]["pages"].is_object());
}

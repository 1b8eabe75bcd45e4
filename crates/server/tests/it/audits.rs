//! Audits: start, progress, results and comparison.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{AppOptions, Site, TestApp, eventually_with_key};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1><a href=/menu>Menu</a> \
    <a href=/gone>Gone</a>";
const MENU: &str = "<html lang=en><title>All that we have on the menu</title><h1>Menu</h1><a href=/>Home</a>";

pub(crate) async fn app_for(sites: &[&Site]) -> TestApp {
    let allowed: Vec<&str> = sites.iter().map(|site| site.authority()).collect();
    let arguments = vec![format!("--outbound-allow={}", allowed.join(","))];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let competitors: Vec<&str> = sites[1..].iter().map(|site| site.url.as_str()).collect();
    app.put_sites(&sites[0].url, &competitors).await;
    app
}

/// Starts a job with `run_audit` or `run_analysis`, and returns its record after the end.
pub(crate) async fn run_job(app: &TestApp, key: &str, tool: &str, mut arguments: Value) -> Value {
    arguments["wait_seconds"] = json!(25);
    let started = app.call(key, tool, arguments).await.result().clone();
    let has_ended = |job: &Value| job["status"] == "done" || job["status"] == "failed";
    if has_ended(&started) {
        return started["result"].clone();
    }
    // The machine is very busy.
    let poll = started["poll_with"].as_str().unwrap();
    let id_field = poll.replace("get_", "") + "_id";
    eventually_with_key("the end of the job", async || {
        let job = app.call(key, poll, json!({&id_field: started["id"]})).await.result().clone();
        has_ended(&job).then_some(job)
    })
    .await
}

async fn run_audit(app: &TestApp, key: &str) -> Value {
    let audit = run_job(app, key, "run_audit", json!({})).await;
    assert_eq!(audit["status"], "done", "{audit}");
    audit
}

fn codes(audit: &Value) -> Vec<&str> {
    let top = audit["summary"]["top_issues"].as_array().unwrap();
    top.iter().map(|issue| issue["code"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn issues_of_an_audit_have_evidence() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let audit = run_audit(&app, &key).await;
    // `/` has a broken link, `/gone` does not exist, `/menu` has no errors.
    assert_eq!((&audit["summary"]["html_pages"], &audit["summary"]["score"]), (&json!(3), &json!(33.3)));
    assert!(codes(&audit).contains(&"broken_internal_link"), "{audit}");
    let id = audit["audit_id"].clone();
    let got = app.call(&key, "get_audit", json!({"audit_id": id})).await;
    assert_eq!(got.result()["summary"], audit["summary"]);
    assert_eq!(got.result()["comparison"], Value::Null);
    let listed = app.call(&key, "list_audits", json!({})).await;
    assert_eq!((&listed.result()["total"], &listed.result()["items"][0]["audit_id"]), (&json!(1), &id));
    let errors = app.call(&key, "list_audit_issues", json!({"audit_id": id, "severity": "error"})).await;
    let broken = errors.result()["items"].as_array().unwrap().iter();
    let broken = broken.filter(|issue| issue["code"] == "broken_internal_link").collect::<Vec<_>>();
    assert_eq!(broken[0]["pages"][0]["url"], format!("{}/", site.url));
    assert!(broken[0]["pages"][0]["evidence"].to_string().contains("/gone"), "{}", errors.text);
    assert!(errors.result()["items"].as_array().unwrap().iter().all(|issue| issue["severity"] == "error"));
}

#[tokio::test]
async fn issues_are_paged_by_code_and_within_one_code() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let links: String = (0..7).map(|n| format!("<a href=/gone/{n}>{n}</a> ")).collect::<Vec<_>>().concat();
    site.put("/menu", 200, &format!("{MENU}{links}"));
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let id = run_audit(&app, &key).await["audit_id"].clone();
    let mut seen: Vec<Value> = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = app
            .call(&key, "list_audit_issues", with_cursor(json!({"audit_id": id, "limit": 4}), &cursor))
            .await;
        let page = page.result();
        seen.extend(page["items"].as_array().unwrap().iter().map(|issue| issue["code"].clone()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            assert_eq!(page["total"], seen.len());
            break;
        }
    }
    let distinct: std::collections::HashSet<String> = seen.iter().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), seen.len(), "{seen:?}");
    let one = json!({"audit_id": id, "code": "http_4xx", "limit": 5});
    let first = app.call(&key, "list_audit_issues", one.clone()).await;
    let first = first.result();
    assert_eq!((&first["total"], first["items"][0]["pages"].as_array().unwrap().len()), (&json!(8), 5));
    let rest = app.call(&key, "list_audit_issues", with_cursor(one, &first["next_cursor"])).await;
    assert_eq!(rest.result()["items"][0]["pages"].as_array().unwrap().len(), 3);
    assert_eq!(rest.result()["next_cursor"], Value::Null);
    let of_page = json!({"audit_id": id, "url": format!("{}/gone/3", site.url)});
    let of_page = app.call(&key, "list_audit_issues", of_page).await;
    assert_eq!(of_page.result()["items"][0]["pages_total"], 1);
}

#[tokio::test]
async fn long_issues_are_paged_completely() {
    let long = "x".repeat(900);
    let links: Vec<String> = (0..120).map(|n| format!("<a href=/{n}/{long}>{n}</a> ")).collect();
    let site = Site::with(&[("/", &links.concat())]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let id = run_job(&app, &key, "run_audit", json!({"max_pages": 300})).await["audit_id"].clone();
    let mut pages = 0;
    let mut cursor = Value::Null;
    loop {
        let wanted = json!({"audit_id": id, "code": "http_4xx", "limit": 100});
        let page = app.call(&key, "list_audit_issues", with_cursor(wanted, &cursor)).await;
        pages += page.result()["items"][0]["pages"].as_array().unwrap().len();
        cursor = page.result()["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, 120);
    let all = app.call(&key, "list_audit_issues", json!({"audit_id": id, "limit": 100})).await;
    assert!(all.result()["items"].as_array().unwrap().len() > 5, "{}", all.text);
}

fn with_cursor(mut arguments: Value, cursor: &Value) -> Value {
    if cursor.is_string() {
        arguments["cursor"] = cursor.clone();
    }
    arguments
}

#[tokio::test]
async fn two_audits_are_compared() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let before = run_audit(&app, &key).await["audit_id"].clone();
    site.put("/gone", 200, "<html lang=en><title>Found again, and well described</title><h1>Back</h1>");
    site.put("/menu", 200, "<html lang=en><h1>Menu</h1><a href=/>Home</a>");
    app.clock.advance(Duration::from_mins(1));
    let now = run_audit(&app, &key).await["audit_id"].clone();
    let reply = app.call(&key, "get_audit", json!({"audit_id": now, "compare_to": before})).await;
    let comparison = &reply.result()["comparison"];
    let codes = |part: &str| -> Vec<String> {
        let first = comparison[part]["first"].as_array().unwrap();
        first.iter().map(|issue| issue["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(codes("new").contains(&"title_missing".to_owned()), "{comparison}");
    assert!(codes("fixed").contains(&"broken_internal_link".to_owned()), "{comparison}");
    assert!(comparison["still_there"].as_u64().unwrap() > 0);
    assert_eq!(comparison["score_change"], json!(33.4));
    let none = app.call(&key, "get_audit", json!({"audit_id": now, "compare_to": "audit_none"})).await;
    assert_eq!(none.body["structuredContent"]["code"], "audit_not_found");
}

#[tokio::test]
async fn running_audit_shows_progress_and_prevents_a_second_one_with_the_same_settings() {
    let pages: Vec<String> = (0..30).map(|n| format!("<a href=/p{n}>page {n}</a>")).collect();
    let site = Site::with(&[("/", &pages.concat())]).await;
    for number in 0..30 {
        site.put(&format!("/p{number}"), 200, MENU);
    }
    site.respond_only_to(12);
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let started = app.call(&key, "run_audit", json!({})).await;
    let started = started.result();
    assert_eq!((&started["poll_with"], &started["result"]), (&json!("get_audit"), &Value::Null));
    for start in ["/", "/#top", "/?utm_source=mail"] {
        let same = json!({"start_url": format!("{}{start}", site.url), "max_pages": 100});
        assert_eq!(app.call(&key, "run_audit", same).await.result()["id"], started["id"], "{start}");
    }
    let other_settings = app.call(&key, "run_audit", json!({"max_pages": 5})).await;
    assert_ne!(other_settings.result()["id"], started["id"]);
    let watcher = app.key("read").await;
    let progress = eventually_with_key("progress of the audit", async || {
        let audit = app.call(&watcher, "get_audit", json!({"audit_id": started["id"]})).await;
        let progress = audit.result()["progress"].clone();
        (progress["visited"].as_u64() > Some(3)).then_some(progress)
    })
    .await;
    assert!(progress["waiting"].as_u64().unwrap() > 0, "{progress}");
    site.respond_to_all();
    let ended = run_audit(&app, &key).await;
    assert_eq!((&ended["audit_id"], &ended["summary"]["visited"]), (&started["id"], &json!(31)));
}

/// A service whose leases outlive the deadlines of jobs, because the test moves the clock.
pub(crate) async fn app_with_long_leases(site: &Site) -> TestApp {
    let arguments = vec![format!("--outbound-allow={}", site.authority()), "--job-lease=86400".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    app.put_sites(&site.url, &[]).await;
    app
}

#[tokio::test]
async fn audit_ends_at_its_deadline_with_the_pages_read() {
    let pages: Vec<String> = (0..90).map(|n| format!("<a href=/p{n}>page {n}</a>")).collect();
    let site = Site::with(&[("/", &pages.concat())]).await;
    site.respond_only_to(12);
    let app = app_with_long_leases(&site).await;
    let key = app.key("write").await;
    let started = app.call(&key, "run_audit", json!({"include_sitemap": false})).await.result().clone();
    let watcher = app.key("read").await;
    let audit =
        async || app.call(&watcher, "get_audit", json!({"audit_id": started["id"]})).await.result().clone();
    eventually_with_key("pages that were read", async || {
        (audit().await["progress"]["visited"].as_u64() > Some(3)).then_some(())
    })
    .await;
    app.clock.advance(Duration::from_mins(31));
    let watcher = app.key("read").await;
    let ended = eventually_with_key("the end of the audit", async || {
        let audit =
            app.call(&watcher, "get_audit", json!({"audit_id": started["id"]})).await.result().clone();
        audit["summary"].is_object().then_some(audit)
    })
    .await;
    let summary = &ended["summary"];
    assert_eq!((&ended["status"], &summary["end"]), (&json!("done"), &json!("timed_out")), "{ended}");
    assert!(summary["visited"].as_u64() > Some(3) && summary["left_out"].as_u64() > Some(0), "{summary}");
}

#[tokio::test]
async fn only_the_brands_site_is_audited() {
    let (site, other) = (Site::with(&[("/", HOME)]).await, Site::with(&[("/", HOME)]).await);
    let app = app_for(&[&site, &other]).await;
    let key = app.key("write").await;
    let reply = app.call(&key, "run_audit", json!({"start_url": other.url})).await;
    assert_eq!(reply.body["structuredContent"]["code"], "not_the_brands_site");
    app.call(&key, "run_audit", json!({"start_url": "ftp://x"}))
        .await
        .expect_problem(422, "invalid_arguments");
    assert_eq!(app.call(&key, "list_audits", json!({})).await.result()["total"], 0);
    assert_eq!(other.request_count("/"), 0);
}

#[tokio::test]
async fn audit_of_an_unreachable_site_fails_with_a_reason() {
    let site = Site::with(&[("/", HOME)]).await;
    // The site is not public, and `--outbound-allow` does not name it.
    let app = TestApp::new().await;
    app.put_sites(&site.url, &[]).await;
    let key = app.key("write").await;
    let audit = run_job(&app, &key, "run_audit", json!({})).await;
    assert_eq!(audit["status"], "failed");
    let failure = audit["failure"].as_str().unwrap();
    assert!(failure.contains("could not be read"), "{failure}");
    assert_eq!(site.request_count("/"), 0);
}

#[tokio::test]
async fn audit_says_what_it_left_out() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let file = |n| format!("<sitemap><loc>{}/sitemaps/{n}.xml</loc></sitemap>", site.url);
    let files: String = (0..10_000).map(file).collect::<Vec<_>>().concat();
    site.put("/sitemap.xml", 200, &format!("<sitemapindex>{files}</sitemapindex>"));
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let audit = run_audit(&app, &key).await;
    let notes = json!(["The site has more than 50 sitemap files. Only the first 50 were read."]);
    assert_eq!((&audit["summary"]["notes"], &audit["summary"]["end"]), (&notes, &json!("complete")));
    let got = app.call(&key, "get_audit", json!({"audit_id": audit["audit_id"]})).await;
    assert_eq!(got.result()["summary"]["notes"], notes);
    assert!((0..10_000).filter(|n| site.request_count(&format!("/sitemaps/{n}.xml")) > 0).count() < 50);
}

#[tokio::test]
async fn waiting_call_is_replayed_with_its_last_response() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let send = || {
        let body = json!({"name": "run_audit", "arguments": {"wait_seconds": 25}});
        let request = app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", "once");
        async move { request.json(&body).await }
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(first.result()["status"], "done");
    assert_eq!(again.body, first.body);
}

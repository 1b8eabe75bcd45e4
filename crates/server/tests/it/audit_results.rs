//! What an audit tells: partial audits, what to fix, the pages of the site, and why a list is empty.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    audits::{app_for, run_job},
    support::{Site, TestApp},
};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1><a href=/menu>Menu</a> \
    <a href=/about/>About</a> <a href=/gone>Gone</a> <img src=/missing.png alt='' width=1 height=1>";
const MENU: &str = "<html lang=en><title>All that we have on the menu</title><h1>Menu</h1><a href=/>Home</a> \
    <a href=/gone>Gone</a><p>We sell good coffee. It is fresh and hot. You can sit here all day.</p>";
const ABOUT: &str = "<html lang=en><h1>About us</h1><p>Notwithstanding considerable organisational heterogeneity, our \
    internationally distinguished roasting establishment continuously investigates unconventional fermentation methodologies, \
    perpetually reconsidering established manufacturing procedures.</p><a href=/>Home</a>";

async fn site() -> Site {
    Site::with(&[("/", HOME), ("/menu", MENU), ("/about/", ABOUT)]).await
}

async fn audit(app: &TestApp, key: &str, arguments: Value) -> Value {
    let audit = run_job(app, key, "run_audit", arguments).await;
    assert_eq!(audit["status"], "done", "{audit}");
    app.clock.advance(Duration::from_mins(1));
    audit
}

async fn report(app: &TestApp, key: &str) -> String {
    let arguments = json!({"period": "last_7_days", "sections": ["audit"]});
    app.call(key, "preview_report", arguments).await.result()["text"].as_str().unwrap().to_owned()
}

/// The number of new or fixed issues. A busy machine may respond slowly.
fn changed(comparison: &Value, part: &str) -> usize {
    let issues = comparison[part]["first"].as_array().unwrap();
    issues.iter().filter(|issue| issue["code"] != "slow_ttfb").count()
}

#[tokio::test]
async fn partial_audit_stays_out_of_reports_and_is_compared_on_common_pages() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let partial = audit(&app, &key, json!({"max_pages": 2, "include_sitemap": false})).await;
    let summary = &partial["summary"];
    assert_eq!((&summary["end"], &summary["left_out"]), (&json!("limited"), &json!(2)), "{partial}");
    let note = summary["notes"][0].as_str().unwrap();
    assert!(note.contains("partial") && note.contains("max_pages"), "{note}");
    // Without a full audit there is no score.
    let text = report(&app, &key).await;
    assert!(text.contains("Site score –") && text.contains("was partial"), "{text}");
    assert!(text.contains("it visited 2 URLs and left out 2 known URLs"), "{text}");

    let full = audit(&app, &key, json!({"include_sitemap": false})).await;
    assert_eq!((&full["summary"]["end"], &full["summary"]["left_out"]), (&json!("complete"), &json!(0)));
    let again = audit(&app, &key, json!({"max_pages": 2, "include_sitemap": false})).await;
    let listed = app.call(&key, "list_audits", json!({})).await;
    let lines = listed.result()["items"].as_array().unwrap();
    let marks: Vec<_> = lines.iter().map(|line| (line["end"].clone(), line["left_out"].clone())).collect();
    let partial_mark = (json!("limited"), json!(2));
    assert_eq!(marks, [partial_mark.clone(), (json!("complete"), json!(0)), partial_mark]);
    // The newest audit is partial, so the report shows the full one.
    let text = report(&app, &key).await;
    let score = format!("Site score {:.1} ", full["summary"]["score"].as_f64().unwrap());
    assert!(text.contains(&score) && !text.contains("partial"), "{text}");

    let arguments = json!({"audit_id": again["audit_id"], "compare_to": full["audit_id"]});
    let compared = app.call(&key, "get_audit", arguments).await;
    let comparison = &compared.result()["comparison"];
    // The home page and one other were visited, and nothing has changed.
    assert_eq!(comparison["pages_compared"], 2);
    assert_eq!((changed(comparison, "new"), changed(comparison, "fixed")), (0, 0), "{comparison}");
    assert_eq!(comparison["score_change"], Value::Null);
    assert!(comparison["still_there"].as_u64().unwrap() > 0, "{comparison}");
    assert!(comparison["notes"][0].as_str().unwrap().contains("2 pages"), "{comparison}");
}

#[tokio::test]
async fn equal_audits_do_not_differ() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let first = audit(&app, &key, json!({})).await;
    // Links in another order are visited in another order.
    let links = ["<a href=/menu>Menu</a>", "<a href=/about/>About</a>"];
    site.put("/", 200, &HOME.replace(&links.join(" "), &format!("{} {}", links[1], links[0])));
    let second = audit(&app, &key, json!({})).await;
    let arguments = json!({"audit_id": second["audit_id"], "compare_to": first["audit_id"]});
    let compared = app.call(&key, "get_audit", arguments).await;
    let comparison = &compared.result()["comparison"];
    assert_eq!((changed(comparison, "new"), changed(comparison, "fixed")), (0, 0), "{comparison}");
    assert_eq!((&comparison["score_change"], &comparison["notes"]), (&json!(0.0), &Value::Null));
    let wide = app
        .call(&key, "list_audit_issues", json!({"audit_id": second["audit_id"], "code": "csp_missing"}))
        .await;
    let item = &wide.result()["items"][0];
    assert_eq!((&item["site_wide"], &item["pages_total"]), (&json!(true), &json!(1)));
    assert_eq!(item["pages"][0]["url"], format!("{}/", site.url));
}

#[tokio::test]
async fn every_place_shows_the_same_order_titles_and_counts() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let audit = audit(&app, &key, json!({})).await;
    let id = &audit["audit_id"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let top: Vec<_> = audit["summary"]["top_issues"].as_array().unwrap().iter().collect();
    let listed = app.call(&key, "list_audit_issues", json!({"audit_id": id, "limit": 100})).await;
    let listed: Vec<_> = listed.result()["items"].as_array().unwrap().iter().collect();
    for (top, listed) in top.iter().zip(&listed) {
        for field in ["code", "title", "severity", "issues", "pages_total", "fix"] {
            assert_eq!(top[field], listed[field], "{field}");
        }
    }
    let titles: Vec<String> = top.iter().take(5).map(|issue| text(&issue["title"])).collect();
    assert!(titles.contains(&"Page not found (4xx)".to_owned()), "{titles:?}");
    let report = report(&app, &key).await;
    let places: Vec<usize> =
        titles.iter().map(|title| report.find(&format!(": {title}, ")).unwrap_or(usize::MAX)).collect();
    assert!(places.is_sorted() && places.iter().all(|place| *place < usize::MAX), "{titles:?} in {report}");
    assert!(listed.iter().any(|issue| issue["code"] == "image_broken"), "{listed:?}");
    assert_eq!(site.request_count("/missing.png"), 1);
}

#[tokio::test]
async fn fixes_are_grouped_by_cause_with_links_and_gain() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let first = audit(&app, &key, json!({})).await;
    let got = app.call(&key, "get_audit", json!({"audit_id": first["audit_id"]})).await;
    assert_eq!(got.result()["fixes"], first["fixes"]);
    let url = |path: &str| format!("{}{path}", site.url);
    let missing = &first["fixes"][0];
    assert_eq!((&missing["title"], &missing["severity"]), (&json!("Page not found (4xx)"), &json!("error")));
    assert_eq!(missing["codes"], json!(["http_4xx", "broken_internal_link"]));
    assert_eq!((&missing["issues"], &missing["pages_total"]), (&json!(3), &json!(3)));
    assert_eq!(missing["pages"], json!([url("/gone"), url("/"), url("/menu")]));
    assert_eq!(missing["linked_from"], json!([url("/"), url("/menu")]));
    let gain = missing["score_gain"].as_f64().unwrap();
    site.put("/gone", 200, &MENU.replace("All that we have on the menu", "A page that is there again"));
    let second = audit(&app, &key, json!({})).await;
    let score = |audit: &Value| audit["summary"]["score"].as_f64().unwrap();
    assert!((score(&second) - score(&first) - gain).abs() < 0.05, "{gain}: {first} {second}");
}

#[tokio::test]
async fn answer_stays_short_on_a_site_with_long_addresses() {
    let long = "x".repeat(1_500);
    let links: Vec<String> = (0..80).map(|n| format!("<a href=/{n}/{long}>{n}</a> ")).collect();
    let site = Site::with(&[("/", &links.concat())]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let first = audit(&app, &key, json!({"max_pages": 300})).await;
    site.put("/", 200, "<html lang=en><title>All links are gone now</title>");
    let second = audit(&app, &key, json!({})).await;
    let id = &first["audit_id"];
    for (tool, arguments) in [
        ("get_audit", json!({"audit_id": second["audit_id"], "compare_to": id})),
        ("list_audit_issues", json!({"audit_id": id, "limit": 100})),
        ("list_pages", json!({"audit_id": id, "limit": 100})),
    ] {
        let reply = app.call(&key, tool, arguments).await;
        reply.result();
        let text = reply.body["content"][0]["text"].as_str().unwrap();
        assert!(text.chars().count() < 40_000, "{tool}: {}", text.len());
    }
    let (mut seen, mut cursor) = (0, Value::Null);
    loop {
        let mut arguments = json!({"audit_id": id, "limit": 100});
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let page = app.call(&key, "list_pages", arguments).await;
        seen += page.result()["items"].as_array().unwrap().len();
        cursor = page.result()["next_cursor"].clone();
        if cursor.is_null() {
            assert_eq!(page.result()["total"], seen);
            break;
        }
    }
    assert_eq!(seen, 81);
}

#[tokio::test]
async fn page_is_found_by_path_and_with_another_slash() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let id = audit(&app, &key, json!({})).await["audit_id"].clone();
    let issues = async |arguments: Value| {
        let mut all = json!({"audit_id": id});
        all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        app.call(&key, "list_audit_issues", all).await.result().clone()
    };
    for url in ["/about", "about/", "/about/", &format!("{}/about", site.url), site.authority()] {
        let found = issues(json!({"url": url})).await;
        assert!(found["total"].as_u64().unwrap() > 0 && found["notes"] == Value::Null, "{url}: {found}");
    }
    let note = async |arguments: Value| -> String {
        let found = issues(arguments).await;
        assert_eq!((&found["total"], &found["items"]), (&json!(0), &json!([])));
        found["notes"][0].as_str().unwrap().to_owned()
    };
    let unknown = note(json!({"url": "/nowhere"})).await;
    let wanted =
        format!("This audit has no page {}/nowhere. list_pages shows the 4 pages it visited.", site.url);
    assert_eq!(unknown, wanted);
    let foreign = note(json!({"url": "https://other.example/"})).await;
    assert!(foreign.contains("is not on the audited site"), "{foreign}");
    let unknown = note(json!({"code": "page_missing"})).await;
    assert!(unknown.contains("no check `page_missing`") && unknown.contains("http_4xx"), "{unknown}");
    let absent = note(json!({"code": "mixed_content"})).await;
    assert!(absent.contains("No issue matches") && absent.contains("http_4xx"), "{absent}");
}

#[tokio::test]
async fn issues_of_an_audit_that_has_not_ended_are_not_called_none() {
    let site = site().await;
    site.respond_only_to(1);
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let started = app.call(&key, "run_audit", json!({})).await.result().clone();
    let list = app.call(&key, "list_audit_issues", json!({"audit_id": started["id"]})).await;
    assert!(list.result()["notes"][0].as_str().unwrap().contains("has not ended yet"), "{}", list.text);
    site.respond_to_all();
}

#[tokio::test]
async fn pages_of_the_site_are_listed() {
    let site = site().await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let list = async |arguments: Value| app.call(&key, "list_pages", arguments).await.result().clone();
    let nothing = list(json!({})).await;
    assert_eq!((&nothing["total"], &nothing["audit_id"]), (&json!(0), &Value::Null));
    assert!(nothing["notes"][0].as_str().unwrap().contains("run_audit"), "{nothing}");
    let full = audit(&app, &key, json!({})).await;
    audit(&app, &key, json!({"max_pages": 1})).await;
    let paths = |list: &Value| -> Vec<String> {
        let urls = list["items"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap());
        urls.map(|url| url.strip_prefix(&site.url).unwrap().to_owned()).collect()
    };
    // The last full audit.
    let all = list(json!({})).await;
    assert_eq!(
        (&all["audit_id"], &all["total"], &all["notes"]),
        (&full["audit_id"], &json!(4), &Value::Null)
    );
    assert_eq!(paths(&all), ["/", "/about/", "/gone", "/menu"]);
    let menu = &all["items"][3];
    assert_eq!((&menu["status"], &menu["language"]), (&json!(200), &json!("en")));
    assert_eq!(menu["title"], "All that we have on the menu");
    assert!(menu["words"].as_u64().unwrap() > 10 && menu["readability"].is_number(), "{menu}");
    assert_eq!(menu["errors"], 1);
    assert_eq!(paths(&list(json!({"status": "4xx"})).await), ["/gone"]);
    assert_eq!(paths(&list(json!({"status": "404"})).await), ["/gone"]);
    assert_eq!(paths(&list(json!({"query": "MENU"})).await), ["/menu"]);
    assert_eq!(paths(&list(json!({"query": "coffee beans"})).await), ["/"]);
    assert_eq!(paths(&list(json!({"sort": "hardest_to_read"})).await)[0], "/about/");
    let none = list(json!({"query": "nowhere"})).await;
    assert!(none["notes"][0].as_str().unwrap().contains("visited 4 pages"), "{none}");
    app.call(&key, "list_pages", json!({"status": "broken"})).await.expect_problem(422, "invalid_arguments");
    let unknown = app.call(&key, "list_pages", json!({"audit_id": "audit_none"})).await;
    assert_eq!(unknown.body["structuredContent"]["code"], "audit_not_found");
}

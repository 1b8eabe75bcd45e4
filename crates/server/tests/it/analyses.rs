//! Analyses.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    audits::{app_for, app_with_long_leases, run_job},
    support::{Site, TestApp, eventually, eventually_with_key},
};

async fn run_analysis(app: &TestApp, key: &str, arguments: Value) -> Value {
    let analysis = run_job(app, key, "run_analysis", arguments).await;
    assert_eq!(analysis["status"], "done", "{analysis}");
    analysis["result"].clone()
}

#[tokio::test]
async fn text_is_analysed() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let text =
        "# Green tea\n\nGreen tea is wonderful. Everybody in our family drinks green tea after dinner.";
    let request = json!({"kind": "content", "text": text, "target_keywords": ["green tea", "coffee"]});
    let result = run_analysis(&app, &key, request).await;
    let content = &result["content"];
    assert_eq!((&content["language"]["code"], &content["keywords"][0]["count"]), (&json!("en"), &json!(3)));
    assert!(content["readability"]["flesch_reading_ease"].is_number());
    assert_eq!(content["key_phrases"][0]["phrase"], "Green tea");
    assert!(result["findings"].to_string().contains("coffee"), "{}", result["findings"]);
    let listed = app.call(&key, "list_analyses", json!({"kind": "content"})).await;
    assert_eq!(listed.result()["total"], 1);
    assert_eq!(
        listed.result()["items"][0]["about"].as_str().map(|about| about.starts_with("# Green tea")),
        Some(true)
    );
    assert_eq!(app.call(&key, "list_analyses", json!({"kind": "gap"})).await.result()["total"], 0);
    let id = &listed.result()["items"][0]["analysis_id"];
    let got = app.call(&app.key("read").await, "get_analysis", json!({"analysis_id": id})).await;
    assert_eq!(got.result()["result"], result);
}

#[tokio::test]
async fn only_pages_of_known_sites_are_analysed() {
    let long = format!(
        "<title>Tea</title><h1>Tea</h1>{}",
        "<p>Our tea is picked by hand in spring.</p>".repeat(2_000)
    );
    let (site, other) = (Site::with(&[("/tea", &long)]).await, Site::with(&[("/", "<p>Nothing.")]).await);
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let result =
        run_analysis(&app, &key, json!({"kind": "content", "url": format!("{}/tea", site.url)})).await;
    assert_eq!(result["content"]["words"], 16_001);
    let request = json!({"kind": "content", "url": other.url});
    let refused = app.call(&key, "run_analysis", request).await;
    assert_eq!(refused.body["structuredContent"]["code"], "not_a_known_site");
    let gone = json!({"kind": "content", "url": format!("{}/gone", site.url)});
    let gone = run_job(&app, &key, "run_analysis", gone).await;
    assert_eq!(gone["status"], "failed");
    assert!(gone["failure"].as_str().unwrap().contains("404"), "{gone}");
    assert_eq!(other.request_count("/"), 0);
}

#[tokio::test]
async fn sites_are_compared() {
    let ours = Site::with(&[
        ("/", "<title>Acme</title><p>Acme roasts coffee every day.</p><a href=/a>a</a><a href=/b>b</a>"),
        ("/a", "<p>We deliver our coffee to your door on every working day of the week, for free.</p>"),
        ("/b", "<p>We deliver our coffee to your door on every working day of the week, for free.</p>"),
    ])
    .await;
    let theirs = Site::with(&[
        ("/", "<p>Cold brew kits for home. Our cold brew takes one night.</p><a href=/x>x</a>"),
        ("/x", "<p>A cold brew kit makes a fine present. Acme has none.</p>"),
    ])
    .await;
    let app = app_for(&[&ours, &theirs]).await;
    let key = app.key("write").await;
    let gap = run_analysis(&app, &key, json!({"kind": "gap"})).await;
    assert_eq!((&gap["gap"]["brand_pages"], &gap["gap"]["competitor_pages"]), (&json!(3), &json!(2)));
    assert!(gap["gap"]["terms"].to_string().contains("cold brew"), "{gap}");
    let duplicates = run_analysis(&app, &key, json!({"kind": "duplicates"})).await;
    assert_eq!(duplicates["duplicates"]["groups_total"], 1, "{duplicates}");
    let mentions = run_analysis(&app, &key, json!({"kind": "brand_mentions"})).await;
    assert_eq!(mentions["mentions"]["names"][0]["mentions"], 2, "{mentions}");
}

#[tokio::test]
async fn negative_text_is_said_to_be_negative() {
    let app = TestApp::new().await;
    let text =
        "Our tea was a terrible, disgusting disaster. Everybody hated this awful tea, and we are very sad.";
    let result = run_analysis(&app, &app.key("write").await, json!({"kind": "content", "text": text})).await;
    assert_eq!(result["content"]["language"]["source"], "detected");
    let findings = result["findings"].to_string();
    assert!(
        findings.contains("The tone is very negative") && findings.contains("to read (Flesch"),
        "{findings}"
    );
    assert!(!findings.contains("h1"), "a plain text needs no h1: {findings}");
}

#[tokio::test]
async fn pages_and_posts_are_ranked_by_how_hard_they_are_to_read() {
    let hard = "<p>The administrative documentation of our organisational responsibilities necessitates considerable \
        interdepartmental communication, notwithstanding the operational complexity of comprehensive procedures.</p>";
    let site = Site::with(&[
        ("/", "<p>We roast our coffee in the shop. You can come in and have a cup with us.</p><a href=/terms>Terms</a>"),
        ("/terms", hard),
    ])
    .await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    run_job(&app, &key, "run_audit", json!({})).await;
    let requests = site.request_count("/terms");
    let pages = run_analysis(&app, &key, json!({"kind": "content", "scope": "pages"})).await;
    let ranking = &pages["ranking"];
    assert_eq!((&ranking["texts"], &ranking["hard"]), (&json!(2), &json!(1)), "{pages}");
    assert_eq!(ranking["items"][0]["name"], format!("{}/terms", site.url));
    assert!(
        ranking["items"][0]["verdict"].as_str().unwrap().starts_with("Very hard to read (Flesch"),
        "{pages}"
    );
    assert!(pages["findings"].to_string().contains("1 of 2 texts are hard to read."), "{pages}");
    assert_eq!(site.request_count("/terms"), requests, "the texts of the audit are used");

    let empty = run_analysis(&app, &key, json!({"kind": "content", "scope": "posts"})).await;
    assert!(empty["findings"].to_string().contains("There is no text to analyse"), "{empty}");
    for (text, mode) in
        [("We love our new tea, and you will love it too, we are sure.", "now"), ("A draft.", "draft")]
    {
        let post = json!({"text": text, "channels": ["feed"], "mode": mode});
        app.call(&key, "create_post", post).await.result();
    }
    let posts = run_analysis(&app, &key, json!({"kind": "content", "scope": "posts"})).await;
    assert_eq!(posts["ranking"]["texts"], 1, "{posts}");
    assert!(posts["ranking"]["items"][0]["verdict"].to_string().contains("tone is very positive"), "{posts}");
    let listed = app.call(&key, "list_analyses", json!({})).await;
    let about = |item: &Value| item["about"] == "the brand's published posts";
    assert!(listed.result()["items"].as_array().unwrap().iter().any(about), "{}", listed.text);
}

#[tokio::test]
async fn page_is_no_duplicate_of_itself() {
    let text = "<p>We deliver our coffee to your door on every working day of the week, for free.</p>";
    let site =
        Site::with(&[("/", "<p>Acme roasts coffee every day.</p><a href=/a>a</a>"), ("/a", text)]).await;
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    run_job(&app, &key, "run_audit", json!({})).await;
    let request = json!({"kind": "duplicates", "url": format!("{}/a", site.url)});
    let result = run_analysis(&app, &key, request).await;
    let duplicates = &result["duplicates"];
    assert_eq!((&duplicates["texts"], &duplicates["groups_total"]), (&json!(2), &json!(0)), "{result}");
    assert_eq!(duplicates["threshold"], 0.8);
    let closest = &duplicates["closest"];
    assert_eq!((&closest["first"], &closest["similarity"]), (&json!(format!("{}/a", site.url)), &json!(0.0)));
    assert!(result["findings"].to_string().contains("The closest pair has a similarity of 0.00"), "{result}");
}

#[tokio::test]
async fn invalid_analysis_is_refused() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (arguments, field) in [
        (json!({"kind": "content"}), "text"),
        (json!({"kind": "content", "text": "a", "url": "https://acme.example"}), "url"),
        (json!({"kind": "gap", "competitor_urls": ["mailto:a@b.example"]}), "competitor_urls[0]"),
        (json!({"kind": "content", "text": "a", "wait_seconds": 26}), "wait_seconds"),
        (json!({"kind": "content", "text": "a", "target_keywords": [""]}), "target_keywords[0]"),
        (json!({"kind": "content", "text": "a", "scope": "posts"}), "scope"),
        (json!({"kind": "content", "scope": "posts", "target_keywords": ["tea"]}), "target_keywords"),
        (json!({"kind": "gap", "scope": "pages"}), "scope"),
    ] {
        let reply = app.call(&key, "run_analysis", arguments).await.expect_problem(422, "invalid_arguments");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    assert_eq!(app.call(&key, "list_analyses", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn open_analysis_with_the_same_arguments_is_returned() {
    let site = Site::with(&[("/", "<p>Our tea is picked by hand in spring.</p>")]).await;
    site.respond_only_to(0);
    let app = app_for(&[&site]).await;
    let key = app.key("write").await;
    let id = async |arguments: Value| {
        app.call(&key, "run_analysis", arguments).await.result()["id"].as_str().unwrap().to_owned()
    };
    let first = id(json!({"kind": "duplicates"})).await;
    assert_eq!(id(json!({"kind": "duplicates", "wait_seconds": 0})).await, first);
    assert_ne!(id(json!({"kind": "brand_mentions"})).await, first);
    assert_eq!(app.call(&key, "list_analyses", json!({})).await.result()["total"], 2);
    site.respond_to_all();
    let ended = run_job(&app, &key, "run_analysis", json!({"kind": "duplicates"})).await;
    assert_eq!((&ended["analysis_id"], &ended["status"]), (&json!(first), &json!("done")));
    assert_ne!(id(json!({"kind": "duplicates"})).await, first, "an ended analysis is not returned");
}

#[tokio::test]
async fn analysis_ends_at_its_deadline_and_names_what_it_did_not_read() {
    let site = Site::with(&[("/", "<p>Our tea is picked by hand in spring.</p>")]).await;
    site.respond_only_to(1);
    let app = app_with_long_leases(&site).await;
    let key = app.key("write").await;
    let started = app.call(&key, "run_analysis", json!({"kind": "duplicates"})).await.result().clone();
    // robots.txt responds, and the page does not.
    let requested = async || (site.request_count("/llms.txt") + site.request_count("/") > 0).then_some(());
    eventually("a request of the crawl", requested).await;
    app.clock.advance(Duration::from_mins(9));
    let ended = eventually_with_key("the end of the analysis", async || {
        let analysis = app.call(&key, "get_analysis", json!({"analysis_id": started["id"]})).await;
        (analysis.result()["status"] != "running").then(|| analysis.result().clone())
    })
    .await;
    assert_eq!(ended["status"], "done", "{ended}");
    let unread = ended["result"]["unread"].to_string();
    assert!(unread.contains("no page was read within 8 minutes"), "{ended}");
}

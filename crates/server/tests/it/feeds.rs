//! The brand's public feed.

use std::time::Duration;

use serde_json::json;

use crate::support::{TestApp, eventually};

#[tokio::test]
async fn published_posts_are_in_the_feed_and_drafts_are_not() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (text, mode) in [("published", "now"), ("hidden", "draft")] {
        app.call(&key, "create_post", json!({"text": text, "channels": ["feed"], "mode": mode}))
            .await
            .result();
    }
    let feed = app.get("/feeds/acme/feed.json").send().await.expect_status(200);
    assert_eq!(feed.body["items"].as_array().unwrap().len(), 1);
    let url = feed.body["items"][0]["url"].as_str().unwrap().to_owned();
    let page = app.get(url.strip_prefix(&app.url).unwrap()).send().await.expect_status(200);
    assert!(page.text.contains("published"));
    let atom = app.get("/feeds/acme/atom.xml").send().await.expect_status(200);
    assert!(atom.header("content-type").starts_with("application/atom+xml"));
    assert!(atom.text.contains("published") && !atom.text.contains("hidden"));
    let tag = atom.header("etag").to_owned();
    app.get("/feeds/acme/atom.xml").header("if-none-match", &tag).send().await.expect_status(304);
}

#[tokio::test]
async fn draft_has_no_page_and_unknown_brand_has_no_feed() {
    let app = TestApp::new().await;
    let draft =
        app.call(&app.key("write").await, "create_post", json!({"text": "x", "channels": ["feed"]})).await;
    let post_id = draft.result()["post"]["post_id"].as_str().unwrap();
    app.get(&format!("/feeds/acme/posts/{post_id}")).send().await.expect_problem(404, "not_found");
    for path in [
        "/feeds/none/atom.xml",
        "/feeds/none/feed.json",
        "/feeds/umbrella/posts/none",
        "/feeds/acme/posts/a%00b",
    ] {
        app.get(path).send().await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn feed_without_a_published_post_is_answered_like_an_unknown_brand() {
    let app = TestApp::new().await;
    let draft = json!({"text": "x", "channels": ["feed"]});
    app.call(&app.key("write").await, "create_post", draft).await.result();
    for file in ["atom.xml", "feed.json"] {
        let mut replies = Vec::new();
        for brand in ["acme", "no-such-brand"] {
            let path = format!("/feeds/{brand}/{file}");
            let mut reply = app.get(&path).send().await.expect_problem(404, "not_found");
            reply.body["request_id"] = json!(null);
            replies.push(reply.body);
        }
        assert_eq!(replies[0], replies[1], "{file}");
    }
}

#[tokio::test]
async fn markup_in_a_post_is_escaped() {
    let app = TestApp::new().await;
    let evil = "<script>alert('x')</script> & ]]> \u{1} \"quoted\"";
    let post = json!({"text": evil, "title": evil, "channels": ["feed"], "mode": "now", "link": "https://a.example/?a=1&b=%22"});
    let created = app.call(&app.key("write").await, "create_post", post).await;
    let url = created.result()["post"]["targets"][0]["url"].as_str().unwrap().to_owned();
    for path in ["/feeds/acme/atom.xml", url.strip_prefix(&app.url).unwrap()] {
        let text = app.get(path).send().await.expect_status(200).text;
        assert!(
            !text.contains("<script") && text.contains("&lt;script&gt;") && !text.contains('\u{1}'),
            "{text}"
        );
    }
}

#[tokio::test]
async fn scheduled_post_is_published_at_its_time() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = json!({"text": "later", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-11-15T01:00:00Z"});
    let created = app.call(&key, "create_post", post).await;
    assert_eq!(created.result()["post"]["targets"][0]["status"], "scheduled");
    app.get("/feeds/acme/feed.json").send().await.expect_problem(404, "not_found");
    app.clock.advance(Duration::from_hours(1));
    eventually("the post in the feed", async || {
        let feed = app.get("/feeds/acme/feed.json").send().await;
        (feed.body["items"].as_array().map(Vec::len) == Some(1)).then_some(())
    })
    .await;
    let published = app.call(&key, "list_posts", json!({"status": "published"})).await;
    let target = &published.result()["items"][0]["targets"][0];
    assert_eq!(target["published_at"], "2026-11-15T01:00:00.000Z");
    assert!(target["url"].as_str().unwrap().starts_with(&app.url));
    let past = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-11-15T00:30:00Z"});
    let refused = app.call(&key, "create_post", past).await;
    assert_eq!(refused.body["structuredContent"]["code"], "post_invalid");
    let missing = json!({"text": "x", "channels": ["feed"], "mode": "schedule"});
    assert_eq!(
        app.call(&key, "validate_post", missing).await.result()["issues"][0]["code"],
        "schedule_missing"
    );
}

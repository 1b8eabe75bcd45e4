//! Posts whose results would be too large: the results are shortened, not the posts.

use serde_json::{Value, json};

use crate::support::{BRAND, TestApp};

/// A service with ten channels, and the largest post that they accept. Every character of it is escaped in a result.
async fn largest_post(app: &TestApp) -> Value {
    let mut channels = vec!["feed".to_owned()];
    for index in 1..10 {
        let path = format!("/api/brands/{BRAND}/channels/hook{index}");
        let body = json!({"kind": "webhook", "settings": {"url": format!("https://hook{index}.example/")}});
        app.put(&path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
        channels.push(format!("hook{index}"));
    }
    // The address is not public, so nothing is asked.
    let address = |name: &str| format!("{:x<2000}", format!("http://10.0.0.1/{name}/"));
    let media: Vec<Value> = (0..10)
        .map(|index| json!({"url": address(&format!("picture{index}")), "alt": "\u{1}".repeat(1_500)}))
        .collect();
    json!({
        "text": "\u{1}".repeat(10_000), "channels": channels, "title": "\u{1}".repeat(300), "link": address("page"),
        "media": media, "mode": "schedule", "scheduled_at": "2026-11-16T00:00:00Z",
    })
}

fn is_shortened(result: &Value) -> bool {
    result["notes"]
        .as_array()
        .is_some_and(|notes| notes.iter().any(|note| note.as_str().unwrap().contains("too long for")))
}

#[tokio::test]
async fn largest_post_is_created_changed_read_and_stopped() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = largest_post(&app).await;
    let mut dry_run = post.clone();
    dry_run["dry_run"] = json!(true);
    let shown = app.call(&key, "create_post", dry_run).await;
    assert!(is_shortened(shown.result()));
    assert!(!shown.result()["previews"].as_array().unwrap().is_empty());
    let created = app.call(&key, "create_post", post.clone()).await;
    assert!(is_shortened(created.result()));
    let post_id = created.result()["post"]["post_id"].clone();

    let mut text = String::new();
    loop {
        let arguments = json!({"post_id": post_id, "text_from": text.chars().count()});
        let part = app.call(&key, "get_post", arguments).await.result().clone();
        let part = part["text"].as_str().unwrap();
        text.push_str(part.trim_end_matches('…'));
        if !part.ends_with('…') {
            break;
        }
    }
    assert_eq!(text, post["text"].as_str().unwrap());
    let listed = app.call(&key, "list_posts", json!({})).await;
    assert!(is_shortened(listed.result()) && listed.result()["items"][0]["post_id"] == post_id);
    for (tool, more) in [("update_post", json!({"title": "\u{2}".repeat(300)})), ("cancel_post", json!({}))] {
        let mut arguments = more;
        arguments["post_id"] = post_id.clone();
        let done = app.call(&key, tool, arguments).await;
        assert!(is_shortened(done.result()), "{tool}");
    }
    let stored = app.get(&format!("/api/brands/{BRAND}/posts/{}", post_id.as_str().unwrap()));
    let stored = stored.bearer(&app.token("ada")).send().await.expect_status(200).body;
    assert_eq!((&stored["text"], &stored["media"]), (&post["text"], &post["media"]));
    assert_eq!(stored["targets"][0]["status"], "cancelled");
}

#[tokio::test]
async fn short_posts_are_not_shortened() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = json!({"text": "x".repeat(10_000), "channels": ["feed"], "mode": "now"});
    let created = app.call(&key, "create_post", post.clone()).await;
    assert_eq!(
        (&created.result()["post"]["text"], &created.result()["notes"]),
        (&post["text"], &Value::Null)
    );
    let arguments = json!({"post_id": created.result()["post"]["post_id"], "text_from": 9_999});
    assert_eq!(app.call(&key, "get_post", arguments).await.result()["text"], "x");
}

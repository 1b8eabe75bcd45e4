//! The brand's time zone and language, and what a key did, as an agent sees them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BRAND, TestApp, eventually_with_key};

#[tokio::test]
async fn agent_sees_the_language_the_time_zone_and_the_local_time() {
    let app = TestApp::with_local_rate_limit().await;
    let key = app.key("read").await;
    let brand = app.call(&key, "get_brand", json!({})).await.result().clone();
    assert_eq!((&brand["time_zone"], brand.get("language")), (&json!("UTC"), None));
    assert_eq!(brand["local_time"], "2026-11-15T00:00:00+00:00");
    let body = json!({"language": "pt", "time_zone": "America/Sao_Paulo"});
    let path = format!("/api/brands/{BRAND}");
    app.request("PATCH", &path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
    let brand = app.call(&key, "get_brand", json!({})).await.result().clone();
    assert_eq!((&brand["language"], &brand["time_zone"]), (&json!("pt"), &json!("America/Sao_Paulo")));
    assert_eq!(brand["local_time"], "2026-11-14T21:00:00-03:00", "the change is effective at once");
}

#[tokio::test]
async fn agent_sees_when_one_more_request_is_free() {
    let app = TestApp::with_local_rate_limit().await;
    let key = app.key("read").await;
    let limit = async || {
        let brand = app.call(&key, "get_brand", json!({})).await.result().clone();
        (brand["key"]["requests_left"].clone(), brand["key"]["reset_seconds"].clone())
    };
    assert_eq!(limit().await, (json!(59), json!(60)));
    app.clock.advance(Duration::from_secs(45));
    assert_eq!(limit().await, (json!(58), json!(15)), "the first request is then a minute old");
}

#[tokio::test]
async fn key_sees_its_own_calls_and_no_others() {
    let app = TestApp::with_local_rate_limit().await;
    let (mine, other) = (app.key("read").await, app.key("write").await);
    app.call(&other, "create_post", json!({"text": "Not mine", "channels": ["feed"]})).await.result();
    app.list_tools(&mine).await;
    app.call(&mine, "get_brand", json!({})).await.result();
    app.clock.advance(Duration::from_secs(1));
    app.call(&mine, "get_post", json!({"post_id": "none"})).await.expect_ok();
    app.clock.advance(Duration::from_secs(1));
    app.call(&mine, "create_post", json!({"text": "x", "channels": ["feed"]})).await.expect_status(403);
    let tools = |list: &Value| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| (text(&item["tool"]), text(&item["outcome"]))).collect()
    };
    let owned = |tool: &str, outcome: &str| (tool.to_owned(), outcome.to_owned());
    // Events are written within a second. Asking is a call too.
    let list = eventually_with_key("the calls", async || {
        let list = app.call(&mine, "list_activity", json!({"limit": 100})).await.result().clone();
        let calls: Vec<_> = tools(&list).into_iter().filter(|(tool, _)| tool != "list_activity").collect();
        (calls.len() >= 3).then_some(calls)
    })
    .await;
    assert_eq!(
        list,
        [owned("create_post", "denied"), owned("get_post", "error"), owned("get_brand", "ok")],
        "newest first, and only of this key"
    );
    let failed = app.call(&mine, "list_activity", json!({"outcome": "denied"})).await;
    let item = &failed.result()["items"][0];
    assert_eq!((&item["kind"], &item["reason"]), (&json!("call"), &json!("insufficient_scope")));
    assert_eq!((&item["count"], item["at"].as_str().map(str::len)), (&json!(1), Some(24)));
    let all = app.call(&mine, "list_activity", json!({"calls_only": false, "limit": 100})).await;
    let kinds: Vec<&str> =
        all.result()["items"].as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"list") && kinds.contains(&"created"), "{kinds:?}");
    assert!(!all.text.contains("ada"), "people are not named: {}", all.text);
    // Page by page.
    let first = app.call(&mine, "list_activity", json!({"limit": 1, "outcome": "error"})).await;
    assert_eq!(first.result()["items"].as_array().unwrap().len(), 1);
    let first = app.call(&mine, "list_activity", json!({"limit": 1})).await.result().clone();
    let second = json!({"limit": 1, "cursor": first["next_cursor"]});
    let second = app.call(&mine, "list_activity", second).await.result().clone();
    assert_ne!(first["items"], second["items"]);
}

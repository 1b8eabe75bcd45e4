//! The recorded activity of users and keys.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BRAND, OTHER_BRAND, TestApp, eventually};

/// The brand's events, once there are at least this many. They are written in batches.
async fn events(app: &TestApp, query: &str, at_least: usize) -> Vec<Value> {
    let path = format!("/api/brands/{BRAND}/mcp-activity?limit=200{query}");
    eventually(&format!("{at_least} events"), async || {
        let found = app.get(&path).bearer(&app.token("ben")).send().await.expect_status(200);
        let events = found.body["events"].as_array().unwrap();
        (events.len() >= at_least).then(|| events.clone())
    })
    .await
}

fn summary(event: &Value) -> String {
    let text = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
    format!("{} {} {} {} {}", text("kind"), text("actor"), text("tool"), text("outcome"), text("reason"))
}

#[tokio::test]
async fn every_event_of_a_key_is_recorded() {
    let app = TestApp::new().await;
    let key = app.create_key_as("ben", BRAND, json!({"label": "watched"})).await;
    let advance = |seconds| app.clock.advance(Duration::from_secs(seconds));
    advance(1);
    app.list_tools(&key.api_key).await.expect_status(200);
    advance(1);
    app.call(&key.api_key, "get_brand", json!({})).await.expect_status(200);
    advance(1);
    app.call(&key.api_key, "get_post", json!({"post_id": "none"})).await.expect_status(200);
    advance(1);
    app.call(&key.api_key, "create_post", json!({})).await.expect_problem(403, "insufficient_scope");
    advance(1);
    app.call(&key.api_key, "fly", json!({})).await.expect_problem(404, "unknown_tool");
    advance(1);
    let reveal = format!("/api/brands/{BRAND}/mcp-keys/{}/reveal", key.key_id);
    app.post(&reveal).bearer(&app.token("ben")).send().await.expect_status(200);
    advance(1);
    app.revoke(&key.key_id).await;
    advance(1);
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    let summaries: Vec<String> = events(&app, "", 9).await.iter().map(summary).collect();
    assert_eq!(
        summaries,
        [
            "list ben - denied key_revoked",
            "revoked ada - ok -",
            "revealed ben - ok -",
            "call ben - denied unknown_tool",
            "call ben create_post denied insufficient_scope",
            "call ben get_post error tool_failed",
            "call ben get_brand ok -",
            "list ben - ok -",
            "created ben - ok -",
        ]
    );
    assert_eq!(events(&app, "&kind=call&outcome=denied", 2).await.len(), 2);
    assert_eq!(events(&app, &format!("&key_id={}", key.key_id), 9).await.len(), 9);
    let other = app.create_key(json!({"label": "other"})).await;
    assert_eq!(events(&app, &format!("&key_id={}", other.key_id), 1).await.len(), 1);
}

/// A key that is refused again and again takes one row, and no place from the events of others.
#[tokio::test]
async fn refused_requests_are_one_event_and_hide_no_other_brand() {
    let app = TestApp::new().await;
    let hammered = app.create_key(json!({"label": "hammered"})).await;
    let calm = app.create_key_as("eve", OTHER_BRAND, json!({"label": "calm"})).await;
    app.revoke(&hammered.key_id).await;
    for _ in 0..50 {
        let refused = (0..4).map(|_| app.list_tools(&hammered.api_key));
        for reply in futures_util::future::join_all(refused).await {
            reply.expect_problem(401, "key_invalid");
        }
        app.list_tools(&calm.api_key).await.expect_status(200);
    }
    let path = format!("/api/brands/{BRAND}/mcp-activity?outcome=denied");
    let refused = eventually("all refused requests", async || {
        let page = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
        (page["events"][0]["count"] == 200).then_some(page)
    })
    .await;
    assert_eq!(refused["events"].as_array().unwrap().len(), 1, "{refused}");
    assert_eq!(summary(&refused["events"][0]), "list ada - denied key_revoked");
    assert_eq!(refused["left_out"], 0);
    let of_key = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=list", hammered.key_id);
    let of_key = app.get(&of_key).bearer(&app.token("ada")).send().await.expect_status(200).body;
    assert_eq!(of_key["events"], refused["events"]);

    let path = format!("/api/brands/{OTHER_BRAND}/mcp-activity?kind=list&limit=200");
    let allowed = eventually("all allowed requests", async || {
        let page = app.get(&path).bearer(&app.token("eve")).send().await.expect_status(200).body;
        (page["events"].as_array().unwrap().len() == 50).then_some(page)
    })
    .await;
    assert!(allowed["events"].as_array().unwrap().iter().all(|event| event["count"] == 1), "{allowed}");
    assert_eq!(allowed["left_out"], 0);
    let usage = app.get(&format!("/api/brands/{BRAND}/mcp-usage")).bearer(&app.token("ada")).send().await;
    assert_eq!(usage.expect_status(200).body["usage"][0]["denied"], 200);
}

#[tokio::test]
async fn activity_is_paged_and_its_filters_are_checked() {
    let app = TestApp::new().await;
    for number in 0..5 {
        app.create_key(json!({"label": format!("{number}")})).await;
    }
    let path = format!("/api/brands/{BRAND}/mcp-activity");
    let first = app.get(&format!("{path}?limit=3")).bearer(&app.token("ada")).send().await.body;
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest =
        app.get(&format!("{path}?limit=3&cursor={cursor}")).bearer(&app.token("ada")).send().await.body;
    let ids = |page: &Value| -> Vec<String> {
        page["events"].as_array().unwrap().iter().map(|event| event["event_id"].to_string()).collect()
    };
    let mut all = [ids(&first), ids(&rest)].concat();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), &rest["next_cursor"]), (5, &Value::Null));
    let wrong = app.get(&format!("{path}?kind=x&outcome=y&limit=999")).bearer(&app.token("ada")).send().await;
    assert_eq!(wrong.expect_problem(422, "invalid_request").faulty_fields(), ["kind", "limit", "outcome"]);
}

#[tokio::test]
async fn usage_is_counted_by_day_key_and_tool_with_peaks() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "counted"})).await;
    for _ in 0..3 {
        app.call(&key.api_key, "get_brand", json!({})).await.expect_status(200);
    }
    app.call(&key.api_key, "get_post", json!({"post_id": "none"})).await.expect_status(200);
    app.call(&key.api_key, "create_post", json!({})).await.expect_problem(403, "insufficient_scope");
    app.clock.advance(Duration::from_hours(24));
    app.list_tools(&key.api_key).await.expect_status(200);
    events(&app, "&kind=list", 1).await;
    let path = format!("/api/brands/{BRAND}/mcp-usage");
    let usage = app.get(&path).bearer(&app.token("ben")).send().await.expect_status(200).body;
    assert_eq!((&usage["from"], &usage["to"]), (&json!("2026-10-18"), &json!("2026-11-16")));
    let lines: Vec<String> = usage["usage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            format!(
                "{} {} {} {} {}",
                line["day"], line["tool"], line["calls"], line["errors"], line["denied"]
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            r#""2026-11-15" "create_post" 0 0 1"#,
            r#""2026-11-15" "get_brand" 3 0 0"#,
            r#""2026-11-15" "get_post" 1 1 0"#,
            r#""2026-11-16" null 1 0 0"#,
        ]
    );
    assert!(usage["usage"][1]["p50_ms"].is_number() && usage["usage"][1]["p95_ms"].is_number());
    let peaks = usage["peaks"].as_array().unwrap();
    assert_eq!((peaks.len(), &peaks[0]["limit"]), (1, &json!(60)));
    let today = app.get(&format!("{path}?days=1")).bearer(&app.token("ben")).send().await.body;
    assert_eq!(today["usage"].as_array().unwrap().len(), 1);
    app.get(&format!("{path}?days=0"))
        .bearer(&app.token("ben"))
        .send()
        .await
        .expect_problem(422, "invalid_request");
}

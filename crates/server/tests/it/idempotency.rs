//! `Idempotency-Key` and `idempotency_key`: a repeated call is executed once.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{OTHER_BRAND, Reply, TestApp};

async fn create(app: &TestApp, key: &str, idempotency_key: &str, text: &str) -> Reply {
    let body = json!({"name": "create_post", "arguments": {"text": text, "channels": ["feed"]}});
    app.post("/mcp/v1/tools/call").bearer(key).header("idempotency-key", idempotency_key).json(&body).await
}

async fn posts(app: &TestApp, key: &str) -> Value {
    app.call(key, "list_posts", json!({})).await.result()["total"].clone()
}

#[tokio::test]
async fn repeated_request_is_executed_once() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let first = create(&app, &key, "a-1", "once").await.expect_status(200);
    assert_eq!(first.header("idempotency-replayed"), "");
    app.clock.advance(Duration::from_hours(23));
    let again = create(&app, &key, "a-1", "once").await.expect_status(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.text, first.text);
    assert_eq!(posts(&app, &key).await, 1);
    app.clock.advance(Duration::from_hours(2));
    let new = create(&app, &key, "a-1", "once").await.expect_status(200);
    assert_eq!(new.header("idempotency-replayed"), "");
    assert_eq!(posts(&app, &key).await, 2);
}

#[tokio::test]
async fn order_of_fields_does_not_change_a_request() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    create(&app, &key, "a-1", "once").await.expect_status(200);
    let same = r#"{"arguments": {"channels":["feed"],   "text": "once"}, "name": "create_post"}"#;
    let again = app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", "a-1");
    let again = again.header("content-type", "application/json").body(same).await.expect_status(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
}

#[tokio::test]
async fn different_request_with_the_same_key_is_refused() {
    let app = TestApp::new().await;
    let (key, other) = (app.key("write").await, app.key("write").await);
    create(&app, &key, "a-1", "one").await.expect_status(200);
    create(&app, &key, "a-1", "two").await.expect_problem(422, "idempotency_key_reused");
    assert_eq!(posts(&app, &key).await, 1);
    create(&app, &other, "a-1", "two").await.expect_status(200);
}

#[tokio::test]
async fn one_of_many_concurrent_requests_is_executed() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let replies = futures_util::future::join_all((0..20).map(|_| create(&app, &key, "a-1", "once"))).await;
    for reply in &replies {
        match reply.status {
            200 => {}
            409 => {
                assert_eq!(reply.code(), "in_progress");
                assert_eq!(reply.header("retry-after"), "1");
            }
            other => panic!("{other}: {}", reply.text),
        }
    }
    let answers: Vec<&str> =
        replies.iter().filter(|reply| reply.status == 200).map(|reply| reply.text.as_str()).collect();
    assert!(!answers.is_empty() && answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(posts(&app, &key).await, 1);
}

#[tokio::test]
async fn failed_call_is_replayed_and_a_refused_one_is_not_recorded() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let long = "x".repeat(10_001);
    let first = create(&app, &key, "a-1", &long).await.expect_status(200);
    assert_eq!(first.body["isError"], true);
    let again = create(&app, &key, "a-1", &long).await.expect_status(200);
    assert_eq!((again.header("idempotency-replayed"), &again.text), ("true", &first.text));
    create(&app, &key, "a-2", "").await.expect_problem(422, "invalid_arguments");
    create(&app, &key, "a-2", "corrected").await.expect_status(200);
}

#[tokio::test]
async fn read_tools_ignore_the_header() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let list = || async {
        let body = json!({"name": "list_posts"});
        app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", "r-1").json(&body).await
    };
    assert_eq!(list().await.result()["total"], 0);
    app.call(&key, "create_post", json!({"text": "new", "channels": ["feed"]})).await.result();
    let again = list().await;
    assert_eq!((&again.result()["total"], again.header("idempotency-replayed")), (&json!(1), ""));
}

#[tokio::test]
async fn invalid_idempotency_key_is_refused() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for bad in ["", "two words", &"x".repeat(256)] {
        let reply = create(&app, &key, bad, "x").await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), ["Idempotency-Key"]);
    }
    assert_eq!(posts(&app, &key).await, 0);
}

/// Creates a draft with these further arguments.
async fn draft(app: &TestApp, key: &str, more: Value) -> Reply {
    let mut arguments = json!({"text": "once", "channels": ["feed"]});
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    app.call(key, "create_post", arguments).await
}

#[tokio::test]
async fn argument_is_equal_to_the_header() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let first = draft(&app, &key, json!({"idempotency_key": "a-1"})).await.expect_status(200);
    assert_eq!(first.header("idempotency-replayed"), "");
    for again in
        [draft(&app, &key, json!({"idempotency_key": "a-1"})).await, create(&app, &key, "a-1", "once").await]
    {
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.text, first.text);
    }
    let other = json!({"idempotency_key": "a-1", "text": "other"});
    draft(&app, &key, other).await.expect_problem(422, "idempotency_key_reused");
    assert_eq!(posts(&app, &key).await, 1);
    draft(&app, &key, json!({"idempotency_key": "a-2"})).await.result();
    draft(&app, &key, json!({"idempotency_key": null})).await.result();
    assert_eq!(posts(&app, &key).await, 3);
}

#[tokio::test]
async fn argument_counts_before_the_header() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let send = async |header: &str, argument: &str| {
        let arguments = json!({"text": "once", "channels": ["feed"], "idempotency_key": argument});
        let request = app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", header);
        request.json(&json!({"name": "create_post", "arguments": arguments})).await
    };
    send("made-up-1", "mine").await.expect_status(200);
    assert_eq!(send("made-up-2", "mine").await.header("idempotency-replayed"), "true");
    assert_eq!(posts(&app, &key).await, 1);
}

#[tokio::test]
async fn read_tools_have_no_idempotency_key() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let refused = app.call(&key, "list_posts", json!({"idempotency_key": "r-1"})).await;
    assert_eq!(refused.expect_problem(422, "invalid_arguments").faulty_fields(), ["idempotency_key"]);
    let invalid = draft(&app, &key, json!({"idempotency_key": "two words"})).await;
    assert_eq!(invalid.expect_problem(422, "invalid_arguments").faulty_fields(), ["idempotency_key"]);
}

#[tokio::test]
async fn equal_post_of_the_last_minutes_is_noted() {
    let app = TestApp::with_local_rate_limit().await;
    let (key, other_key) = (app.key("write").await, app.key("write").await);
    let first = draft(&app, &key, json!({})).await.result().clone();
    assert_eq!(first["notes"], Value::Null);
    let first_id = first["post"]["post_id"].as_str().unwrap();
    // The same for every key of the brand, and for a dry run.
    for (key, more) in [(&key, json!({"dry_run": true})), (&other_key, json!({}))] {
        let again = draft(&app, key, more).await;
        let note = again.result()["notes"][0].as_str().unwrap();
        assert!(note.contains(first_id) && note.contains("idempotency_key"), "{note}");
    }
    for more in [json!({"text": "other"}), json!({"mode": "now"}), json!({"title": "T"})] {
        assert_eq!(draft(&app, &key, more).await.result()["notes"], Value::Null);
    }
    let theirs = app.create_key_as("eve", OTHER_BRAND, json!({"label": "theirs", "scope": "write"})).await;
    assert_eq!(draft(&app, &theirs.api_key, json!({})).await.result()["notes"], Value::Null);
    app.clock.advance(Duration::from_mins(11));
    let later = draft(&app, &key, json!({})).await.result().clone();
    assert_eq!(later["notes"], Value::Null);
    // A post that was deleted is not repeated.
    app.call(&key, "cancel_post", json!({"post_id": later["post"]["post_id"]})).await.result();
    assert_eq!(draft(&app, &key, json!({})).await.result()["notes"], Value::Null);
}

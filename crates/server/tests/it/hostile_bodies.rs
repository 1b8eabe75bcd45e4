//! Bodies that are made to be expensive. The answers are small, and large valid calls still pass.

use serde_json::{Value, json};

use crate::support::{BRAND, Reply, TestApp};

const CALL: &str = "/mcp/v1/tools/call";
const KEYS: &str = "/api/brands/acme/mcp-keys";
const MAX_ANSWER_BYTES: usize = 64 * 1024;

async fn post(app: &TestApp, path: &str, credential: &str, body: String) -> Reply {
    let reply = app.post(path).bearer(credential).header("content-type", "application/json").body(body).await;
    assert!(reply.text.len() <= MAX_ANSWER_BYTES, "the answer has {} bytes", reply.text.len());
    reply
}

fn errors(reply: &Reply) -> &[Value] {
    reply.body["errors"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The message for the field `body`.
#[track_caller]
fn body_fault(reply: &Reply) -> &str {
    assert_eq!(reply.faulty_fields(), ["body"], "{}", reply.text);
    reply.body["errors"][0]["message"].as_str().unwrap()
}

#[tokio::test]
async fn more_values_than_the_bound_are_refused_before_they_are_checked() {
    let app = TestApp::new().await;
    let (key, token) = (app.key("read").await, app.token("ada"));
    // Half a million wrong items fit into the largest body.
    let items = "1,".repeat(520_000);
    let arrays = format!(
        r#"{{"name":"validate_post","arguments":{{"text":"x","channels":[{}1]}}}}"#,
        &items[..1_000_000 - 1]
    );
    let keys = (0..50_000).map(|index| format!(r#""k{index}":0,"#)).collect::<Vec<_>>().concat();
    let unknown_arguments = format!(r#"{{"name":"get_brand","arguments":{{{keys}"z":0}}}}"#);
    let unknown_fields = format!(r#"{{{keys}"name":"get_brand"}}"#);
    for body in [arrays, unknown_arguments, unknown_fields] {
        assert!(body.len() <= 1024 * 1024);
        let reply = post(&app, CALL, &key, body).await.expect_problem(422, "invalid_request");
        assert!(body_fault(&reply).contains("at most 10000 values"), "{}", reply.text);
        assert!(reply.text.len() < 1_000, "{}", reply.text);
    }
    let body = format!(r#"{{"label":"x","tools":[{}1]}}"#, "1,".repeat(30_000));
    let reply = post(&app, KEYS, &token, body).await.expect_problem(422, "invalid_request");
    assert!(body_fault(&reply).contains("at most 10000 values"), "{}", reply.text);
}

#[tokio::test]
async fn deep_nesting_is_refused() {
    let app = TestApp::new().await;
    let (key, token) = (app.key("read").await, app.token("ada"));
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let call = |levels: usize| format!(r#"{{"name":"get_brand","arguments":{{"a":{}}}}}"#, nested(levels));
    let create = |levels: usize| format!(r#"{{"label":{}}}"#, nested(levels));
    for levels in [31, 100, 30_000] {
        for (path, credential, body) in [
            (CALL, &key, call(levels)),
            (CALL, &key, r#"{"a":"#.repeat(levels + 2)),
            (KEYS, &token, create(levels + 1)),
        ] {
            let reply = post(&app, path, credential, body).await.expect_problem(422, "invalid_request");
            assert!(body_fault(&reply).contains("at most 32 levels"), "{}", reply.text);
        }
    }
    let reply = post(&app, CALL, &key, call(30)).await.expect_problem(422, "invalid_arguments");
    assert_eq!(reply.faulty_fields(), ["a"]);
    let reply = post(&app, KEYS, &token, create(31)).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["label"]);
}

#[tokio::test]
async fn an_answer_lists_at_most_100_faults_and_counts_the_others() {
    let app = TestApp::new().await;
    let (key, token) = (app.key("read").await, app.token("ada"));
    // A list that is too long is one more fault.
    for (items, note) in
        [(99, ""), (100, "One more fault is not listed."), (9_000, "8901 more faults are not listed.")]
    {
        let arguments = json!({"text": "x", "channels": (0..items).collect::<Vec<_>>()});
        let body = json!({"name": "validate_post", "arguments": arguments}).to_string();
        let reply = post(&app, CALL, &key, body).await.expect_problem(422, "invalid_arguments");
        assert_eq!(errors(&reply).len(), 100, "{}", reply.text);
        let detail = reply.body["detail"].as_str().unwrap();
        assert_eq!(
            (detail.contains("not listed"), detail.ends_with(note)),
            (!note.is_empty(), true),
            "{detail}"
        );
    }
    let unknown =
        |count: usize| -> Value { (0..count).map(|index| (format!("k{index}"), json!(0))).collect() };
    for (path, credential, body, left_out) in [
        (CALL, &key, unknown(150), 51),
        (CALL, &key, json!({"name": "get_brand", "arguments": unknown(150)}), 50),
        (KEYS, &token, unknown(150), 51),
    ] {
        let reply = post(&app, path, credential, body.to_string()).await.expect_status(422);
        assert_eq!(errors(&reply).len(), 100, "{}", reply.text);
        let note = format!("{left_out} more faults are not listed.");
        assert!(reply.body["detail"].as_str().unwrap().ends_with(&note), "{}", reply.text);
    }
    // A message that lists all tools is long: the answer stays within its size.
    let tools: Vec<String> = (0..3_000).map(|index| format!("tool{index}")).collect();
    let body = json!({"label": "x", "tools": tools}).to_string();
    let reply = post(&app, KEYS, &token, body).await.expect_problem(422, "invalid_request");
    assert!((50..=100).contains(&errors(&reply).len()), "{}", reply.text);
    assert!(
        reply.body["detail"].as_str().unwrap().ends_with("more faults are not listed."),
        "{}",
        reply.text
    );
}

#[tokio::test]
async fn field_names_and_values_in_an_answer_are_shortened() {
    let app = TestApp::new().await;
    let (key, token) = (app.key("read").await, app.token("ada"));
    let long = "\u{1}".repeat(10_000);
    let mut nested = json!("\0");
    for _ in 0..25 {
        nested = json!({ &long[..2_000]: nested });
    }
    for (path, credential, body) in [
        (CALL, &key, json!({"name": "get_brand", &*long: 1})),
        (CALL, &key, json!({"name": long})),
        (CALL, &key, json!({"name": "get_brand", "arguments": {&*long: 1}})),
        (
            CALL,
            &key,
            json!({"name": "list_posts", "arguments": {"status": long, "cursor": long, "from": long}}),
        ),
        (CALL, &key, json!({"name": "get_brand", "arguments": {"a": nested}})),
        (
            CALL,
            &key,
            json!({"name": "validate_post", "arguments": {"text": "x", "channels": ["feed"], "link": long}}),
        ),
        (KEYS, &token, json!({"label": "x", &long[..5_000]: 1})),
        (KEYS, &token, json!({"label": &long[..8_000], "scope": &long[..1_000]})),
    ] {
        let reply = post(&app, path, credential, body.to_string()).await.expect_status(422);
        for error in errors(&reply) {
            let length = |name: &str| error[name].as_str().unwrap().chars().count();
            assert!(length("field") <= 201 && length("message") <= 500, "{error}");
        }
        assert!(reply.text.len() < 8_000, "{} bytes", reply.text.len());
    }
}

#[tokio::test]
async fn a_large_body_that_is_malformed_is_still_invalid_json() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    for body in [
        format!(r#"{{"name":"{}"#, "x".repeat(200_000)),
        format!(r#"{{"name":"{}"}}}}"#, "x".repeat(200_000)),
        format!(r#"{{"a":[{}"#, "1,".repeat(9_000)),
    ] {
        post(&app, CALL, &key, body).await.expect_problem(400, "invalid_json");
    }
}

#[tokio::test]
async fn a_body_beyond_the_bounds_counts_as_a_request() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let reply = post(&app, CALL, &key, "[".repeat(100)).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.remaining(), 59);
}

/// The largest arguments that the schemas allow.
#[tokio::test]
async fn the_largest_valid_calls_pass() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let mut channels = vec!["feed".to_owned()];
    for index in 1..10 {
        let path = format!("/api/brands/{BRAND}/channels/hook{index}");
        let body = json!({"kind": "webhook", "settings": {"url": format!("https://hook{index}.example/")}});
        app.put(&path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
        channels.push(format!("hook{index}"));
    }
    let address = |name: &str| format!("{:x<2000}", format!("https://acme.example/{name}/"));
    let media: Vec<Value> = (0..10)
        .map(|index| json!({"url": address(&format!("picture{index}")), "alt": "x".repeat(1_500)}))
        .collect();
    let post = json!({
        "text": "x".repeat(10_000), "channels": channels, "title": "x".repeat(300), "link": address("page"),
        "media": media, "mode": "schedule", "scheduled_at": "2026-11-16T00:00:00Z",
    });
    app.call(&key, "validate_post", post.clone()).await.result();
    let created = app.call(&key, "create_post", post).await;
    assert_eq!(created.result()["post"]["media"].as_array().unwrap().len(), 10);

    // Over the size from which a body is parsed and checked on another thread.
    let analysis = json!({"kind": "content", "text": "word ".repeat(40_000), "wait_seconds": 0});
    app.call(&key, "run_analysis", analysis).await.result();

    let tools: Vec<Value> = {
        let listed = app.list_tools(&key).await.expect_status(200);
        listed.body["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect()
    };
    let body = json!({"label": "x".repeat(100), "scope": "full", "tools": tools});
    app.post(KEYS).bearer(&app.token("ada")).json(&body).await.expect_status(201);
}

#[tokio::test]
async fn a_page_of_long_posts_ends_before_the_result_is_too_large() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for number in 0..15 {
        let text = format!("{number:02} {}", "\"x\"".repeat(3_000));
        app.call(&key, "create_post", json!({"text": text, "channels": ["feed"]})).await.result();
    }
    for limit in [100, 20] {
        let mut seen = Vec::new();
        let mut arguments = json!({"limit": limit});
        loop {
            let page = app.call(&key, "list_posts", arguments.clone()).await;
            let page = page.result();
            assert_eq!(page["total"], 15);
            let items = page["items"].as_array().unwrap();
            assert!((1..15).contains(&items.len()), "{}", items.len());
            seen.extend(items.iter().map(|post| post["text"].as_str().unwrap()[..2].parse::<u32>().unwrap()));
            if page["next_cursor"].is_null() {
                break;
            }
            arguments["cursor"] = page["next_cursor"].clone();
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..15).collect::<Vec<_>>());
    }
}

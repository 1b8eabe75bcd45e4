//! Anybody with the secret of a key can revoke it. The answer says nothing about the key.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use crate::{
    reports::{wait_for_mails, with_mail},
    support::{BRAND, CreatedKey, OTHER_BRAND, Reply, TestApp, eventually},
};

const PATH: &str = "/api/leaked-keys";
/// A well-formed key that does not exist.
const UNKNOWN: &str = "svc_mcp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg37cCQ0";

async fn report(app: &TestApp, body: &Value) -> Reply {
    app.post(PATH).json(body).await
}

async fn report_keys(app: &TestApp, keys: &[&str]) -> Reply {
    report(app, &json!({"keys": keys})).await.expect_status(202)
}

async fn key_view(app: &TestApp, key: &CreatedKey) -> Value {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body
}

async fn events(app: &TestApp, kind: &str) -> Vec<Value> {
    let path = format!("/api/brands/{BRAND}/mcp-activity?kind={kind}");
    let reply = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    reply.body["events"].as_array().unwrap().clone()
}

#[tokio::test]
async fn reported_key_is_refused_at_the_next_request() {
    let app = TestApp::new().await;
    let (key, other) = (app.create_key(json!({"label": "leaked"})).await, app.key("read").await);
    app.list_tools(&key.api_key).await.expect_status(200);
    report_keys(&app, &[&key.api_key]).await;
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    app.list_tools(&other).await.expect_status(200);
    let shown = key_view(&app, &key).await;
    assert_eq!((&shown["status"], &shown["revoked_reason"]), (&json!("revoked"), &json!("leaked")));
    assert_eq!(shown["revoked_at"], "2026-11-15T00:00:00.000Z");
    let leaked = events(&app, "leaked").await;
    assert_eq!(leaked.len(), 1);
    assert_eq!((&leaked[0]["key_id"], &leaked[0]["actor"]), (&json!(key.key_id), &json!("svc-mcp")));
    assert_eq!(events(&app, "revoked").await.len(), 0);
}

#[tokio::test]
async fn secret_that_was_rotated_away_does_not_stop_the_key() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "rotated"})).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}/rotate", key.key_id);
    let rotate = async |body: Value| {
        let rotated = app.post(&path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
        rotated.body["api_key"].as_str().unwrap().to_owned()
    };
    let second = rotate(json!({"grace_seconds": 0})).await;
    report_keys(&app, &[&key.api_key]).await;
    app.list_tools(&second).await.expect_status(200);
    // While the old secret works, a report of it revokes the key.
    let third = rotate(json!({"grace_seconds": 60})).await;
    report_keys(&app, &[&second]).await;
    app.list_tools(&third).await.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn revoke_on_request_says_so() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "old"})).await;
    assert_eq!(key_view(&app, &key).await["revoked_reason"], Value::Null);
    app.revoke(&key.key_id).await;
    // A report of a revoked key changes nothing.
    app.clock.advance(Duration::from_mins(1));
    report_keys(&app, &[&key.api_key]).await;
    let shown = key_view(&app, &key).await;
    assert_eq!(
        (&shown["revoked_reason"], &shown["revoked_at"]),
        (&json!("requested"), &json!("2026-11-15T00:00:00.000Z"))
    );
    assert_eq!(events(&app, "leaked").await.len(), 0);
}

#[tokio::test]
async fn answer_is_the_same_for_every_key() {
    let app = TestApp::new().await;
    let revoked = app.create_key(json!({"label": "revoked"})).await;
    app.revoke(&revoked.key_id).await;
    let expiry = "2026-11-15T00:01:00Z";
    let expired = app.create_key(json!({"label": "expired", "expires_at": expiry})).await;
    app.clock.advance(Duration::from_mins(2));
    let real = app.create_key(json!({"label": "real"})).await;
    let paused = app.create_key(json!({"label": "paused"})).await;
    app.set_paused("ada", &paused.key_id, true).await.expect_status(200);
    let mut wrong_checksum = real.api_key.clone();
    wrong_checksum.truncate(56);
    wrong_checksum.push(if real.api_key.ends_with('A') { 'B' } else { 'A' });
    let mut replies = Vec::new();
    for text in [
        &*real.api_key,
        &real.api_key,
        &expired.api_key,
        &revoked.api_key,
        &paused.api_key,
        UNKNOWN,
        &wrong_checksum,
        "no key",
        "",
        "svc_mcp_",
    ] {
        let mut reply = report_keys(&app, &[text]).await;
        reply.headers.remove("x-request-id");
        reply.headers.remove("date");
        replies.push((reply.text, format!("{:?}", reply.headers)));
    }
    assert_eq!(replies[0].0, r#"{"status":"received"}"#);
    assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
    for (key, reason) in
        [(&real, "leaked"), (&expired, "leaked"), (&paused, "leaked"), (&revoked, "requested")]
    {
        assert_eq!(key_view(&app, key).await["revoked_reason"], reason);
    }
    assert_eq!(events(&app, "leaked").await.len(), 3);
}

#[tokio::test]
async fn keys_are_found_in_the_text_around_them() {
    let app = TestApp::new().await;
    let (one, two, three) = (app.key("read").await, app.key("read").await, app.key("read").await);
    let kept = app.key("read").await;
    let texts = [
        format!("SVC_MCP_KEY=\"{one}\" # for the é agent"),
        format!("{{\"a\":\"{two}\",\"b\":\"{three}\"}}"),
        format!("{}…", &kept[..56]),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    report_keys(&app, &texts).await;
    for key in [&one, &two, &three] {
        app.list_tools(key).await.expect_problem(401, "key_invalid");
    }
    app.list_tools(&kept).await.expect_status(200);
}

#[tokio::test]
async fn report_has_up_to_100_keys_of_any_brand() {
    let app = TestApp::new().await;
    let mut keys = Vec::new();
    for _ in 0..6 {
        keys.push(app.key("read").await);
    }
    let other = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other"})).await;
    keys.push(other.api_key);
    // Each key several times, and unknown ones.
    let mut texts: Vec<&str> = keys.iter().cycle().take(70).map(String::as_str).collect();
    texts.resize(100, UNKNOWN);
    report_keys(&app, &texts).await;
    for key in &keys {
        app.list_tools(key).await.expect_problem(401, "key_invalid");
    }
    assert_eq!(events(&app, "leaked").await.len(), 6);

    let key = app.key("read").await;
    texts.push(&key);
    let refused = report(&app, &json!({"keys": texts})).await.expect_problem(422, "invalid_request");
    assert_eq!(refused.faulty_fields(), ["keys"]);
    app.list_tools(&key).await.expect_status(200);
}

#[tokio::test]
async fn report_with_a_wrong_form_is_refused() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    for (body, fields) in [
        (json!({}), &["keys"][..]),
        (json!({"keys": []}), &["keys"]),
        (json!({"keys": key}), &["keys"]),
        (json!({"keys": [key, 7, null]}), &["keys[1]", "keys[2]"]),
        (json!({"keys": [format!("{key}{}", "x".repeat(944))]}), &["keys[0]"]),
        (json!({"keys": [key], "source": "x".repeat(201)}), &["source"]),
        (json!({"keys": [key], "source": 7, "colour": key}), &["colour", "source"]),
        (json!([key]), &["body"]),
    ] {
        let reply = report(&app, &body).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), fields);
        assert!(!reply.text.contains(&key[14..]), "{}", reply.text);
    }
    let body = format!("{{\"keys\": [\"{key}\"], \"source\": \"{}\"}}", "x".repeat(128 * 1024));
    let large = app.post(PATH).header("content-type", "application/json").body(body).await;
    large.expect_problem(413, "too_large");
    app.post(PATH)
        .header("content-type", "text/plain")
        .body(key.clone())
        .await
        .expect_problem(415, "unsupported_media_type");
    app.get(PATH).send().await.expect_problem(405, "method_not_allowed");
    app.list_tools(&key).await.expect_status(200);
    let whole = json!({"keys": [format!("{key}{}", "x".repeat(943))], "source": null});
    report(&app, &whole).await.expect_status(202);
    app.list_tools(&key).await.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn address_has_20_reports_a_minute() {
    let app = TestApp::new().await;
    for _ in 0..20 {
        report_keys(&app, &[UNKNOWN]).await;
    }
    let key = app.key("read").await;
    let reply = report(&app, &json!({"keys": [key]})).await.expect_problem(429, "rate_limited");
    assert_eq!(reply.header("retry-after"), "60");
    assert_eq!(reply.header("ratelimit-policy"), "\"address\";q=20;w=60");
    app.list_tools(&key).await.expect_status(200);
    // Another address is not affected.
    let other =
        reqwest::Client::builder().no_proxy().local_address(Some([127, 0, 0, 2].into())).build().unwrap();
    let sent =
        other.post(format!("{}{PATH}", app.url)).json(&json!({"keys": [UNKNOWN]})).send().await.unwrap();
    assert_eq!(sent.status(), 202);
    app.clock.advance(Duration::from_mins(1));
    report_keys(&app, &[&key]).await;
    app.list_tools(&key).await.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn queued_work_is_cancelled_and_people_are_told() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    for (user, role, email) in [
        ("ada", "admin", Some("ada@example.com")),
        ("ben", "member", Some("ben@example.com")),
        ("cleo", "admin", None),
        ("dora", "member", Some("dora@example.com")),
    ] {
        let path = format!("/api/admin/brands/{BRAND}/members/{user}");
        let body = json!({"role": role, "email": email});
        app.put(&path).bearer(&app.operator()).json(&body).await.expect_status(200);
    }
    let key = app.create_key_as("ben", BRAND, json!({"label": "Ben's <agent>", "scope": "write"})).await;
    let at = "2026-11-15T00:05:00Z";
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "schedule", "scheduled_at": at});
    let post_id = app.call(&key.api_key, "create_post", post).await.result()["post"]["post_id"].clone();
    let source = format!("https://paste.example/\r\n{}", key.api_key);
    report(&app, &json!({"keys": [key.api_key], "source": source})).await.expect_status(202);
    let path = format!("/api/brands/{BRAND}/posts/{}", post_id.as_str().unwrap());
    let post = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    assert!(post.text.contains("\"cancelled\""), "{}", post.text);
    let cancelled = events(&app, "cancelled").await;
    assert_eq!((&cancelled[0]["reason"], &cancelled[0]["actor"]), (&json!("key_revoked"), &json!("svc-mcp")));

    let mails = wait_for_mails(&smtp, 2).await;
    let mut to: Vec<&str> = mails.iter().map(svc_mcp_testkit::ReceivedMail::to).collect();
    to.sort_unstable();
    assert_eq!(to, ["ada@example.com", "ben@example.com"]);
    for mail in &mails {
        assert_eq!(mail.fact("defects"), &json!([]));
        assert_eq!(
            mail.header("subject"),
            format!("The MCP key “Ben's <agent>” of {BRAND} was leaked and is revoked")
        );
        let (text, html) = (mail.part("text/plain"), mail.part("text/html"));
        let prefix = &key.api_key[..14];
        for line in [
            &format!("Key: Ben's <agent>, {prefix}…"),
            "Revoked: 15 November 2026, 00:00 UTC",
            &format!("Found (not checked): https://paste.example/ {prefix}…"),
            "Cancelled: 1 post",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        for part in [text, html] {
            assert!(part.contains("https://svc.example/settings/mcp"), "{part}");
            assert!(!part.contains(&key.api_key[14..]), "{part}");
        }
        assert!(mail.headers("list-unsubscribe").is_empty());
    }
}

/// A report needs neither a credential nor a mail server.
#[tokio::test]
async fn report_works_without_a_mail_server_and_with_any_credential() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "leaked"})).await;
    app.post(PATH).bearer(&key.api_key).json(&json!({"keys": [key.api_key]})).await.expect_status(202);
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    eventually("the refused request is recorded", async || {
        let denied = events(&app, "list").await;
        denied
            .iter()
            .any(|event| event["reason"] == "key_revoked" || event["outcome"] == "denied")
            .then_some(())
    })
    .await;
}

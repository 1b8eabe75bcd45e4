//! Rotation of keys: a new secret, and a grace for the old one.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, CreatedKey, OTHER_BRAND, Reply, TestApp, eventually};

const DAY: Duration = Duration::from_hours(24);

fn path(key_id: &str) -> String {
    format!("/api/brands/{BRAND}/mcp-keys/{key_id}")
}

async fn rotate_as(app: &TestApp, user: &str, key_id: &str, body: &Value) -> Reply {
    app.post(&format!("{}/rotate", path(key_id))).bearer(&app.token(user)).json(body).await
}

/// Rotates a key of `ada`, and returns the answer.
async fn rotate(app: &TestApp, key_id: &str, body: Value) -> Value {
    rotate_as(app, "ada", key_id, &body).await.expect_status(200).body
}

fn secret(body: &Value) -> &str {
    body["api_key"].as_str().unwrap()
}

async fn finish(app: &TestApp, user: &str, key_id: &str) -> Reply {
    app.post(&format!("{}/rotate/finish", path(key_id))).bearer(&app.token(user)).send().await
}

async fn get(app: &TestApp, key_id: &str) -> Value {
    app.get(&path(key_id)).bearer(&app.token("ben")).send().await.expect_status(200).body
}

async fn new_key(app: &TestApp) -> CreatedKey {
    app.create_key(json!({"label": "rotated", "scope": "write"})).await
}

async fn expect_refused(app: &TestApp, secret: &str) {
    let reply = app.list_tools(secret).await.expect_problem(401, "key_invalid");
    let unknown = app.list_tools("svc_mcp_unknown").await.expect_problem(401, "key_invalid");
    assert_eq!(reply.body["detail"], unknown.body["detail"]);
    assert_eq!(reply.header("www-authenticate"), unknown.header("www-authenticate"));
    assert_eq!(reply.header("ratelimit"), "", "like an unknown key");
}

#[tokio::test]
async fn both_secrets_work_until_the_grace_ends() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let reply = rotate_as(&app, "ada", &key.key_id, &json!({})).await.expect_status(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    let rotated = reply.body;
    let new = secret(&rotated);
    assert_ne!(new, key.api_key);
    assert_eq!(rotated["prefix"], new[..14]);
    assert_eq!(rotated["rotating_until"], "2026-11-16T00:00:00.000Z");
    for (name, value) in key.body.as_object().unwrap() {
        if !["api_key", "prefix", "rotating_until"].contains(&name.as_str()) {
            assert_eq!(rotated[name], *value, "{name} stays");
        }
    }
    for secret in [key.api_key.as_str(), new] {
        app.list_tools(secret).await.expect_status(200);
        app.call(secret, "get_brand", json!({})).await.result();
    }
    app.clock.advance(Duration::from_millis(86_399_999));
    assert_eq!(get(&app, &key.key_id).await["rotating_until"], "2026-11-16T00:00:00.000Z");
    app.list_tools(&key.api_key).await.expect_status(200);
    app.clock.advance(Duration::from_millis(1));
    expect_refused(&app, &key.api_key).await;
    app.list_tools(new).await.expect_status(200);
    assert_eq!(get(&app, &key.key_id).await["rotating_until"], Value::Null);
}

#[tokio::test]
async fn body_is_optional_and_checked() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    for grace in [json!(-1), json!(604_801), json!(1.5), json!("60")] {
        let reply = rotate_as(&app, "ada", &key.key_id, &json!({"grace_seconds": grace})).await;
        let reply = reply.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), ["grace_seconds"]);
    }
    let reply = rotate_as(&app, "ada", &key.key_id, &json!({"grace": 1})).await;
    assert_eq!(reply.expect_problem(422, "invalid_request").faulty_fields(), ["grace"]);
    app.list_tools(&key.api_key).await.expect_status(200);
    assert_eq!(get(&app, &key.key_id).await["rotating_until"], Value::Null, "nothing was rotated");
    let rotate = format!("{}/rotate", path(&key.key_id));
    let reply = app.post(&rotate).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!(reply.body["rotating_until"], "2026-11-16T00:00:00.000Z");
    let other = new_key(&app).await;
    let week = rotate_as(&app, "ada", &other.key_id, &json!({"grace_seconds": 604_800})).await;
    assert_eq!(week.expect_status(200).body["rotating_until"], "2026-11-22T00:00:00.000Z");
}

#[tokio::test]
async fn without_grace_the_old_secret_is_refused_at_once() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    app.list_tools(&key.api_key).await.expect_status(200);
    let rotated = rotate(&app, &key.key_id, json!({"grace_seconds": 0})).await;
    assert_eq!(rotated["rotating_until"], Value::Null);
    expect_refused(&app, &key.api_key).await;
    app.list_tools(secret(&rotated)).await.expect_status(200);
    let again = rotate(&app, &key.key_id, json!({"grace_seconds": 0})).await;
    expect_refused(&app, secret(&rotated)).await;
    expect_refused(&app, &key.api_key).await;
    app.list_tools(secret(&again)).await.expect_status(200);
}

#[tokio::test]
async fn only_the_creator_can_rotate() {
    let app = TestApp::new().await;
    let (adas, bens) =
        (new_key(&app).await, app.create_key_as("ben", BRAND, json!({"label": "ben's"})).await);
    for (user, key) in [("ben", &adas), ("ada", &bens)] {
        let reply = rotate_as(&app, user, &key.key_id, &json!({})).await;
        reply.expect_problem(403, "not_key_creator");
        app.list_tools(&key.api_key).await.expect_status(200);
    }
    rotate_as(&app, "eve", &adas.key_id, &json!({})).await.expect_problem(404, "not_found");
    let elsewhere = format!("/api/brands/{OTHER_BRAND}/mcp-keys/{}/rotate", adas.key_id);
    let reply = app.post(&elsewhere).bearer(&app.token("eve")).json(&json!({})).await;
    reply.expect_problem(404, "not_found");
    for credential in [&adas.api_key, &bens.api_key] {
        let rotate = format!("{}/rotate", path(&adas.key_id));
        let reply = app.post(&rotate).bearer(credential).json(&json!({})).await;
        reply.expect_problem(401, "token_invalid");
    }
    rotate_as(&app, "ben", &bens.key_id, &json!({})).await.expect_status(200);
}

#[tokio::test]
async fn creator_and_administrators_can_finish_a_rotation() {
    let app = TestApp::new().await;
    app.put_member(BRAND, "cleo", "member").await;
    for user in ["ben", "ada"] {
        let key = app.create_key_as("ben", BRAND, json!({"label": "ben's"})).await;
        let rotated = rotate_as(&app, "ben", &key.key_id, &json!({})).await.expect_status(200).body;
        finish(&app, "cleo", &key.key_id).await.expect_problem(403, "not_key_creator");
        finish(&app, "eve", &key.key_id).await.expect_problem(404, "not_found");
        app.list_tools(&key.api_key).await.expect_status(200);
        for _ in 0..2 {
            let reply = finish(&app, user, &key.key_id).await.expect_status(200);
            assert_eq!(reply.body["rotating_until"], Value::Null);
            assert!(reply.body.get("api_key").is_none());
            expect_refused(&app, &key.api_key).await;
            app.list_tools(secret(&rotated)).await.expect_status(200);
        }
        let kinds = app.event_kinds(&key.key_id).await;
        assert_eq!(kinds.iter().filter(|kind| *kind == "rotation_finished").count(), 1, "{kinds:?}");
    }
    let never_rotated = new_key(&app).await;
    finish(&app, "ada", &never_rotated.key_id).await.expect_status(200);
    app.list_tools(&never_rotated.api_key).await.expect_status(200);
}

#[tokio::test]
async fn rotating_key_is_not_rotated_again() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let first = rotate(&app, &key.key_id, json!({})).await;
    let reply = rotate_as(&app, "ada", &key.key_id, &json!({"grace_seconds": 0})).await;
    let reply = reply.expect_problem(409, "already_rotating");
    let detail = reply.body["detail"].as_str().unwrap();
    assert!(detail.contains("2026-11-16T00:00:00.000Z") && detail.contains("rotate/finish"), "{detail}");
    for secret in [key.api_key.as_str(), secret(&first)] {
        app.list_tools(secret).await.expect_status(200);
    }
    finish(&app, "ada", &key.key_id).await.expect_status(200);
    let second = rotate(&app, &key.key_id, json!({})).await;
    expect_refused(&app, &key.api_key).await;
    for secret in [secret(&first), secret(&second)] {
        app.list_tools(secret).await.expect_status(200);
    }
    app.clock.advance(DAY);
    let third = rotate(&app, &key.key_id, json!({})).await;
    expect_refused(&app, secret(&first)).await;
    for secret in [secret(&second), secret(&third)] {
        app.list_tools(secret).await.expect_status(200);
    }
}

#[tokio::test]
async fn revoked_and_expired_keys_are_not_rotated() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    app.revoke(&key.key_id).await;
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        expect_refused(&app, secret).await;
    }
    rotate_as(&app, "ada", &key.key_id, &json!({})).await.expect_problem(409, "key_revoked");
    let finished = finish(&app, "ada", &key.key_id).await.expect_status(200);
    assert_eq!(
        (&finished.body["status"], &finished.body["rotating_until"]),
        (&json!("revoked"), &Value::Null)
    );
    let soon = app.create_key(json!({"label": "soon", "expires_at": "2026-11-15T01:00:00Z"})).await;
    app.clock.advance(Duration::from_hours(1));
    let reply = rotate_as(&app, "ada", &soon.key_id, &json!({})).await;
    reply.expect_problem(409, "key_expired");
}

#[tokio::test]
async fn both_secrets_end_with_the_key() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "soon", "expires_at": "2026-11-15T01:00:00Z"})).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    assert_eq!(rotated["rotating_until"], "2026-11-15T01:00:00.000Z");
    app.clock.advance(Duration::from_millis(3_599_999));
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        app.list_tools(secret).await.expect_status(200);
    }
    app.clock.advance(Duration::from_millis(1));
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        expect_refused(&app, secret).await;
    }
    assert_eq!(get(&app, &key.key_id).await["rotating_until"], Value::Null);
}

#[tokio::test]
async fn paused_key_can_be_rotated_and_stays_paused() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    app.set_paused("ada", &key.key_id, true).await.expect_status(200);
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    assert_eq!(rotated["paused"], true);
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        app.list_tools(secret).await.expect_problem(403, "key_paused");
    }
    app.set_paused("ada", &key.key_id, false).await.expect_status(200);
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        app.list_tools(secret).await.expect_status(200);
    }
}

#[tokio::test]
async fn secrets_share_one_window() {
    let app = TestApp::with_local_rate_limit().await;
    let key = new_key(&app).await;
    for left in (40..60).rev() {
        assert_eq!(app.list_tools(&key.api_key).await.expect_status(200).remaining(), left);
    }
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    let secrets = [key.api_key.as_str(), secret(&rotated)];
    for left in (0..40).rev() {
        assert_eq!(
            app.list_tools(secrets[left % 2]).await.expect_status(200).remaining(),
            u32::try_from(left).unwrap()
        );
    }
    for secret in secrets {
        app.list_tools(secret).await.expect_problem(429, "rate_limited");
    }
    finish(&app, "ada", &key.key_id).await.expect_status(200);
    app.list_tools(secrets[1]).await.expect_problem(429, "rate_limited");
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(app.list_tools(secrets[1]).await.expect_status(200).remaining(), 59);
}

#[tokio::test]
async fn concurrent_requests_with_both_secrets_share_one_window() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    let secrets = [key.api_key.as_str(), secret(&rotated)];
    // Two of the sixty fill the cache. Otherwise concurrent requests to a slow database are shed.
    for secret in secrets {
        app.list_tools(secret).await.expect_status(200);
    }
    let requests = (0..160).map(|number| {
        let (app, secret) = (&app, secrets[number % 2]);
        async move { app.list_tools(secret).await.status }
    });
    let statuses = futures_util::future::join_all(requests).await;
    let count = |status| statuses.iter().filter(|one| **one == status).count();
    assert_eq!((count(200), count(429)), (58, 102), "{statuses:?}");
}

#[tokio::test]
async fn reveal_shows_the_new_secret() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    let reveal = |key_id: &str| app.post(&format!("{}/reveal", path(key_id))).bearer(&app.token("ada"));
    let revealed = reveal(&key.key_id).send().await.expect_status(200);
    assert_eq!(revealed.body["api_key"], rotated["api_key"]);
    let hidden = app.create_key(json!({"label": "hidden", "can_reveal": false})).await;
    assert_eq!(rotate(&app, &hidden.key_id, json!({})).await["can_reveal"], false);
    reveal(&hidden.key_id).send().await.expect_problem(409, "key_not_revealable");
}

#[tokio::test]
async fn key_rotated_while_revealing_is_off_cannot_be_revealed() {
    let app = TestApp::with(AppOptions::default()).await;
    let key = new_key(&app).await;
    let app = app.restart_with("--reveal-keys=off").await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    assert_eq!(rotated["can_reveal"], false, "neither the new secret nor the old one");
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        app.list_tools(secret).await.expect_status(200);
    }
}

#[tokio::test]
async fn list_shows_whether_the_old_secret_is_still_in_use() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    assert_eq!(rotated["old_secret_last_used_at"], Value::Null);
    let list = format!("/api/brands/{BRAND}/mcp-keys");
    let last_uses = async |wanted: (Value, Value)| {
        eventually("the last uses", async || {
            let listed = app.get(&list).bearer(&app.token("ben")).send().await.expect_status(200).body;
            let found = &listed["keys"][0];
            assert_eq!(found["rotating_until"], "2026-11-16T00:00:00.000Z");
            let uses = (found["last_used_at"].clone(), found["old_secret_last_used_at"].clone());
            (uses == wanted).then_some(())
        })
        .await;
    };
    app.list_tools(secret(&rotated)).await.expect_status(200);
    last_uses((json!("2026-11-15T00:00:00.000Z"), Value::Null)).await;
    app.clock.advance(Duration::from_secs(1));
    app.list_tools(&key.api_key).await.expect_status(200);
    last_uses((json!("2026-11-15T00:00:01.000Z"), json!("2026-11-15T00:00:01.000Z"))).await;
    app.clock.advance(Duration::from_secs(1));
    app.list_tools(secret(&rotated)).await.expect_status(200);
    last_uses((json!("2026-11-15T00:00:02.000Z"), json!("2026-11-15T00:00:01.000Z"))).await;
}

#[tokio::test]
async fn rotation_is_recorded_without_secrets() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let rotated = rotate(&app, &key.key_id, json!({})).await;
    finish(&app, "ada", &key.key_id).await.expect_status(200);
    let activity = format!("{}/activity", path(&key.key_id));
    let events = app.get(&activity).bearer(&app.token("ben")).send().await.expect_status(200);
    let kinds: Vec<(&str, &str)> = events.body["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["kind"].as_str().unwrap(), event["actor"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    for kind in ["created", "rotated", "rotation_finished"] {
        assert!(kinds.contains(&(kind, "ada")), "{kind}: {kinds:?}");
    }
    for secret in [key.api_key.as_str(), secret(&rotated)] {
        assert!(!events.text.contains(&secret[8..]));
    }
    let filtered = app.get(&format!("{activity}?kind=rotated")).bearer(&app.token("ben")).send().await;
    assert_eq!(filtered.expect_status(200).body["events"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn queued_work_goes_on_after_a_rotation() {
    let app = TestApp::new().await;
    let key = new_key(&app).await;
    let post = json!({"text": "later", "channels": ["feed"], "mode": "schedule",
        "scheduled_at": "2026-11-15T02:00:00Z"});
    let post = app.call(&key.api_key, "create_post", post).await.result().clone();
    let post_id = post["post"]["post_id"].as_str().unwrap();
    let rotated = rotate(&app, &key.key_id, json!({"grace_seconds": 60})).await;
    app.clock.advance(Duration::from_hours(3));
    expect_refused(&app, &key.api_key).await;
    let path = format!("/api/brands/{BRAND}/posts/{post_id}");
    eventually("the post", async || {
        let token = app.token("ada");
        let post = app.get(&path).bearer(&token).send().await.expect_status(200).body;
        let target = &post["targets"][0];
        assert_ne!(target["status"], "cancelled", "{post}");
        (target["status"] == "published").then_some(())
    })
    .await;
    app.list_tools(secret(&rotated)).await.expect_status(200);
}

//! Channels. Their secrets are never returned.

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, OTHER_BRAND, Reply, TestApp};

const TOKEN: &str = "an-access-token-of-the-tests";

async fn put(app: &TestApp, channel: &str, body: &Value) -> Reply {
    let path = format!("/api/brands/{BRAND}/channels/{channel}");
    app.put(&path).bearer(&app.token("ada")).json(body).await
}

async fn get(app: &TestApp, channel: &str) -> Reply {
    app.get(&format!("/api/brands/{BRAND}/channels/{channel}")).bearer(&app.token("ada")).send().await
}

async fn list(app: &TestApp) -> Reply {
    app.get(&format!("/api/brands/{BRAND}/channels"))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_status(200)
}

async fn delete(app: &TestApp, channel: &str) -> Reply {
    app.delete(&format!("/api/brands/{BRAND}/channels/{channel}")).bearer(&app.token("ada")).send().await
}

fn mastodon() -> Value {
    json!({"kind": "mastodon", "settings": {"server": "https://mastodon.example", "access_token": TOKEN}})
}

fn webhook(url: &str) -> Value {
    json!({"kind": "webhook", "settings": {"url": url}})
}

#[tokio::test]
async fn channel_is_created_read_listed_and_deleted() {
    let app = TestApp::new().await;
    let created = put(&app, "fediverse", &mastodon()).await.expect_status(200);
    assert_eq!(created.header("cache-control"), "no-store");
    let expected = json!({
        "channel_id": "fediverse",
        "kind": "mastodon",
        "settings": {"server": "https://mastodon.example/", "visibility": "public", "max_characters": 500},
        "secret_set": true,
        "text_limit": 500,
        "media_limit": 4,
        "created_at": "2026-11-15T00:00:00.000Z",
        "updated_at": "2026-11-15T00:00:00.000Z",
    });
    assert_eq!(created.body, expected);
    assert_eq!(get(&app, "fediverse").await.expect_status(200).body, expected);
    let listed = list(&app).await.body;
    assert_eq!((&listed["channels"][0]["channel_id"], &listed["channels"][1]), (&json!("feed"), &expected));
    assert_eq!(listed["channels"].as_array().unwrap().len(), 2);

    let brand = app.call(&app.key("read").await, "get_brand", json!({})).await;
    let channels = brand.result()["channels"].as_array().unwrap().clone();
    let limits: Vec<_> =
        channels.iter().map(|one| (one["channel"].clone(), one["text_limit"].clone())).collect();
    assert_eq!(limits, [(json!("feed"), json!(10_000)), (json!("fediverse"), json!(500))]);
    assert!(!brand.text.contains("mastodon.example"), "get_brand returns no URLs: {}", brand.text);

    delete(&app, "fediverse").await.expect_status(204);
    delete(&app, "fediverse").await.expect_status(204);
    get(&app, "fediverse").await.expect_problem(404, "not_found");
    let other = format!("/api/brands/{OTHER_BRAND}/channels");
    let theirs = app.get(&other).bearer(&app.token("eve")).send().await.expect_status(200);
    assert_eq!(theirs.body["channels"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn signing_secret_is_generated_and_returned_once() {
    let app = TestApp::new().await;
    let created = put(&app, "hook", &webhook("https://hooks.example/1")).await.expect_status(200);
    let secret = created.body["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_") && secret.len() > 40);
    assert_eq!(created.header("cache-control"), "no-store");
    for shown in [get(&app, "hook").await, list(&app).await] {
        assert!(!shown.text.contains(&secret[6..]), "{}", shown.text);
    }
    // A new URL keeps the secret. A given secret replaces it.
    let moved = put(&app, "hook", &webhook("https://hooks.example/2")).await.expect_status(200);
    assert_eq!((&moved.body["secret"], &moved.body["secret_set"]), (&Value::Null, &json!(true)));
    let mut own = webhook("https://hooks.example/2");
    own["settings"]["secret"] = json!("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let given = put(&app, "hook", &own).await.expect_status(200);
    assert!(!given.text.contains("MfKQ9"), "{}", given.text);
}

#[tokio::test]
async fn stored_secret_is_only_used_for_its_server() {
    let app = TestApp::new().await;
    put(&app, "fediverse", &mastodon()).await.expect_status(200);
    let mut changed = json!({"kind": "mastodon", "settings": {"server": "https://mastodon.example", "max_characters": 5000}});
    assert_eq!(put(&app, "fediverse", &changed).await.expect_status(200).body["text_limit"], 5000);
    changed["settings"]["server"] = json!("https://evil.example");
    let refused = put(&app, "fediverse", &changed).await.expect_problem(422, "invalid_request");
    assert_eq!(refused.faulty_fields(), ["settings.access_token"]);
    let kind = json!({"kind": "bluesky", "settings": {"identifier": "acme.example"}});
    let refused = put(&app, "fediverse", &kind).await.expect_problem(422, "invalid_request");
    assert_eq!(refused.faulty_fields(), ["settings.app_password"]);
}

#[tokio::test]
async fn all_errors_are_returned_at_once() {
    let app = TestApp::new().await;
    let bad = json!({"kind": "bluesky", "settings": {"server": "http://bsky.example", "app_password": "a b", "colour": 1}, "name": "x"});
    let refused = put(&app, "sky", &bad).await.expect_problem(422, "invalid_request");
    let mut fields = refused.faulty_fields();
    fields.sort_unstable();
    let wanted =
        ["name", "settings.app_password", "settings.colour", "settings.identifier", "settings.server"];
    assert_eq!(fields, wanted);
    for (bad, field) in [
        (json!({"settings": {}}), "kind"),
        (json!({"kind": "pigeon", "settings": {}}), "kind"),
        (json!({"kind": "feed", "settings": {}}), "kind"),
        (json!({"kind": "webhook"}), "settings.url"),
        (json!({"kind": "webhook", "settings": []}), "settings"),
    ] {
        let refused = put(&app, "sky", &bad).await.expect_problem(422, "invalid_request");
        assert!(refused.faulty_fields().contains(&field), "{bad}: {}", refused.text);
    }
    put(&app, "a%20b", &mastodon()).await.expect_problem(404, "not_found");
    put(&app, &"x".repeat(65), &mastodon()).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn feed_channel_cannot_be_changed_or_deleted() {
    let app = TestApp::new().await;
    let feed = get(&app, "feed").await.expect_status(200).body;
    assert_eq!((&feed["kind"], &feed["secret_set"]), (&json!("feed"), &json!(false)));
    put(&app, "feed", &json!({"kind": "feed", "settings": {}})).await.expect_status(200);
    put(&app, "feed", &mastodon()).await.expect_problem(409, "channel_fixed");
    delete(&app, "feed").await.expect_problem(409, "channel_fixed");
}

#[tokio::test]
async fn without_sealing_keys_no_secret_is_stored() {
    let app =
        TestApp::with(AppOptions { arguments: vec!["--reveal-keys=off".into()], ..AppOptions::default() })
            .await;
    let refused = put(&app, "fediverse", &mastodon()).await.expect_problem(409, "sealing_off");
    assert!(refused.body["detail"].as_str().unwrap().contains("SVC_REVEAL_KEYS"));
    put(&app, "hook", &webhook("https://hooks.example")).await.expect_problem(409, "sealing_off");
    assert_eq!(list(&app).await.body["channels"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn brand_has_at_most_twenty_channels() {
    let app = TestApp::new().await;
    for number in 0..20 {
        put(&app, &format!("hook-{number}"), &webhook("https://hooks.example")).await.expect_status(200);
    }
    put(&app, "one-more", &webhook("https://hooks.example"))
        .await
        .expect_problem(409, "channel_limit_reached");
    put(&app, "hook-7", &webhook("https://hooks.example/7")).await.expect_status(200);
}

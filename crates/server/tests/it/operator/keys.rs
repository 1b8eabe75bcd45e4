//! Keys over all brands: found, and revoked.

use serde_json::{Value, json};

use super::{all_pages, column};
use crate::support::{BRAND, OTHER_BRAND, TestApp};

#[tokio::test]
async fn keys_are_found_by_prefix_user_brand_and_status() {
    let app = TestApp::new().await;
    let mine = app.create_key(json!({"label": "mine"})).await;
    let other = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other"})).await;
    let paused = app.create_key(json!({"label": "paused"})).await;
    app.set_paused("ada", &paused.key_id, true).await.expect_status(200);
    let revoked = app.create_key(json!({"label": "revoked"})).await;
    app.revoke(&revoked.key_id).await;

    assert_eq!(all_pages(&app, "/api/admin/keys", "keys").await.len(), 4);
    let prefix = other.body["prefix"].as_str().unwrap();
    for (query, label) in [
        (format!("prefix={prefix}"), "other"),
        (format!("prefix={}", &prefix["svc_mcp_".len()..]), "other"),
        ("user=eve".to_owned(), "other"),
        (format!("brand={OTHER_BRAND}"), "other"),
        (format!("brand={BRAND}&status=active"), "mine"),
        ("status=paused".to_owned(), "paused"),
        ("status=revoked".to_owned(), "revoked"),
    ] {
        let found = app.operator_get(&format!("/api/admin/keys?{query}")).await.expect_status(200);
        assert_eq!(column(&found, "keys", "label"), [label], "{query}");
    }
    let none = app.operator_get(&format!("/api/admin/keys?prefix={prefix}&brand={BRAND}")).await;
    assert_eq!(none.expect_status(200).body, json!({"keys": [], "next_cursor": null}));
    assert!(mine.api_key.starts_with("svc_mcp_"));
    for wrong in ["prefix=", "status=gone", "user=%01"] {
        let reply = app.operator_get(&format!("/api/admin/keys?{wrong}")).await;
        reply.expect_problem(422, "invalid_request");
    }
    // A whole secret does not belong in a URL, also not of the operator.
    let pasted = app.operator_get(&format!("/api/admin/keys?prefix={}", mine.api_key)).await;
    pasted.expect_problem(400, "key_in_url");
}

#[tokio::test]
async fn whole_secret_is_found_and_a_wrong_one_is_told() {
    let app = TestApp::new().await;
    let key = app.create_key_as("eve", OTHER_BRAND, json!({"label": "leaked"})).await;
    let search =
        async |body: Value| app.post("/api/admin/keys/search").bearer(&app.operator()).json(&body).await;
    for secret in [key.api_key.clone(), format!("  {}\n", key.api_key)] {
        let found = search(json!({"secret": secret})).await.expect_status(200).body;
        assert_eq!((&found["key_id"], &found["brand_id"]), (&json!(key.key_id), &json!(OTHER_BRAND)));
        assert_eq!(found.get("api_key"), None);
    }
    let path = format!("/api/brands/{OTHER_BRAND}/mcp-keys/{}", key.key_id);
    app.delete(&path).bearer(&app.token("eve")).send().await.expect_status(204);
    let found = search(json!({"secret": key.api_key})).await.expect_status(200).body;
    assert_eq!(found["status"], "revoked", "a revoked key is found too");

    let mut mistyped = key.api_key.clone();
    let last = if mistyped.pop() == Some('0') { '1' } else { '0' };
    mistyped.push(last);
    for wrong in [mistyped.as_str(), &key.api_key[..50], "svc_mcp_", "hello"] {
        let reply = search(json!({"secret": wrong})).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), ["secret"]);
        assert!(reply.text.contains("checksum"), "{}", reply.text);
        assert!(!reply.text.contains(wrong) || wrong.len() < 10, "{}", reply.text);
    }
    let body = "0".repeat(43);
    let unknown = format!("svc_mcp_{body}{}", checksum(&body));
    search(json!({"secret": unknown})).await.expect_problem(404, "not_found");
    // Only this field may hold a key.
    let reply = search(json!({"secret": key.api_key, "note": key.api_key})).await;
    assert_eq!(reply.expect_problem(422, "invalid_request").faulty_fields(), ["note"]);
}

/// CRC-32 as six base62 digits.
fn checksum(body: &str) -> String {
    let mut crc = u32::MAX;
    for byte in body.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let mut number = !crc;
    let mut text = Vec::new();
    for _ in 0..6 {
        text.push(digits[(number % 62) as usize]);
        number /= 62;
    }
    text.into_iter().rev().collect()
}

#[tokio::test]
async fn operator_revokes_one_key_with_its_work() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a", "scope": "write"})).await;
    let post = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2027-01-01T00:00:00Z"});
    app.call(&key.api_key, "create_post", post).await.result();
    let path = format!("/api/admin/keys/{}/revoke", key.key_id);
    let answer = app.operator_post(&path).await.expect_status(200).body;
    assert_eq!((&answer["cancelled"]["posts"], &answer["already_sending"]["posts"]), (&json!(1), &json!(0)));
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    let again = app.operator_post(&path).await.expect_status(200).body;
    assert_eq!(again["cancelled"]["posts"], 0);
    app.operator_post("/api/admin/keys/key_none/revoke").await.expect_problem(404, "not_found");
    let events = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=revoked", key.key_id);
    let events = app.get(&events).bearer(&app.token("ada")).send().await.expect_status(200).body;
    assert_eq!(events["events"].as_array().unwrap().len(), 1, "{events}");
    assert_eq!(events["events"][0]["actor"], "olga", "{events}");
}

#[tokio::test]
async fn operator_revokes_all_keys_of_a_user_and_of_a_brand() {
    let app = TestApp::new().await;
    app.put_member(OTHER_BRAND, "ada", "member").await;
    let hers = app.create_key(json!({"label": "one"})).await;
    let elsewhere = app.create_key_as("ada", OTHER_BRAND, json!({"label": "two"})).await;
    let bens = app.create_key_as("ben", BRAND, json!({"label": "three"})).await;
    let eves = app.create_key_as("eve", OTHER_BRAND, json!({"label": "four"})).await;

    let answer = app.operator_post("/api/admin/users/ada/revoke-keys").await.expect_status(200).body;
    assert_eq!(answer["revoked"], 2, "{answer}");
    for key in [&hers, &elsewhere] {
        app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    }
    for key in [&bens, &eves] {
        app.list_tools(&key.api_key).await.expect_status(200);
    }
    let path = format!("/api/admin/brands/{BRAND}/revoke-keys");
    assert_eq!(app.operator_post(&path).await.expect_status(200).body["revoked"], 1);
    app.list_tools(&bens.api_key).await.expect_problem(401, "key_invalid");
    app.list_tools(&eves.api_key).await.expect_status(200);
    assert_eq!(app.operator_post(&path).await.expect_status(200).body["revoked"], 0);
    app.operator_post("/api/admin/brands/none/revoke-keys").await.expect_problem(404, "not_found");
    let nobody = app.operator_post("/api/admin/users/nobody/revoke-keys").await.expect_status(200).body;
    assert_eq!(nobody["revoked"], 0);
}

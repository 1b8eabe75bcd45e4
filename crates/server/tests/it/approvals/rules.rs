//! The rule of a key and the minimum of its brand.

use serde_json::{Value, json};

use super::{ApprovalsTest, is_held, new_key, now};
use crate::support::{BRAND, CreatedKey, OTHER_BRAND, Reply};

async fn publishes(test: &ApprovalsTest, key: &CreatedKey) -> bool {
    !is_held(&test.call(&key.api_key, "create_post", now("x")).await)
}

async fn drafts(test: &ApprovalsTest, key: &CreatedKey) -> bool {
    let draft = json!({"text": "x", "channels": ["feed"]});
    !is_held(&test.call(&key.api_key, "create_post", draft).await)
}

async fn set_rule(test: &ApprovalsTest, user: &str, key: &CreatedKey, rule: &str) -> Reply {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let request = test.app.request("PATCH", &path).bearer(&test.app.token(user));
    request.json(&json!({"approval": rule})).await
}

async fn rule_of(test: &ApprovalsTest, key: &CreatedKey) -> Value {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let key = test.app.get(&path).bearer(&test.app.token("ada")).send().await.expect_status(200);
    key.body["approval"].clone()
}

#[tokio::test]
async fn key_is_created_with_its_rule() {
    let test = ApprovalsTest::new().await;
    let default = test.app.create_key(json!({"label": "default"})).await;
    assert_eq!((&default.body["approval"], rule_of(&test, &default).await), (&json!("none"), json!("none")));
    for rule in ["none", "outward", "all"] {
        let key = new_key(&test.app, "ben", rule).await;
        assert_eq!((&key.body["approval"], rule_of(&test, &key).await), (&json!(rule), json!(rule)));
    }
    let path = format!("/api/brands/{BRAND}/mcp-keys");
    let wrong = test.app.post(&path).bearer(&test.app.token("ada"));
    let wrong = wrong.json(&json!({"label": "x", "approval": "some"})).await;
    assert_eq!(wrong.expect_problem(422, "invalid_request").faulty_fields(), ["approval"]);
}

#[tokio::test]
async fn minimum_of_the_brand_holds_for_every_key_at_once() {
    let test = ApprovalsTest::new().await;
    let keys = [new_key(&test.app, "ada", "none").await, new_key(&test.app, "ben", "none").await];
    for key in &keys {
        assert!(publishes(&test, key).await);
    }
    test.set_settings("ada", json!({"approval_minimum": "outward"})).await.expect_status(200);
    for key in &keys {
        assert!(!publishes(&test, key).await && drafts(&test, key).await);
        assert_eq!(rule_of(&test, key).await, "none", "the key keeps its own rule");
    }
    test.set_settings("ada", json!({"approval_minimum": "all"})).await.expect_status(200);
    for key in &keys {
        assert!(!publishes(&test, key).await && !drafts(&test, key).await);
    }
    test.set_settings("ada", json!({"approval_minimum": "none"})).await.expect_status(200);
    for key in &keys {
        assert!(publishes(&test, key).await);
    }
}

#[tokio::test]
async fn stricter_rule_of_a_key_stays() {
    let test = ApprovalsTest::new().await;
    let key = new_key(&test.app, "ada", "all").await;
    for minimum in ["outward", "none"] {
        test.set_settings("ada", json!({"approval_minimum": minimum})).await.expect_status(200);
        assert!(!drafts(&test, &key).await, "{minimum}");
    }
}

#[tokio::test]
async fn minimum_of_another_brand_changes_nothing() {
    let test = ApprovalsTest::new().await;
    let key = new_key(&test.app, "ada", "none").await;
    let theirs = format!("/api/brands/{OTHER_BRAND}/approval-settings");
    let request = test.app.request("PATCH", &theirs).bearer(&test.app.token("eve"));
    request.json(&json!({"approval_minimum": "all"})).await.expect_status(200);
    assert!(publishes(&test, &key).await);
}

#[tokio::test]
async fn only_administrators_change_the_settings() {
    let test = ApprovalsTest::new().await;
    let defaults = json!({"approval_minimum": "none", "approvers": "members", "emails": false});
    let path = format!("/api/brands/{BRAND}/approval-settings");
    let get = async |user: &str| test.app.get(&path).bearer(&test.app.token(user)).send().await;
    let strict = json!({"approval_minimum": "all"});
    test.set_settings("ben", strict.clone()).await.expect_problem(403, "not_admin");
    test.set_settings("eve", strict.clone()).await.expect_problem(404, "not_found");
    let with_key = test.app.request("PATCH", &path).bearer(&test.key.api_key);
    with_key.json(&strict).await.expect_problem(401, "token_invalid");
    get("eve").await.expect_problem(404, "not_found");
    for user in ["ada", "ben"] {
        assert_eq!(get(user).await.expect_status(200).body, defaults);
    }
    // A setting that is left out stays.
    let changed = test.set_settings("ada", strict).await.expect_status(200).body;
    assert_eq!(changed, json!({"approval_minimum": "all", "approvers": "members", "emails": false}));
    let changed = test.set_settings("ada", json!({"approvers": "admins"})).await.expect_status(200).body;
    assert_eq!(changed, json!({"approval_minimum": "all", "approvers": "admins", "emails": false}));
    assert_eq!(get("ben").await.body, changed);
    for (wrong, field) in [
        (json!({"approval_minimum": "some"}), "approval_minimum"),
        (json!({"approvers": "everybody"}), "approvers"),
        (json!({"minimum": "all"}), "minimum"),
    ] {
        let reply = test.set_settings("ada", wrong).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
}

#[tokio::test]
async fn administrator_tightens_the_rule_of_another_person_but_does_not_loosen_it() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "none").await;
    assert_eq!(set_rule(&test, "ada", &his, "outward").await.expect_status(200).body["approval"], "outward");
    assert!(!publishes(&test, &his).await, "it holds for the next call");
    set_rule(&test, "ada", &his, "none").await.expect_problem(403, "not_key_creator");
    assert_eq!(rule_of(&test, &his).await, "outward");
    set_rule(&test, "ada", &his, "all").await.expect_status(200);
    set_rule(&test, "ada", &his, "outward").await.expect_problem(403, "not_key_creator");
    assert_eq!(rule_of(&test, &his).await, "all");
}

#[tokio::test]
async fn creator_loosens_the_rule() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "all").await;
    for rule in ["outward", "none"] {
        assert_eq!(set_rule(&test, "ben", &his, rule).await.expect_status(200).body["approval"], rule);
    }
    assert!(publishes(&test, &his).await, "it holds for the next call");
    let event = test.event("updated").await;
    assert_eq!((&event["actor"], &event["key_id"]), (&json!("ben"), &json!(his.key_id)));
    set_rule(&test, "ben", &test.key, "all").await.expect_problem(403, "not_key_creator");
    assert_eq!(rule_of(&test, &test.key).await, "outward");
}

#[tokio::test]
async fn looser_rule_releases_no_call_that_waits() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    set_rule(&test, "ada", &test.key, "none").await.expect_status(200);
    test.assert_still_waits(&approval_id).await;
    test.look_and_approve("ada", &approval_id).await.expect_status(200);
    assert_eq!(test.feed().await, ["hello"]);
}

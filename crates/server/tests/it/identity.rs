//! User ids of the host application, in every place that has them.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use serde_json::{Value, json};
use svc_mcp_access::UserId;

use crate::support::{BRAND, TestApp, path_segment};

/// Ids that are hard for one of the places: paths, HTML, SQL, JSON, logs.
const HARD: [&str; 16] = [
    "auth0|507f1f77bcf86cd799439020",
    "ada.lovelace+mcp@example.com",
    "urn:example:user:1?x=1#y",
    "https://id.example/users/1;a=b",
    "../../etc/passwd",
    "a/b%2Fc",
    "%2e%2e",
    "{user_id}",
    "<img/src=x/onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE members;--",
    "\"\\u0000\\",
    "Jürgen|李雷",
    "नमस्ते",
    "שלום",
    "🦊",
];

/// The hard ones, the longest ones, and random ones.
fn user_ids() -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let random = std::iter::from_fn(|| Some("\\PC{1,60}".new_tree(&mut runner).unwrap().current()));
    let random = random.filter(|text| text.parse::<UserId>().is_ok()).take(12);
    let long = ["x".repeat(255), "é".repeat(255), "🦊".repeat(255)];
    let hard = HARD.iter().map(|text| text.replace(' ', "+"));
    hard.chain(long).chain(random).collect()
}

#[tokio::test]
async fn every_user_id_comes_back_from_token_path_database_and_activity() {
    let app = TestApp::new().await;
    for user in user_ids() {
        let path = format!("/api/admin/brands/{BRAND}/members/{}", path_segment(&user));
        let member = app.put(&path).bearer(&app.operator()).json(&json!({"role": "admin"})).await;
        assert_eq!(member.expect_status(200).body["user_id"], user.as_str());
        let token = app.token(&user);
        let get = async |path: &str| app.get(path).bearer(&token).send().await.expect_status(200).body;
        let me = get("/api/me").await;
        assert_eq!((&me["user_id"], &me["brands"][0]["role"]), (&json!(user), &json!("admin")));
        let members = get(&format!("/api/brands/{BRAND}/members")).await;
        let has_id = |member: &Value| member["user_id"] == user.as_str();
        assert_eq!(members["members"].as_array().unwrap().iter().filter(|member| has_id(member)).count(), 1);

        let key = app.create_key_as(&user, BRAND, json!({"label": "agent"})).await;
        assert_eq!(key.body["created_by"], user.as_str());
        app.list_tools(&key.api_key).await.expect_status(200);
        let paused = app.set_paused(&user, &key.key_id, true).await.expect_status(200).body;
        assert_eq!(paused["paused_by"], user.as_str());
        let activity =
            get(&format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=paused", key.key_id)).await;
        assert_eq!(activity["events"][0]["actor"], user.as_str(), "{activity}");
        app.set_paused(&user, &key.key_id, false).await.expect_status(200);

        app.remove_member(BRAND, &user).await;
        assert_eq!(get("/api/me").await["brands"], json!([]));
        app.list_tools(&key.api_key).await.expect_problem(403, "key_owner_removed");
        app.revoke(&key.key_id).await;
    }
}

#[tokio::test]
async fn similar_user_ids_are_different_people() {
    let app = TestApp::new().await;
    // Another case, another normal form, and the percent-encoded text.
    let pairs = [("Zoe", "zoe"), ("zo\u{e9}", "zoe\u{301}"), ("a|b", "a%7Cb"), ("cleo", "cleo/")];
    for (one, other) in pairs {
        app.put_member(BRAND, one, "admin").await;
        let me = app.get("/api/me").bearer(&app.token(other)).send().await.expect_status(200);
        assert_eq!(me.body["brands"], json!([]), "{one} {other}");
        let path = format!("/api/admin/brands/{BRAND}/members/{}", path_segment(other));
        app.delete(&path).bearer(&app.operator()).send().await.expect_status(204);
        let me = app.get("/api/me").bearer(&app.token(one)).send().await.expect_status(200);
        assert_eq!(me.body["brands"][0]["role"], "admin", "{one} {other}");
    }
}

#[tokio::test]
async fn answers_with_a_user_id_are_not_rendered_as_a_page() {
    let app = TestApp::new().await;
    let user = "<script>alert(1)</script>";
    app.put_member(BRAND, user, "admin").await;
    for path in ["/api/me".to_owned(), format!("/api/brands/{BRAND}/members")] {
        let reply = app.get(&path).bearer(&app.token(user)).send().await.expect_status(200);
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
}

use serde_json::{Value, json};

use super::{
    DELIVERIES, ENDPOINTS, EventReceiver, add_endpoint, app_with, get_endpoint, label, put_endpoint,
};
use crate::support::{AppOptions, TestApp};

#[tokio::test]
async fn secret_is_shown_once_and_can_be_replaced() {
    let app = TestApp::new().await;
    let body = json!({"url": "https://crm.example/events"});
    let created = put_endpoint(&app, "crm", body.clone()).await.expect_status(200);
    let secret = created.body["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_"), "{secret}");
    assert_eq!(created.header("cache-control"), "no-store");
    // No later change shows it again.
    let changed =
        put_endpoint(&app, "crm", json!({"url": "https://other.example/", "types": ["key.revoked"]}));
    let changed = changed.await.expect_status(200);
    assert_eq!((&changed.body["secret"], &changed.body["types"]), (&Value::Null, &json!(["key.revoked"])));
    let list = app.get(ENDPOINTS).bearer(&app.token("ada")).send().await.expect_status(200);
    for text in [&list.text, &get_endpoint(&app, "crm").await.to_string()] {
        assert!(!text.contains("whsec_"), "{text}");
    }
    let rotated = json!({"url": "https://crm.example/events", "rotate_secret": true});
    let rotated = put_endpoint(&app, "crm", rotated).await.expect_status(200);
    let new = rotated.body["secret"].as_str().unwrap();
    assert!(new.starts_with("whsec_") && new != secret);
    assert_eq!(rotated.body["created_at"], created.body["created_at"]);
}

#[tokio::test]
async fn endpoint_is_created_read_and_deleted() {
    let app = TestApp::new().await;
    put_endpoint(&app, "crm", json!({"url": "https://crm.example"})).await.expect_status(200);
    let endpoint = get_endpoint(&app, "crm").await;
    assert_eq!(
        (&endpoint["endpoint_id"], &endpoint["enabled"], &endpoint["types"], &endpoint["dropped"]),
        (&json!("crm"), &json!(true), &Value::Null, &json!(0))
    );
    let path = format!("{ENDPOINTS}/crm");
    for _ in 0..2 {
        app.delete(&path).bearer(&app.token("ada")).send().await.expect_status(204);
    }
    app.get(&path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    let list = app.get(ENDPOINTS).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!(list.body["event_endpoints"], json!([]));
}

#[tokio::test]
async fn bad_settings_are_refused() {
    let app = TestApp::new().await;
    for (body, field) in [
        (json!({}), "url"),
        (json!({"url": "ftp://crm.example"}), "url"),
        (json!({"url": "https://user:pw@crm.example"}), "url"),
        (json!({"url": "https://crm.example", "types": []}), "types"),
        (json!({"url": "https://crm.example", "types": ["plan.updated"]}), "types"),
        (json!({"url": "https://crm.example", "types": ["key.unknown"]}), "types"),
        (json!({"url": "https://crm.example", "enabled": "yes"}), "enabled"),
        (json!({"url": "https://crm.example", "secret": "mine"}), "secret"),
    ] {
        let reply = put_endpoint(&app, "crm", body.clone()).await.expect_problem(422, "invalid_request");
        assert!(reply.faulty_fields().iter().any(|name| name.starts_with(field)), "{body}: {}", reply.text);
    }
    let reserved = put_endpoint(&app, "operator", json!({"url": "https://crm.example"})).await;
    assert_eq!(reserved.expect_problem(422, "invalid_request").faulty_fields(), ["endpoint_id"]);
}

#[tokio::test]
async fn only_administrators_of_the_brand_manage_its_endpoints() {
    let receiver = EventReceiver::start().await;
    let app = app_with(Vec::new()).await;
    add_endpoint(&app, "crm", &receiver).await;
    app.key("read").await;
    let delivery = super::wait_for_deliveries(&app, "delivered", 1).await.remove(0);
    let resend = format!("{DELIVERIES}/{}/resend", delivery["delivery_id"].as_str().unwrap());
    let body = json!({"url": "https://evil.example"});
    for (user, status, code) in [("ben", 403, "not_admin"), ("eve", 404, "not_found")] {
        let token = app.token(user);
        let one = format!("{ENDPOINTS}/crm");
        for path in [ENDPOINTS, &one, DELIVERIES] {
            app.get(path).bearer(&token).send().await.expect_problem(status, code);
        }
        app.put(&one).bearer(&token).json(&body).await.expect_problem(status, code);
        app.delete(&one).bearer(&token).send().await.expect_problem(status, code);
        app.post(&resend).bearer(&token).send().await.expect_problem(status, code);
    }
    // The administrator of another brand cannot send it again through their own brand either.
    let other = resend.replace("acme", "umbrella");
    app.post(&other).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
    app.get("/api/admin/event-deliveries")
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(403, "not_operator");
    assert_eq!(get_endpoint(&app, "crm").await["url"], receiver.url);
}

#[tokio::test]
async fn brand_has_at_most_five_endpoints() {
    let app = TestApp::new().await;
    for name in ["a", "b", "c", "d", "e"] {
        put_endpoint(&app, name, json!({"url": "https://crm.example"})).await.expect_status(200);
    }
    let sixth = put_endpoint(&app, "f", json!({"url": "https://crm.example"})).await;
    sixth.expect_problem(409, "endpoint_limit_reached");
    put_endpoint(&app, "a", json!({"url": "https://new.example"})).await.expect_status(200);
}

#[tokio::test]
async fn without_sealing_no_endpoint_is_created() {
    let arguments = vec!["--reveal-keys=off".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let refused = put_endpoint(&app, "crm", json!({"url": "https://crm.example"})).await;
    refused.expect_problem(409, "sealing_off");
}

#[tokio::test]
async fn endpoint_gets_only_its_types_and_nothing_while_it_is_disabled() {
    let receiver = EventReceiver::start().await;
    let app = app_with(Vec::new()).await;
    let body = |enabled| json!({"url": receiver.url, "types": ["key.updated"], "enabled": enabled});
    put_endpoint(&app, "crm", body(true)).await.expect_status(200);
    let key = app.create_key(json!({"label": "one"})).await;
    label(&app, &key.key_id, "two").await;
    receiver.wait_for_count(1).await;
    put_endpoint(&app, "crm", body(false)).await.expect_status(200);
    label(&app, &key.key_id, "three").await;
    put_endpoint(&app, "crm", body(true)).await.expect_status(200);
    label(&app, &key.key_id, "four").await;
    let events = receiver.wait_for_count(2).await;
    let changed: Vec<Value> = events.iter().map(|event| event.body()["data"]["changed"].clone()).collect();
    assert_eq!(changed, [json!(["label"]), json!(["label"])]);
    assert_eq!(super::deliveries(&app, "").await.len(), 2);
}

//! The operator's API.

use serde_json::json;

use crate::support::{AppOptions, BRAND, TestApp};

#[tokio::test]
async fn plan_is_created_changed_and_deleted() {
    let app = TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await;
    let path = "/api/admin/plans/pro";
    app.get(path).bearer(&app.operator()).send().await.expect_problem(404, "not_found");
    for mcp_enabled in [true, false] {
        let body = json!({"name": "Pro", "mcp_enabled": mcp_enabled});
        let plan = app.put(path).bearer(&app.operator()).json(&body).await.expect_status(200).body;
        assert_eq!(plan, json!({"plan_id": "pro", "name": "Pro", "mcp_enabled": mcp_enabled}));
        assert_eq!(app.get(path).bearer(&app.operator()).send().await.body, plan);
    }
    app.put_brand("acme", "pro").await;
    app.delete(path).bearer(&app.operator()).send().await.expect_problem(409, "plan_in_use");
    app.put_plan("basic", true).await;
    app.put_brand("acme", "basic").await;
    app.delete(path).bearer(&app.operator()).send().await.expect_status(204);
    app.get(path).bearer(&app.operator()).send().await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn brand_needs_an_existing_plan_and_a_website() {
    let app = TestApp::new().await;
    let path = "/api/admin/brands/nova";
    let wrong = json!({"website": "nova", "plan_id": "no plan", "competitors": ["x"], "colour": 1});
    let reply =
        app.put(path).bearer(&app.operator()).json(&wrong).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["colour", "competitors[0]", "name", "plan_id", "website"]);
    let nowhere = json!({"name": "Nova", "website": "https://nova.example", "plan_id": "none"});
    let reply =
        app.put(path).bearer(&app.operator()).json(&nowhere).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["plan_id"]);
    app.get(path).bearer(&app.operator()).send().await.expect_problem(404, "not_found");
    let right = json!({"name": "Nova", "website": "https://nova.example", "plan_id": "business",
        "competitors": ["https://vega.example"]});
    app.put(path).bearer(&app.operator()).json(&right).await.expect_status(200);
    let renamed = json!({"name": "Nova 2", "website": "https://nova.example", "plan_id": "business"});
    let brand = app.put(path).bearer(&app.operator()).json(&renamed).await.expect_status(200).body;
    assert_eq!(brand["competitors"], json!(["https://vega.example"]), "missing fields are not changed");
}

#[tokio::test]
async fn member_is_added_changed_and_removed() {
    let app = TestApp::new().await;
    let path = format!("/api/admin/brands/{BRAND}/members/cleo");
    let wrong = json!({"role": "boss", "email": "nobody", "name": ""});
    let reply =
        app.put(&path).bearer(&app.operator()).json(&wrong).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["email", "name", "role"]);
    let me = || async { app.get("/api/me").bearer(&app.token("cleo")).send().await.expect_status(200).body };
    assert_eq!(me().await["brands"], json!([]));
    let member = json!({"role": "member", "email": "cleo@acme.example", "name": "Cleo"});
    app.put(&path).bearer(&app.operator()).json(&member).await.expect_status(200);
    assert_eq!(
        me().await,
        json!({"user_id": "cleo", "operator": false, "brands": [{"brand_id": "acme", "name": "acme", "role": "member",
            "plan": {"plan_id": "business", "name": "business"}, "mcp_active": true}]})
    );
    let members =
        app.get(&format!("/api/brands/{BRAND}/members")).bearer(&app.token("cleo")).send().await.body;
    assert_eq!(members["members"][2], json!({"user_id": "cleo", "role": "member", "name": "Cleo"}));
    for _ in 0..2 {
        app.delete(&path).bearer(&app.operator()).send().await.expect_status(204);
    }
    assert_eq!(me().await["brands"], json!([]));
    let nowhere = "/api/admin/brands/none/members/cleo";
    app.put(nowhere)
        .bearer(&app.operator())
        .json(&json!({"role": "member"}))
        .await
        .expect_problem(404, "not_found");
}

#[tokio::test]
async fn invalid_ids_are_not_found() {
    let app = TestApp::new().await;
    for id in ["a.b", "a%20b", "%2e%2e", &"x".repeat(65), "a%00b", "é"] {
        app.get(&format!("/api/admin/plans/{id}"))
            .bearer(&app.operator())
            .send()
            .await
            .expect_problem(404, "not_found");
        app.get(&format!("/api/brands/{id}/mcp-keys"))
            .bearer(&app.token("ada"))
            .send()
            .await
            .expect_problem(404, "not_found");
        let path = format!("/api/brands/{BRAND}/mcp-keys/{id}");
        app.get(&path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    }
}

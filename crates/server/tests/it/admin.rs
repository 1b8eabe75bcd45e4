//! The operator's API.

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, TestApp};

#[tokio::test]
async fn plan_is_created_changed_and_deleted() {
    let app = TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await;
    let path = "/api/admin/plans/pro";
    app.get(path).bearer(&app.operator()).send().await.expect_problem(404, "not_found");
    for mcp_enabled in [true, false] {
        let body = json!({"name": "Pro", "mcp_enabled": mcp_enabled});
        let plan = app.put(path).bearer(&app.operator()).json(&body).await.expect_status(200).body;
        assert_eq!(
            (&plan["plan_id"], &plan["name"], &plan["mcp_enabled"], plan.get("quotas")),
            (&json!("pro"), &json!("Pro"), &json!(mcp_enabled), None)
        );
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
async fn brand_has_a_language_and_a_time_zone() {
    let app = TestApp::new().await;
    let path = format!("/api/admin/brands/{BRAND}");
    let put = async |more: Value| {
        let mut body = json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        app.put(&path).bearer(&app.operator()).json(&body).await
    };
    let fresh = put(json!({})).await.expect_status(200).body;
    assert_eq!((fresh.get("language"), &fresh["time_zone"]), (None, &json!("UTC")));
    for (language, time_zone) in [("DE", "Berlin"), ("german", ""), ("de-AT", "+01:00"), ("", "Etc/Unknown")]
    {
        let reply = put(json!({"language": language, "time_zone": time_zone})).await;
        let reply = reply.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), ["language", "time_zone"]);
    }
    let set = put(json!({"language": "de", "time_zone": "europe/berlin"})).await.expect_status(200).body;
    assert_eq!((&set["language"], &set["time_zone"]), (&json!("de"), &json!("Europe/Berlin")));
    let kept = put(json!({})).await.expect_status(200).body;
    assert_eq!(kept, set, "missing fields are not changed");
}

#[tokio::test]
async fn administrator_sets_the_language_and_the_time_zone() {
    let app = TestApp::new().await;
    let path = format!("/api/brands/{BRAND}");
    let patch = async |body: Value| app.request("PATCH", &path).bearer(&app.token("ada")).json(&body).await;
    let wrong = patch(json!({"language": "DE", "time_zone": "Berlin", "name": "Mine"})).await;
    assert_eq!(
        wrong.expect_problem(422, "invalid_request").faulty_fields(),
        ["language", "name", "time_zone"]
    );
    let set = patch(json!({"time_zone": " america/new_york "})).await.expect_status(200).body;
    assert_eq!((set.get("language"), &set["time_zone"]), (None, &json!("America/New_York")));
    let set = patch(json!({"language": "en"})).await.expect_status(200).body;
    assert_eq!((&set["language"], &set["time_zone"]), (&json!("en"), &json!("America/New_York")));
    assert_eq!(app.get(&path).bearer(&app.token("ben")).send().await.expect_status(200).body, set);
    let operators = app.get(&format!("/api/admin/brands/{BRAND}")).bearer(&app.operator()).send().await.body;
    assert_eq!(operators, set);
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
async fn member_keeps_what_a_change_leaves_out() {
    let app = TestApp::new().await;
    let path = format!("/api/admin/brands/{BRAND}/members/cleo");
    let put = async |body: Value| app.put(&path).bearer(&app.operator()).json(&body).await;
    // A new member needs a role, and nobody is added without one.
    for body in [json!({}), json!({"name": "Cleo"}), json!({"role": null, "email": "cleo@acme.example"})] {
        let refused = put(body).await.expect_problem(422, "invalid_request");
        assert_eq!(refused.faulty_fields(), ["role"]);
    }
    let members = format!("/api/brands/{BRAND}/members");
    let list = app.get(&members).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!(list.body["members"].as_array().unwrap().len(), 2);
    let member = |role: &str, email: Value, name: Value| json!({"brand_id": BRAND, "user_id": "cleo", "role": role, "email": email, "name": name});
    for (body, expected) in [
        (json!({"role": "member"}), member("member", Value::Null, Value::Null)),
        (
            json!({"email": "cleo@acme.example", "name": "Cleo"}),
            member("member", json!("cleo@acme.example"), json!("Cleo")),
        ),
        (json!({"role": "admin"}), member("admin", json!("cleo@acme.example"), json!("Cleo"))),
        (json!({}), member("admin", json!("cleo@acme.example"), json!("Cleo"))),
        (json!({"role": null}), member("admin", json!("cleo@acme.example"), json!("Cleo"))),
        (json!({"email": null}), member("admin", Value::Null, json!("Cleo"))),
        (json!({"role": "member", "name": null}), member("member", Value::Null, Value::Null)),
    ] {
        assert_eq!(put(body.clone()).await.expect_status(200).body, expected, "{body}");
    }
}

#[tokio::test]
async fn invalid_user_ids_are_not_found() {
    let app = TestApp::new().await;
    for user in ["%20", "a%20b", "a%0Ab", "a%00b", "%E2%80%8B", "a%FFb", &"x".repeat(256)] {
        let path = format!("/api/admin/brands/{BRAND}/members/{user}");
        let put = app.put(&path).bearer(&app.operator()).json(&json!({"role": "member"})).await;
        put.expect_problem(404, "not_found");
        app.delete(&path).bearer(&app.operator()).send().await.expect_problem(404, "not_found");
    }
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

//! Plans, brands, members and users.

use serde_json::{Value, json};

use super::{all_pages, column};
use crate::support::{BRAND, OTHER_BRAND, TestApp};

fn ids(rows: &[Value], field: &str) -> Vec<String> {
    rows.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn plans_and_brands_are_listed_in_pages() {
    let app = TestApp::new().await;
    for brand in ["b1", "b2", "b3"] {
        app.put_brand(brand, "starter").await;
    }
    let plans = all_pages(&app, "/api/admin/plans", "plans").await;
    assert_eq!(ids(&plans, "plan_id"), ["business", "starter"]);
    let plan = app.operator_get("/api/admin/plans/starter").await.expect_status(200).body;
    assert_eq!(plans[1], plan, "a list shows the same as one plan");
    let brands = all_pages(&app, "/api/admin/brands", "brands").await;
    assert_eq!(ids(&brands, "brand_id"), [BRAND, "b1", "b2", "b3", OTHER_BRAND]);
    let one = app.operator_get("/api/admin/brands/b1").await.expect_status(200).body;
    assert_eq!(brands[1], one, "a list shows the same as one brand");
    assert_eq!(one["status"], "active");
    let on_plan = all_pages(&app, "/api/admin/brands?plan=starter", "brands").await;
    assert_eq!(ids(&on_plan, "brand_id"), ["b1", "b2", "b3"]);
}

#[tokio::test]
async fn brands_are_found_by_the_beginning_of_id_or_name() {
    let app = TestApp::new().await;
    let body = json!({"name": "Acme Tea", "website": "https://tea.example", "plan_id": "business"});
    let path = "/api/admin/brands/tea-shop";
    app.put(path).bearer(&app.operator()).json(&body).await.expect_status(200);
    for (query, expected) in [
        ("q=ACM", &["acme", "tea-shop"][..]),
        ("q=acme%20t", &["tea-shop"]),
        ("q=tea", &["tea-shop"]),
        ("q=shop", &[]),
        ("q=%25", &[]),
        ("q=acme&status=suspended", &[]),
        ("q=acme&plan=starter", &[]),
    ] {
        let found = app.operator_get(&format!("/api/admin/brands?{query}")).await.expect_status(200);
        assert_eq!(column(&found, "brands", "brand_id"), expected, "{query}");
    }
    for wrong in ["q=", "status=paused", "plan=a%20b", "limit=0", "limit=101", "cursor=%21", "name=x"] {
        let reply = app.operator_get(&format!("/api/admin/brands?{wrong}")).await;
        reply.expect_problem(422, "invalid_request");
    }
}

#[tokio::test]
async fn members_users_and_their_brands_are_listed() {
    let app = TestApp::new().await;
    let path = format!("/api/admin/brands/{OTHER_BRAND}/members/ada");
    let member = json!({"role": "member", "email": "countess@acme.example", "name": "Ada"});
    app.put(&path).bearer(&app.operator()).json(&member).await.expect_status(200);

    let members = all_pages(&app, &format!("/api/admin/brands/{OTHER_BRAND}/members"), "members").await;
    assert_eq!(ids(&members, "user_id"), ["ada", "eve"]);
    assert_eq!(members[0]["email"], "countess@acme.example");
    app.operator_get("/api/admin/brands/none/members").await.expect_problem(404, "not_found");

    let users = all_pages(&app, "/api/admin/users", "users").await;
    assert_eq!(ids(&users, "user_id"), ["ada", "ben", "eve"]);
    assert_eq!(users[0]["brands"], 2);
    for (q, expected) in [("AD", &["ada"][..]), ("countess@", &["ada"]), ("nobody", &[])] {
        let found = app.operator_get(&format!("/api/admin/users?q={q}")).await.expect_status(200);
        assert_eq!(column(&found, "users", "user_id"), expected, "{q}");
    }
    let brands = all_pages(&app, "/api/admin/users/ada/brands", "brands").await;
    assert_eq!(ids(&brands, "brand_id"), [BRAND, OTHER_BRAND]);
    assert_eq!(ids(&brands, "role"), ["admin", "member"]);
    let nobody = app.operator_get("/api/admin/users/nobody/brands").await.expect_status(200);
    assert_eq!(nobody.body["brands"], json!([]), "and nobody is created");
    assert_eq!(all_pages(&app, "/api/admin/users", "users").await.len(), 3);
}

#[tokio::test]
async fn approvals_of_all_brands_are_listed_without_their_arguments() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "asks", "scope": "write", "approval": "outward"})).await;
    let post = json!({"text": "secret plans", "channels": ["feed"], "mode": "now"});
    let held = app.call(&key.api_key, "create_post", post).await;
    let approval_id = held.result()["approval_id"].clone();
    for query in ["", "?status=pending", "?brand=acme", "?brand=acme&status=pending"] {
        let list = app.operator_get(&format!("/api/admin/approvals{query}")).await.expect_status(200);
        let approval = &list.body["approvals"][0];
        assert_eq!((&approval["approval_id"], &approval["brand_id"]), (&approval_id, &json!(BRAND)));
        assert_eq!((&approval["key_id"], &approval["status"]), (&json!(key.key_id), &json!("pending")));
        assert!(!list.text.contains("secret plans"), "{}", list.text);
    }
    for query in ["?status=done", "?status=expired", "?brand=umbrella"] {
        let list = app.operator_get(&format!("/api/admin/approvals{query}")).await.expect_status(200);
        assert_eq!(list.body["approvals"], json!([]), "{query}");
    }
    app.clock.advance(std::time::Duration::from_hours(73));
    let list = app.operator_get("/api/admin/approvals?status=expired").await.expect_status(200);
    assert_eq!(column(&list, "approvals", "status"), ["expired"]);
}

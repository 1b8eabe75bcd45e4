//! Exporting and erasing a brand.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::eventually;

use crate::support::{BRAND, OTHER_BRAND, TestApp};

fn brand_path() -> String {
    format!("/api/admin/brands/{BRAND}")
}

#[tokio::test]
async fn erased_brand_is_gone_and_the_receipt_stays() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let other = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other", "scope": "write"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
    for key in [&key, &other.api_key] {
        app.call(key, "create_post", post.clone()).await.expect_ok();
    }
    let operator = app.operator();
    let erase = async || app.delete(&brand_path()).bearer(&operator).send().await.expect_status(202).body;
    let receipt = erase().await;
    assert_eq!((&receipt["kind"], &receipt["subject"]), (&json!("brand"), &json!(BRAND)));
    assert_eq!((&receipt["status"], &receipt["finished_at"]), (&json!("erasing"), &Value::Null));

    // From now on nothing acts for the brand.
    app.list_tools(&key).await.expect_problem(401, "key_invalid");
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    app.get(&keys).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");

    eventually("all rows are deleted", async || {
        app.get("/api/admin/brands").bearer(&operator).send().await.expect_status(200);
        let reply = app.get(&brand_path()).bearer(&operator).send().await;
        assert!([200, 404].contains(&reply.status), "{}", reply.text);
        (reply.status == 404).then_some(())
    })
    .await;
    app.get(&format!("/feeds/{BRAND}/feed.json")).send().await.expect_status(404);
    let receipt_path = format!("/api/admin/erasures/{}", receipt["receipt_id"].as_str().unwrap());
    let receipt = eventually("the second search", async || {
        app.clock.advance(Duration::from_mins(1));
        let receipt = app.get(&receipt_path).bearer(&app.operator()).send().await.expect_status(200).body;
        (receipt["status"] == "done").then_some(receipt)
    })
    .await;
    assert!(receipt["deleted_rows"].as_u64().unwrap() > 3, "{receipt}");
    let list = app.get("/api/admin/erasures").bearer(&app.operator()).send().await.expect_status(200).body;
    assert_eq!(list["erasures"], json!([receipt]));
    let again = app.delete(&brand_path()).bearer(&app.operator()).send().await.expect_status(202).body;
    assert_eq!(again, receipt, "the same receipt");

    // The id stays unused, and the other brand has lost nothing.
    let body = json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business"});
    let refused = app.put(&brand_path()).bearer(&app.operator()).json(&body).await;
    refused.expect_problem(409, "brand_erased");
    app.list_tools(&other.api_key).await.expect_status(200);
    app.get(&format!("/feeds/{OTHER_BRAND}/feed.json")).send().await.expect_status(200);
}

#[tokio::test]
async fn brand_that_does_not_exist_is_neither_erased_nor_exported() {
    let app = TestApp::new().await;
    let operator = app.operator();
    app.delete("/api/admin/brands/none").bearer(&operator).send().await.expect_problem(404, "not_found");
    let export = app.get("/api/admin/brands/none/export").bearer(&operator).send().await;
    export.expect_problem(404, "not_found");
    let receipt = app.get("/api/admin/erasures/era_none").bearer(&operator).send().await;
    receipt.expect_problem(404, "not_found");
}

#[tokio::test]
async fn export_has_all_rows_and_no_secret() {
    let app = TestApp::new().await;
    let created = app.create_key(json!({"label": "exported", "scope": "write"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "draft"});
    app.call(&created.api_key, "create_post", post).await.expect_ok();
    let reply = app.get(&format!("{}/export", brand_path())).bearer(&app.operator()).send().await;
    assert_eq!(reply.header("content-type"), "application/x-ndjson");
    let text = reply.expect_status(200).text;
    assert!(!text.contains(&created.api_key));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [header, rows @ .., end] = &lines[..] else { panic!("{text}") };
    assert_eq!((&header["export"], &header["brand_id"]), (&json!("svc-mcp brand"), &json!(BRAND)));
    assert_eq!(end, &json!({"rows": rows.len()}));
    assert!(rows.iter().all(|row| row["row"]["brand_id"] == BRAND), "{text}");
    let tables: Vec<&str> = rows.iter().map(|row| row["table"].as_str().unwrap()).collect();
    for table in ["brands", "members", "keys", "posts", "post_targets", "activity"] {
        assert!(tables.contains(&table), "{table}: {tables:?}");
    }
}

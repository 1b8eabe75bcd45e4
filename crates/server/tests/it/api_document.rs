//! The API document describes exactly the routes that exist.

use std::{fs, path::Path};

use serde_json::Value;
use svc_mcp::http::router;

use crate::support::{AppOptions, TestApp};

fn document() -> Value {
    router::document()
}

#[tokio::test]
async fn it_is_served_as_openapi_3_1_and_for_people() {
    let app = TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await;
    let served = app.get("/openapi.json").send().await.expect_status(200);
    assert!(served.body["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(served.body, document());
    let page = app.get("/docs").send().await.expect_status(200);
    assert!(page.text.contains("id=\"reference\"") && page.text.contains("id=\"error-rate_limited\""));
    assert!(!page.text.contains("//"), "it must work without the internet: {}", page.text);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn the_files_of_the_reference_are_served_with_and_without_gzip() {
    let app = TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await;
    let get = |file: &str| app.get(&format!("/docs/assets/{file}"));
    let plain = get("swagger-ui.css").send().await.expect_status(200);
    assert!(plain.text.contains(".swagger-ui") && plain.header("content-encoding").is_empty());
    for file in ["swagger-ui-bundle.js", "swagger-ui.css"] {
        let packed = get(file).header("accept-encoding", "gzip").send().await.expect_status(200);
        assert_eq!(packed.header("content-encoding"), "gzip");
    }
    get("../router.rs").send().await.expect_status(404);
    get("no.js").send().await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn every_documented_route_exists() {
    let app = TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await;
    for (path, item) in document()["paths"].as_object().unwrap() {
        let address = path.replace(['{', '}'], "");
        for method in item.as_object().unwrap().keys() {
            let reply = app.request(&method.to_uppercase(), &address).send().await;
            let missing = reply.status == 405 || reply.text.contains("no such address");
            assert!(!missing, "{method} {path}: {}", reply.text);
        }
    }
}

/// Only the list of operations, which is also the document, makes routes.
#[test]
fn no_route_is_missing_from_the_document() {
    fn visit(dir: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else {
                let routes = fs::read_to_string(&path).unwrap().matches(".route(").count();
                found.extend(vec![path.display().to_string(); routes]);
            }
        }
    }
    let mut found = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http"), &mut found);
    assert!(matches!(&found[..], [only] if only.ends_with("router.rs")), "{found:?}");
}

#[test]
fn every_operation_is_described_and_every_reference_leads_somewhere() {
    let document = document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["summary"].as_str().is_some_and(|text| text.len() > 3), "{method} {path}");
            assert!(operation["responses"]["default"].is_object(), "{method} {path} has no error answer");
            assert!(operation["security"].is_array(), "{method} {path} does not say who may use it");
        }
    }
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name} is not there");
    }
}

#[tokio::test]
async fn the_fields_of_bodies_are_the_documented_ones() {
    let app = TestApp::new().await;
    let key = format!(
        "/api/brands/acme/mcp-keys/{}",
        app.create_key(serde_json::json!({"label": "a"})).await.key_id
    );
    for (method, path, schema, token) in [
        ("PATCH", key.as_str(), "UpdateKey", app.token("ada")),
        ("POST", "/api/brands/acme/mcp-keys", "CreateKey", app.token("ada")),
        ("PATCH", "/api/brands/acme/posts/post_none", "PatchPost", app.token("ada")),
        ("PUT", "/api/admin/plans/business", "PutPlan", app.operator()),
        ("PUT", "/api/admin/brands/acme", "PutBrand", app.operator()),
        ("PUT", "/api/admin/brands/acme/members/ben", "PutMember", app.operator()),
    ] {
        let properties =
            document()["components"]["schemas"][schema]["properties"].as_object().unwrap().clone();
        // A negative number fits none of the fields: each known one is told as wrong, an unknown one as not known.
        let wrong: Value = properties
            .keys()
            .map(|name| (name.clone(), Value::from(-7)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let reply = app
            .request(method, path)
            .bearer(&token)
            .json(&wrong)
            .await
            .expect_problem(422, "invalid_request");
        for error in reply.body["errors"].as_array().unwrap() {
            let message = error["message"].as_str().unwrap();
            assert!(!message.starts_with("is not known here"), "{schema} documents {}", error["field"]);
        }
        assert_eq!(reply.faulty_fields().len(), properties.len(), "{schema}: {}", reply.text);
    }
}

//! What is open to everybody.

use std::path::Path;

use serde_json::Value;

use crate::support::{AppOptions, TestApp};

async fn empty() -> TestApp {
    TestApp::with(AppOptions { empty: true, ..AppOptions::default() }).await
}

#[tokio::test]
async fn the_settings_page_comes_with_a_strict_policy() {
    let app = empty().await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    app.get("/settings/assets/nothing.js").send().await.expect_problem(404, "not_found");
    app.get("/settings/assets/..%2f..%2fCargo.toml").send().await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn the_root_leads_to_the_settings_page() {
    let app = empty().await;
    let root = app.get("/").send().await.expect_status(307);
    assert_eq!(root.header("location"), "settings/mcp");
}

#[tokio::test]
async fn the_settings_page_names_where_people_sign_in() {
    let app = empty().await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    assert!(page.text.contains(r#"<meta name="login-url" content="">"#), "{}", page.text);
    let url = "https://app.example/login?a=1&b='\"<x>";
    let arguments = vec![format!("--login-url={url}")];
    let app = TestApp::with(AppOptions { empty: true, arguments, ..AppOptions::default() }).await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    let meta = r#"<meta name="login-url" content="https://app.example/login?a=1&amp;b=%27%22%3Cx%3E">"#;
    assert!(page.text.contains(meta), "{}", page.text);
}

#[tokio::test]
async fn only_named_origins_may_show_the_settings_page_in_a_frame() {
    let app = empty().await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none';"), "{:?}", page.headers);
    assert_eq!(page.header("x-frame-options"), "DENY");
    assert!(page.text.contains(r#"<meta name="frame-ancestors" content="">"#), "{}", page.text);
    let arguments = vec!["--frame-ancestors=https://app.example,http://127.0.0.1:3000".to_owned()];
    let app = TestApp::with(AppOptions { empty: true, arguments, ..AppOptions::default() }).await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-ancestors https://app.example http://127.0.0.1:3000;"), "{policy}");
    assert!(policy.contains("script-src 'self';"), "{policy}");
    assert_eq!(page.headers.get("x-frame-options"), None);
    let meta = r#"<meta name="frame-ancestors" content="https://app.example http://127.0.0.1:3000">"#;
    assert!(page.text.contains(meta), "{}", page.text);
    // Nothing else can be shown in a frame, and the operator's console never.
    for other in ["/operator", "/docs"] {
        let page = app.get(other).send().await.expect_status(200);
        assert_eq!(page.header("x-frame-options"), "DENY", "{other}");
        let policy = page.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{other}: {policy}");
    }
}

#[tokio::test]
async fn the_settings_page_has_the_look_that_the_operator_sets() {
    let app = empty().await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    for name in ["page-name", "page-logo-url", "page-accent", "page-accent-text", "page-back-url"] {
        assert!(page.text.contains(&format!(r#"<meta name="{name}" content="">"#)), "{name}: {}", page.text);
    }
    assert!(page.header("content-security-policy").contains("img-src 'self' data:;"), "{:?}", page.headers);
    let arguments = [
        r#"--page-name=Acme "Suite" & <more>"#,
        "--page-logo-url=https://cdn.example:8443/logo.svg?v=1&w=2",
        "--page-accent=#FFCC00",
        "--page-back-url=https://app.example/settings",
    ];
    let arguments = arguments.map(str::to_owned).to_vec();
    let app = TestApp::with(AppOptions { empty: true, arguments, ..AppOptions::default() }).await;
    let page = app.get("/settings/mcp").send().await.expect_status(200);
    for (name, content) in [
        ("page-name", "Acme &quot;Suite&quot; &amp; &lt;more&gt;"),
        ("page-logo-url", "https://cdn.example:8443/logo.svg?v=1&amp;w=2"),
        ("page-accent", "#ffcc00"),
        ("page-accent-text", "#000000"),
        ("page-back-url", "https://app.example/settings"),
    ] {
        let meta = format!(r#"<meta name="{name}" content="{content}">"#);
        assert!(page.text.contains(&meta), "{meta}: {}", page.text);
    }
    let policy = page.header("content-security-policy");
    assert!(policy.contains("img-src 'self' data: https://cdn.example:8443;"), "{policy}");
}

#[tokio::test]
async fn the_bridge_is_offered_with_its_sum() {
    let app = empty().await;
    let script = app.get("/bridge/svc_mcp_stdio.py").send().await.expect_status(200);
    assert_eq!(script.text, include_str!("../../../../bridge/svc_mcp_stdio.py"));
    let sum = app.get("/bridge/svc_mcp_stdio.py.sha256").send().await.expect_status(200).text;
    assert_eq!(sum, format!("{}  svc_mcp_stdio.py\n", script.header("x-checksum-sha256")));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("svc_mcp_stdio.py"), &script.text).unwrap();
    std::fs::write(dir.path().join("sum"), &sum).unwrap();
    run_in(dir.path(), "sha256sum", &["-c", "sum"]);
}

#[tokio::test]
async fn the_bundle_is_offered_with_its_sum() {
    let app = empty().await;
    let bundle = app.get("/bridge/svc-mcp.mcpb").send().await.expect_status(200);
    assert_eq!(bundle.header("content-disposition"), "attachment; filename=\"svc-mcp.mcpb\"");
    let sum = app.get("/bridge/svc-mcp.mcpb.sha256").send().await.expect_status(200).text;
    assert_eq!(sum, format!("{}  svc-mcp.mcpb\n", bundle.header("x-checksum-sha256")));
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("svc-mcp.mcpb"), &bundle.bytes).unwrap();
    std::fs::write(path("sum"), &sum).unwrap();
    run_in(dir.path(), "sha256sum", &["-c", "sum"]);

    run_in(dir.path(), "python3", &["-m", "zipfile", "-e", "svc-mcp.mcpb", "unpacked"]);
    let script = std::fs::read_to_string(path("unpacked/svc_mcp_stdio.py")).unwrap();
    assert_eq!(script, include_str!("../../../../bridge/svc_mcp_stdio.py"));
    let manifest = std::fs::read_to_string(path("unpacked/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["user_config"]["address"]["default"], app.url.as_str());
    assert_eq!(manifest["user_config"]["api_key"]["sensitive"], true);
    assert_eq!(manifest["user_config"]["api_key"].get("default"), None);
    assert_eq!(std::fs::read_dir(path("unpacked")).unwrap().count(), 2);
}

#[tokio::test]
async fn the_bundle_is_the_same_for_every_request() {
    let app = empty().await;
    let get = || app.get("/bridge/svc-mcp.mcpb");
    let bundle = get().send().await.expect_status(200);
    for name in ["host", "x-forwarded-host", "forwarded", "x-forwarded-proto", "origin", "referer"] {
        let again = get().header(name, "attacker.example").send().await.expect_status(200);
        assert_eq!(again.bytes, bundle.bytes, "{name} must not reach the bundle");
    }
    let known = get().header("if-none-match", bundle.header("etag")).send().await.expect_status(304);
    assert!(known.bytes.is_empty());
}

fn run_in(dir: &Path, program: &str, arguments: &[&str]) {
    let status = std::process::Command::new(program).args(arguments).current_dir(dir).status();
    assert!(status.unwrap().success(), "{program} {arguments:?}");
}

#[tokio::test]
async fn health_and_readiness() {
    let app = empty().await;
    assert_eq!(app.get("/healthz").send().await.expect_status(200).text, "ok\n");
    assert_eq!(app.get("/readyz").send().await.expect_status(200).text, "ready\n");
    app.stop().await;
}

//! What is open to everybody.

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
async fn the_bridge_is_offered_with_its_sum() {
    let app = empty().await;
    let script = app.get("/bridge/svc_mcp_stdio.py").send().await.expect_status(200);
    assert_eq!(script.text, include_str!("../../../../bridge/svc_mcp_stdio.py"));
    let sum = app.get("/bridge/svc_mcp_stdio.py.sha256").send().await.expect_status(200).text;
    assert_eq!(sum, format!("{}  svc_mcp_stdio.py\n", script.header("x-checksum-sha256")));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("svc_mcp_stdio.py"), &script.text).unwrap();
    std::fs::write(dir.path().join("sum"), &sum).unwrap();
    let checked =
        std::process::Command::new("sha256sum").args(["-c", "sum"]).current_dir(dir.path()).status();
    assert!(checked.unwrap().success());
}

#[tokio::test]
async fn health_and_readiness() {
    let app = empty().await;
    assert_eq!(app.get("/healthz").send().await.expect_status(200).text, "ok\n");
    assert_eq!(app.get("/readyz").send().await.expect_status(200).text, "ready\n");
    app.stop().await;
}

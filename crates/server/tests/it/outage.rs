//! The store goes away and comes back.

use std::time::Duration;

use serde_json::json;
use svc_mcp_testkit::Postgres;

use crate::support::{BRAND, TestApp, Wishes};

#[tokio::test]
async fn while_the_store_is_down_it_is_503_and_nothing_is_half_done() {
    let mut postgres = Postgres::start();
    let arguments = vec![format!("--database-url={}", postgres.fresh_database())];
    let app = TestApp::with(Wishes { arguments, local_limit: true, ..Wishes::default() }).await;
    let key = app.key("write").await;
    let post = json!({"text": "once", "channels": ["feed"], "mode": "now"});
    app.call(&key, "create_post", post.clone()).await.result();
    postgres.stop();
    for reply in [
        app.call(&key, "create_post", post.clone()).await,
        app.get(&format!("/api/brands/{BRAND}/mcp-keys")).bearer(&app.token("ada")).send().await,
        app.get("/feeds/acme/feed.json").send().await,
    ] {
        let reply = reply.expect_problem(503, "unavailable");
        assert_eq!(reply.header("retry-after"), "2");
    }
    app.get("/healthz").send().await.expect_status(200);
    becomes_ready(&app, 503).await;
    // Once the service has noticed that it is blind, it trusts nothing it remembers.
    let mut last = 200;
    for _ in 0..50 {
        last = app.list_tools(&key).await.status;
        if last == 503 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(last, 503);
    postgres.start_again();
    becomes_ready(&app, 200).await;
    let posts = app.call(&key, "list_posts", json!({})).await;
    assert_eq!(posts.result()["total"], 1);
    app.call(&key, "create_post", post).await.result();
}

/// It looks twice a second.
async fn becomes_ready(app: &TestApp, status: u16) {
    for _ in 0..100 {
        if app.get("/readyz").send().await.status == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("/readyz does not become {status}");
}

//! PostgreSQL stops and starts again.

use serde_json::json;
use svc_mcp_testkit::Postgres;

use crate::support::{AppOptions, BRAND, TestApp, eventually, eventually_with_key};

#[tokio::test]
async fn requests_are_answered_503_while_the_store_is_down() {
    let mut postgres = Postgres::start();
    let arguments = vec![format!("--database-url={}", postgres.fresh_database())];
    let app = TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await;
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
    wait_for_readyz(&app, 503).await;
    // A service without its store does not trust its cache.
    eventually_with_key("503 for a cached key", async || {
        (app.list_tools(&key).await.status == 503).then_some(())
    })
    .await;
    postgres.start_again();
    wait_for_readyz(&app, 200).await;
    let posts = app.call(&key, "list_posts", json!({})).await;
    assert_eq!(posts.result()["total"], 1);
    app.call(&key, "create_post", post).await.result();
}

async fn wait_for_readyz(app: &TestApp, status: u16) {
    eventually(&format!("{status} from /readyz"), async || {
        (app.get("/readyz").send().await.status == status).then_some(())
    })
    .await;
}

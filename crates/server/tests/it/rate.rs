//! 60 admitted requests in any 60 seconds for each key, and 120 for each user of the management API.

use std::time::Duration;

use serde_json::json;

use crate::support::{AppOptions, BRAND, TestApp};

#[tokio::test]
async fn exactly_sixty_of_two_hundred_concurrent_requests_are_admitted() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    // Two of the sixty fill the cache. Otherwise concurrent requests to a slow database are shed.
    app.list_tools(&key).await.expect_status(200);
    app.call(&key, "get_brand", json!({})).await.expect_status(200);
    let requests = (0..200).map(|number| {
        let (app, key) = (&app, &key);
        async move {
            // Lists and calls have one limit.
            if number % 2 == 0 {
                app.list_tools(key).await
            } else {
                app.call(key, "get_brand", json!({})).await
            }
            .status
        }
    });
    let statuses = futures_util::future::join_all(requests).await;
    let count = |status| statuses.iter().filter(|one| **one == status).count();
    assert_eq!((count(200), count(429)), (58, 142), "{statuses:?}");
}

#[tokio::test]
async fn window_slides_and_retry_after_is_sufficient() {
    let app = TestApp::with_local_rate_limit().await;
    let key = app.key("read").await;
    for left in (30..60).rev() {
        assert_eq!(app.list_tools(&key).await.expect_status(200).remaining(), left);
    }
    app.clock.advance(Duration::from_millis(20_500));
    for left in (0..30).rev() {
        assert_eq!(app.list_tools(&key).await.expect_status(200).remaining(), left);
    }
    let refused = app.list_tools(&key).await.expect_problem(429, "rate_limited");
    assert_eq!(refused.header("ratelimit-policy"), r#""key";q=60;w=60"#);
    assert_eq!(refused.header("ratelimit"), r#""key";r=0;t=40"#);
    assert_eq!(refused.header("retry-after"), "40");
    app.clock.advance(Duration::from_millis(39_499));
    app.list_tools(&key).await.expect_problem(429, "rate_limited");
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(app.list_tools(&key).await.expect_status(200).remaining(), 29);
}

#[tokio::test]
async fn every_response_to_a_valid_key_has_the_limit() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let answers = [
        app.call(&key, "get_brand", json!({})).await.expect_status(200),
        app.call(&key, "get_post", json!({"post_id": "none"})).await.expect_status(200),
        app.call(&key, "no_such_tool", json!({})).await.expect_problem(404, "unknown_tool"),
        app.call(&key, "create_post", json!({})).await.expect_problem(403, "insufficient_scope"),
        app.call(&key, "get_post", json!({})).await.expect_problem(422, "invalid_arguments"),
        app.post("/mcp/v1/tools/call")
            .bearer(&key)
            .body("{")
            .await
            .expect_problem(415, "unsupported_media_type"),
    ];
    for (used, answer) in (1..).zip(answers) {
        assert_eq!(answer.remaining(), 60 - used);
        assert_eq!(answer.header("ratelimit-policy"), r#""key";q=60;w=60"#);
    }
}

#[tokio::test]
async fn each_key_has_its_own_limit() {
    let app = TestApp::new().await;
    let (one, other) = (app.key("read").await, app.key("read").await);
    for _ in 0..60 {
        app.list_tools(&one).await.expect_status(200);
    }
    app.list_tools(&one).await.expect_problem(429, "rate_limited");
    assert_eq!(app.list_tools(&other).await.expect_status(200).remaining(), 59);
}

#[tokio::test]
async fn each_user_of_the_management_api_has_a_limit() {
    let arguments = vec!["--management-limit=120".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let token = app.token("ada");
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    // Also requests that are refused for other reasons.
    let paths = ["/api/me", "/api/tools", &keys, "/api/brands/nowhere/mcp-keys", "/api/admin/plans/business"];
    for path in paths.iter().cycle().take(120) {
        let status = app.get(path).bearer(&token).send().await.status;
        assert!([200, 403, 404].contains(&status), "{status} from {path}");
    }
    app.clock.advance(Duration::from_millis(20_500));
    // Another token of the same user has the same limit.
    let refused =
        app.get("/api/me").bearer(&app.token("ada")).send().await.expect_problem(429, "rate_limited");
    assert_eq!(refused.header("ratelimit-policy"), r#""user";q=120;w=60"#);
    assert_eq!(refused.header("ratelimit"), r#""user";r=0;t=40"#);
    assert_eq!(refused.header("retry-after"), "40");
    let body = json!({"label": "too many"});
    app.post(&keys).bearer(&token).json(&body).await.expect_problem(429, "rate_limited");

    app.get("/api/me").bearer(&app.token("ben")).send().await.expect_status(200);
    app.get("/healthz").send().await.expect_status(200);
    app.clock.advance(Duration::from_millis(39_500));
    app.get("/api/me").bearer(&app.token("ada")).send().await.expect_status(200);
}

#[tokio::test]
async fn operators_and_keys_do_not_have_the_limit_of_users() {
    let arguments = vec!["--management-limit=1".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let key = app.key("read").await;
    app.get("/api/me").bearer(&app.token("ada")).send().await.expect_problem(429, "rate_limited");
    app.list_tools(&key).await.expect_status(200);
    for _ in 0..3 {
        app.put_plan("business", true).await;
        app.get("/api/me").bearer(&app.operator()).send().await.expect_status(200);
    }
}

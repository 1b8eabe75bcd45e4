//! More concurrent requests than the limit.

use serde_json::json;

use crate::support::{RawClient, Sandbox, TestService, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn requests_over_the_concurrency_limit_are_answered_503() {
    let test = TestService::start(Sandbox::sqlite(), &["--max-requests", "2"]).await;
    let body = json!({"label": "a key"}).to_string();
    let head = test.create_head(&format!("Content-Length: {}", body.len()));
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut one = RawClient::connect(test.service.address).await;
        // The request is in flight until its body arrives.
        one.send(&head).await;
        slow.push(one);
    }
    // Without a valid key, so that polling does not use up the rate limit of the key.
    let anonymous = test.service.api("nobody");
    let shed = eventually("503 at the limit", async || {
        let response = anonymous.list_tools().await;
        (response.status == 503).then_some(response)
    })
    .await;
    assert_eq!((shed.code().as_str(), shed.header("retry-after")), ("unavailable", "2"));
    assert!(shed.is_unavailable(), "{shed:?}");
    // Health checks are not limited.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(RawClient::connect(test.service.address).await.get(path).await.status, 200, "{path}");
    }
    for mut one in slow {
        one.send(&body).await;
        assert_eq!(one.response().await.status, 201, "an accepted request is answered");
    }
    let agent = test.agent();
    eventually("a free slot", async || (agent.list_tools().await.status == 200).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_with_slow_bodies_do_not_use_up_the_limit() {
    let test = TestService::start(Sandbox::sqlite(), &["--max-requests", "2"]).await;
    let body = json!({"name": "get_brand", "arguments": {}}).to_string();
    let head = test.call_head(&format!("Content-Length: {}\r\nExpect: 100-continue", body.len()));
    let mut slow = Vec::new();
    for _ in 0..5 {
        let mut one = RawClient::connect(test.service.address).await;
        one.send(&head).await;
        // It is sent when the service begins to read the body.
        assert_eq!(one.response().await.status, 100);
        slow.push(one);
    }
    test.agent().list_tools().await.expect_status(200);
    for mut one in slow {
        one.send(&body).await;
        assert_eq!(one.response().await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_reports_with_slow_bodies_do_not_use_up_the_limit() {
    let test = TestService::start(Sandbox::sqlite(), &["--max-requests", "2"]).await;
    let body = json!({"keys": ["no key"]}).to_string();
    let head = format!(
        "POST /api/leaked-keys HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Expect: 100-continue\r\n\r\n",
        body.len()
    );
    let mut slow = Vec::new();
    for _ in 0..5 {
        let mut one = RawClient::connect(test.service.address).await;
        one.send(&head).await;
        assert_eq!(one.response().await.status, 100);
        slow.push(one);
    }
    test.agent().list_tools().await.expect_status(200);
    for mut one in slow {
        one.send(&body).await;
        assert_eq!(one.response().await.status, 202);
    }
}

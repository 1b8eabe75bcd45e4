//! Shutdown: requests in flight are finished, buffered records are written, new connections are refused.

use serde_json::json;
use tokio::net::TcpStream;

use crate::support::{RawClient, Sandbox, TestService, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn request_in_flight_is_answered_during_shutdown() {
    // Long enough that none of them passes between two steps of the test.
    let arguments = ["--drain-delay", "10", "--shutdown-grace", "600", "--body-timeout", "600"];
    let mut test = TestService::start(Sandbox::sqlite(), &arguments).await;
    let address = test.service.address;
    let body = r#"{"label": "created during shutdown"}"#;
    let mut client = RawClient::connect(address).await;
    let lengths = format!("Content-Length: {}\r\nExpect: 100-continue", body.len());
    client.send(test.create_head(&lengths)).await;
    assert_eq!(client.response().await.status, 100, "the service waits for the body");
    client.send(&body[..10]).await;

    test.service.signal("TERM");
    eventually("503 from /readyz", async || {
        let response = RawClient::connect(address).await.get("/readyz").await;
        (response.status == 503).then_some(())
    })
    .await;
    assert_eq!(
        RawClient::connect(address).await.get("/healthz").await.status,
        200,
        "the service is alive while it drains"
    );
    eventually("a refused connection", async || TcpStream::connect(address).await.err()).await;
    assert!(!test.service.has_exited(), "a request is still in flight");

    client.send(&body[10..]).await;
    let response = client.response().await;
    assert_eq!(response.status, 201, "{response:?}");
    assert_eq!(response.header("connection"), Some("close"), "{response:?}");
    client.read_to_close().await;
    assert!(test.service.wait_for_exit().success());

    let key = response.json()["api_key"].as_str().expect("a key").to_owned();
    let again = test.sandbox.serve(&[]);
    again.api(&key).list_tools().await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn buffered_activity_is_written_before_the_exit() {
    for signal in ["TERM", "INT"] {
        let mut test = TestService::start(Sandbox::sqlite(), &[]).await;
        let agent = test.agent();
        for _ in 0..20 {
            agent.list_tools().await.expect_status(200);
        }
        for _ in 0..10 {
            agent.call("get_brand", &json!({})).await.expect_status(200);
        }
        agent.call("no_such_tool", &json!({})).await.expect_status(404);
        test.service.signal(signal);
        assert!(test.service.wait_for_exit().success(), "{}", test.service.log());

        let again = test.sandbox.serve(&[]);
        let api = again.api(&test.admin_token);
        for (query, count) in [("kind=list", 20), ("kind=call&outcome=ok", 10), ("outcome=denied", 1)] {
            let path = format!("/api/brands/acme/mcp-activity?{query}");
            let activity = api.get(&path).await.expect_status(200).json();
            assert_eq!(activity["events"].as_array().map(Vec::len), Some(count), "{query}: {activity}");
        }
        let keys = api.get("/api/brands/acme/mcp-keys").await.expect_status(200).json();
        assert!(keys["keys"][0]["last_used_at"].is_string(), "{keys}");
        let usage = api.get("/api/brands/acme/mcp-usage").await.expect_status(200).json();
        let calls =
            usage["usage"].as_array().expect("a list").iter().filter_map(|line| line["calls"].as_u64());
        assert_eq!(calls.sum::<u64>(), 30, "{usage}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_do_not_delay_the_shutdown() {
    let mut service = Sandbox::sqlite().serve(&["--shutdown-grace", "600", "--header-timeout", "600"]);
    let mut used = RawClient::connect(service.address).await;
    assert_eq!(used.get("/healthz").await.status, 200);
    let mut silent = RawClient::connect(service.address).await;
    assert_eq!(
        RawClient::connect(service.address).await.get("/healthz").await.status,
        200,
        "the service has accepted all connections"
    );
    service.signal("TERM");
    used.read_to_close().await;
    silent.read_to_close().await;
    assert!(service.wait_for_exit().success(), "{}", service.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn request_without_end_is_cut_off_after_the_grace_period() {
    let mut test =
        TestService::start(Sandbox::sqlite(), &["--shutdown-grace", "1", "--body-timeout", "600"]).await;
    let mut client = RawClient::connect(test.service.address).await;
    client.send(test.create_head("Content-Length: 100\r\nExpect: 100-continue")).await;
    assert_eq!(client.response().await.status, 100, "the service waits for the body");
    test.service.signal("TERM");
    assert!(test.service.wait_for_exit().success(), "{}", test.service.log());
    assert!(test.service.log().contains("cut off"), "{}", test.service.log());
    client.read_to_close().await;
}

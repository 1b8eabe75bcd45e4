//! Stopping: what is in flight is finished, what was gathered is written, and nothing new begins.

use serde_json::json;
use tokio::net::TcpStream;

use super::Ready;
use crate::support::{Place, Raw, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_in_flight_is_finished_and_answered() {
    let mut ready = Ready::with(&["--drain-delay", "3"]).await;
    let address = ready.running.address;
    let body = r#"{"label": "made while stopping"}"#;
    let mut client = Raw::connect(address).await;
    let lengths = format!("Content-Length: {}\r\nExpect: 100-continue", body.len());
    client.send(ready.create_head(&lengths)).await;
    assert_eq!(client.answer().await.status, 100, "the service waits for the body");
    client.send(&body[..10]).await;

    ready.running.signal("TERM");
    eventually("/readyz saying 503", async || {
        let answer = Raw::connect(address).await.get("/readyz").await;
        (answer.status == 503).then_some(())
    })
    .await;
    assert_eq!(Raw::connect(address).await.get("/healthz").await.status, 200, "it is alive while it drains");
    eventually("a refused connection", async || TcpStream::connect(address).await.err()).await;
    assert!(!ready.running.has_ended(), "a request is still in flight");

    client.send(&body[10..]).await;
    let answer = client.answer().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.header("connection"), Some("close"), "{answer:?}");
    client.end().await;
    assert!(ready.running.end().success());

    let key = answer.json()["api_key"].as_str().expect("a key").to_owned();
    let again = ready.place.serve(&[]);
    again.api(&key).tools().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_gathered_is_written_before_the_end() {
    for signal in ["TERM", "INT"] {
        let mut ready = Ready::with(&[]).await;
        let agent = ready.running.api(&ready.key);
        for _ in 0..20 {
            agent.tools().await.expect(200);
        }
        for _ in 0..10 {
            agent.call("get_brand", &json!({})).await.expect(200);
        }
        agent.call("no_such_tool", &json!({})).await.expect(404);
        ready.running.signal(signal);
        assert!(ready.running.end().success(), "{}", ready.running.log());

        let again = ready.place.serve(&[]);
        let api = again.api(&ready.token);
        for (query, count) in [("kind=list", 20), ("kind=call&outcome=ok", 10), ("outcome=denied", 1)] {
            let path = format!("/api/brands/acme/mcp-activity?{query}");
            let activity = api.get(&path).await.expect(200).json();
            assert_eq!(activity["events"].as_array().map(Vec::len), Some(count), "{query}: {activity}");
        }
        let keys = api.get("/api/brands/acme/mcp-keys").await.expect(200).json();
        assert!(keys["keys"][0]["last_used_at"].is_string(), "{keys}");
        let usage = api.get("/api/brands/acme/mcp-usage").await.expect(200).json();
        let calls =
            usage["usage"].as_array().expect("a list").iter().filter_map(|line| line["calls"].as_u64());
        assert_eq!(calls.sum::<u64>(), 30, "{usage}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_do_not_hold_it_up() {
    let mut running = Place::sqlite().serve(&["--shutdown-grace", "600", "--header-timeout", "600"]);
    let mut used = Raw::connect(running.address).await;
    assert_eq!(used.get("/healthz").await.status, 200);
    let mut silent = Raw::connect(running.address).await;
    assert_eq!(Raw::connect(running.address).await.get("/healthz").await.status, 200, "it has accepted all");
    running.signal("TERM");
    used.end().await;
    silent.end().await;
    assert!(running.end().success(), "{}", running.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_ends_is_cut_off_after_the_grace() {
    let mut ready = Ready::with(&["--shutdown-grace", "1", "--body-timeout", "600"]).await;
    let mut client = Raw::connect(ready.running.address).await;
    client.send(ready.create_head("Content-Length: 100\r\nExpect: 100-continue")).await;
    assert_eq!(client.answer().await.status, 100, "the service waits for the body");
    ready.running.signal("TERM");
    assert!(ready.running.end().success(), "{}", ready.running.log());
    assert!(ready.running.log().contains("cut off"), "{}", ready.running.log());
    client.end().await;
}

//! A collector that does not answer: no request notices it, and it is one outage.

use serde_json::Value;
use svc_mcp_testkit::{free_port, raw_get};

use super::{Receiver, start};
use crate::support::{Sandbox, TestService, eventually};

fn lines(test: &TestService, message: &str) -> Vec<Value> {
    let log = test.service.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_meant = |line: &Value| {
        line["of"] == "traces" && line["message"].as_str().is_some_and(|text| text.starts_with(message))
    };
    lines.filter(is_meant).collect()
}

/// A request without a limit.
async fn read(test: &TestService) {
    test.admin().get("/api/brands/acme/mcp-keys").await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn collector_that_is_down_costs_no_request_and_is_one_outage() {
    let (port, metrics) = (free_port(), ([127, 0, 0, 1], free_port()).into());
    let address = ([127, 0, 0, 1], port).into();
    let sandbox = Sandbox::sqlite().with("SVC_METRICS_LISTEN", &format!("{metrics}"));
    let test = start(sandbox, &format!("http://{address}")).await;
    let lost = async || {
        let (_, text) = raw_get(metrics, "/metrics").await.expect("the metrics");
        let value = text.lines().find_map(|line| line.strip_prefix("svc_mcp_spans_lost_total "));
        value.expect("the metric").parse::<u64>().expect("a number")
    };
    eventually("an outage", async || {
        read(&test).await;
        (lost().await >= 20 && !lines(&test, "outage begins").is_empty()).then_some(())
    })
    .await;
    let receiver = Receiver::at(address).await;
    eventually("its end", async || {
        read(&test).await;
        (!lines(&test, "outage ended").is_empty()).then_some(())
    })
    .await;
    assert!(!receiver.spans().is_empty());
    assert_eq!((lines(&test, "outage begins").len(), lines(&test, "outage ended").len()), (1, 1));

    // A collector that takes the connection and never answers: requests are served, and the service stops.
    receiver.hang();
    for _ in 0..10 {
        read(&test).await;
    }
    let log = test.service.stop();
    assert!(log.contains("the last spans are lost"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_can_be_switched_off_and_sampled() {
    let receiver = Receiver::start().await;
    for (name, value) in [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_SAMPLER", "always_off")] {
        let test = start(Sandbox::sqlite().with(name, value), &receiver.url("")).await;
        test.agent().list_tools().await.expect_status(200);
        test.service.stop();
        assert!(receiver.spans().is_empty(), "{name}: {:?}", receiver.spans());
    }
}

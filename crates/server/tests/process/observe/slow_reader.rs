//! Nobody reads the log.

use std::{net::SocketAddr, process::Stdio};

use svc_mcp_testkit::{free_port, raw_get};

use crate::support::{RawClient, Sandbox, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn log_that_nobody_reads_delays_no_request_and_its_lost_lines_are_counted() {
    const BATCH: usize = 500;
    let sandbox = Sandbox::sqlite();
    let [address, metrics]: [SocketAddr; 2] =
        [free_port(), free_port()].map(|port| ([127, 0, 0, 1], port).into());
    let (listen, metrics_listen) = (address.to_string(), metrics.to_string());
    let mut command = sandbox.command(&["serve", "--listen", &listen, "--metrics-listen", &metrics_listen]);
    let mut service =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    eventually("the start", async || raw_get(address, "/healthz").await).await;
    let lost = async || {
        let (_, text) = raw_get(metrics, "/metrics").await.expect("the metrics are answered");
        let line = text.lines().find_map(|line| line.strip_prefix("svc_mcp_log_lines_lost_total "));
        line.expect("the metric").parse::<u64>().expect("a number")
    };
    // Each request is a line. The pipe and the queue take some ten thousand.
    let mut client = RawClient::connect(address).await;
    let requests = "GET /nowhere HTTP/1.1\r\nHost: test\r\n\r\n".repeat(BATCH);
    let mut answered = 0;
    while lost().await == 0 {
        assert!(answered < 200_000, "no line is lost after {answered} requests");
        client.send(&requests).await;
        for _ in 0..BATCH {
            assert_eq!(client.response().await.status, 404);
            answered += 1;
        }
    }
    service.kill().expect("it is killed");
    service.wait().expect("it has exited");
}

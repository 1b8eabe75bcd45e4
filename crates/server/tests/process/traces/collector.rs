//! A real collector (Rotel) takes the spans and passes them on.

use std::{net::TcpStream, path::Path};

use svc_mcp_testkit::{ServerProcess, free_port};

use super::{CALLER, Receiver, TRACE, only, start};
use crate::support::{Sandbox, send};

#[tokio::test(flavor = "multi_thread")]
async fn collector_takes_the_spans() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rotel/rotel/rotel-agent");
    assert!(program.exists(), "`make setup` installs it");
    let (receiver, port, grpc) = (Receiver::start().await, free_port(), free_port());
    let (http, grpc) = (format!("127.0.0.1:{port}"), format!("127.0.0.1:{grpc}"));
    let to = receiver.url("");
    let listen = ["start", "--otlp-http-endpoint", &http, "--otlp-grpc-endpoint", &grpc];
    let export = ["--exporter", "otlp", "--otlp-exporter-protocol", "http", "--otlp-exporter-endpoint", &to];
    let arguments = [listen.as_slice(), &export].concat();
    let mut rotel = ServerProcess::start(program.to_str().expect("a path in UTF-8"), &arguments, "");
    rotel.wait_until_ready(|| TcpStream::connect(("127.0.0.1", port)).is_ok());

    let test = start(Sandbox::sqlite(), &format!("http://{http}")).await;
    let report = test.sandbox.run_ok(&["serve", "--check", "--listen", "127.0.0.1:0"]);
    assert!(report.contains("ok       traces           the collector answers"), "{report}");
    let list = test.agent().list_tools_request();
    send(list.header("traceparent", format!("00-{TRACE}-{CALLER}-01"))).await.expect_status(200);
    receiver.wait_for("GET /mcp/v1/tools").await;
    let spans = receiver.spans();
    let request = only(&spans, TRACE, "GET /mcp/v1/tools");
    assert_eq!(request.parent, CALLER);
    assert_eq!(only(&spans, TRACE, "decision").parent, request.id);
    test.service.stop();
}

//! `SVC_ACCESS_LOG`, `SVC_LOG_FORMAT` and `SVC_LOG` decide about the lines of requests.

use reqwest::Method;

use super::ACCESS;
use crate::support::{Sandbox, send};

/// The log of a demo with these settings after a request with the id `req-wanted`.
async fn log_of_a_demo(settings: &[(&str, &str)]) -> String {
    let mut sandbox = Sandbox::sqlite();
    for (name, value) in settings {
        sandbox.set(name, value);
    }
    let service = sandbox.demo(&[]);
    let request =
        service.api("").anonymous_request(Method::GET, "/nowhere").header("X-Request-Id", "req-wanted");
    send(request).await.expect_status(404);
    service.stop()
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_and_text_logs_have_no_access_lines_unless_they_are_switched_on() {
    // `info` alone means `warn` in the demo.
    let log = log_of_a_demo(&[("SVC_LOG", "svc_mcp=info")]).await;
    assert!(log.contains("stopping") && !log.contains("req-wanted"), "{log}");
    let text = ("SVC_LOG_FORMAT", "text");
    let log = log_of_a_demo(&[("SVC_LOG", "svc_mcp=info"), ("SVC_ACCESS_LOG", "on"), text]).await;
    let line = log.lines().find(|line| line.contains("req-wanted")).expect("a line");
    let fields = "INFO request request_id=req-wanted method=GET route=unmatched status=404 code=not_found outcome=denied";
    assert!(line.contains(fields), "{line}");
    // The filter decides too.
    let log = log_of_a_demo(&[("SVC_LOG", "svc_mcp=warn"), ("SVC_ACCESS_LOG", "on")]).await;
    assert!(!log.contains(ACCESS) && !log.contains("req-wanted"), "{log}");
}

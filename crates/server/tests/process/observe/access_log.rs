//! One line for each request, and the metrics after the same requests.

use std::net::SocketAddr;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use svc_mcp_testkit::{free_port, raw_get};

use super::{ACCESS, lines, wait_for_lines};
use crate::support::{Api, Sandbox, TestService, eventually, send};

/// A request, and what its line says besides the fields that all lines have.
struct Case {
    id: &'static str,
    request: RequestBuilder,
    expected: Value,
}

fn case(id: &'static str, request: RequestBuilder, expected: Value) -> Case {
    Case { id, request: request.header("X-Request-Id", id), expected }
}

/// A key: its secret, and its id.
struct TestKey {
    secret: String,
    id: String,
}

async fn key(api: &Api, body: &Value) -> TestKey {
    let created = api.create_key("acme", body).await;
    let text = |field: &str| created[field].as_str().expect("a text").to_owned();
    TestKey { secret: text("api_key"), id: text("key_id") }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_is_one_line_and_is_counted() {
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let test = TestService::start(Sandbox::sqlite(), &["--metrics-listen", &metrics.to_string()]).await;
    let admin = test.admin();
    let reader = key(&admin, &json!({"label": "reads", "scope": "read"})).await;
    let asker = key(&admin, &json!({"label": "asks", "scope": "write", "approval": "all"})).await;
    let revoked = key(&admin, &json!({"label": "gone", "scope": "read"})).await;
    admin.delete(&format!("/api/brands/acme/mcp-keys/{}", revoked.id)).await.expect_status(204);

    admin.get("/healthz").await.expect_status(200);
    let cases = calls(&test, &reader, &asker, &revoked).into_iter().chain(other_requests(&test, &reader));
    for case in cases {
        let status = case.expected["status"].as_u64().expect("a status");
        let response = send(case.request).await;
        assert_eq!(u64::from(response.status), status, "{}: {response:?}", case.id);
        let found = wait_for_lines(&test.service, case.id, |line| {
            line["request_id"] == case.id && line["target"] == ACCESS
        })
        .await;
        assert_eq!(found.len(), 1, "{}: {found:?}", case.id);
        let mut line = found[0].as_object().expect("an object").clone();
        assert!(line.remove("micros").is_some_and(|micros| micros.is_u64()), "{line:?}");
        assert!(line.remove("timestamp").is_some_and(|time| time.is_string()), "{line:?}");
        let mut expected = json!({
            "level": "INFO", "message": "request", "target": ACCESS, "request_id": case.id, "client": "127.0.0.1",
        });
        let all = expected.as_object_mut().expect("an object");
        all.extend(case.expected.as_object().expect("an object").clone());
        assert_eq!(&line, all, "{}", case.id);
    }
    assert_metrics(metrics).await;

    let log = test.service.stop();
    for hidden in
        ["private-path", "private-query", "private-text", "private-tool", &reader.secret[8..], &test.key[8..]]
    {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
    let probes = lines(&log).into_iter().filter(|line| line["route"] == "/healthz");
    assert_eq!(probes.count(), 0, "successful probes are not logged");
}

fn calls(test: &TestService, reader: &TestKey, asker: &TestKey, revoked: &TestKey) -> Vec<Case> {
    let service = &test.service;
    let (reader_id, asker_id, revoked_id) = (&reader.id, &asker.id, &revoked.id);
    let (reader, asker, revoked) =
        (service.api(&reader.secret), service.api(&asker.secret), service.api(&revoked.secret));
    let post = json!({"text": "private-text", "channels": ["feed"], "mode": "draft"});
    let call = "/mcp/v1/tools/call";
    let by = |key_id: &str, more: Value| {
        let mut line =
            json!({"method": "POST", "route": call, "key_id": key_id, "brand_id": "acme", "user_id": "ada"});
        line.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        line
    };
    vec![
        case(
            "allowed-call",
            reader.call_request("get_brand", &json!({})),
            by(reader_id, json!({"status": 200, "outcome": "ok", "tool": "get_brand"})),
        ),
        case(
            "failing-tool",
            reader.call_request("get_post", &json!({"post_id": "post_none"})),
            by(
                reader_id,
                json!({"status": 200, "outcome": "tool_error", "reason": "tool_failed", "tool": "get_post"}),
            ),
        ),
        case(
            "denied-call",
            reader.call_request("create_post", &post),
            by(
                reader_id,
                json!({"status": 403, "code": "insufficient_scope", "outcome": "denied",
                    "reason": "insufficient_scope", "tool": "create_post"}),
            ),
        ),
        case(
            "waiting-call",
            asker.call_request("create_post", &post),
            by(
                asker_id,
                json!({"status": 200, "outcome": "awaiting_approval", "reason": "awaiting_approval",
                    "tool": "create_post"}),
            ),
        ),
        case(
            "unknown-tool",
            reader.call_request("private-tool", &json!({})),
            by(
                reader_id,
                json!({"status": 404, "code": "unknown_tool", "outcome": "denied", "reason": "unknown_tool"}),
            ),
        ),
        case(
            "revoked-key",
            revoked.call_request("get_brand", &json!({})),
            by(
                revoked_id,
                json!({"status": 401, "code": "key_invalid", "outcome": "denied", "reason": "key_revoked"}),
            ),
        ),
        case(
            "malformed-key",
            service.api("svc_mcp_nonsense").call_request("get_brand", &json!({})),
            json!({"method": "POST", "route": call, "status": 401, "code": "key_invalid", "outcome": "denied",
                "reason": "key_malformed"}),
        ),
    ]
}

fn other_requests(test: &TestService, reader: &TestKey) -> Vec<Case> {
    let service = &test.service;
    let (admin, agent, reader_id) = (test.admin(), service.api(&reader.secret), &reader.id);
    let stranger = service.api(&test.sandbox.token("stranger"));
    let operator = service.api(&test.sandbox.operator_token());
    let operator_id = operator_id(&test.sandbox);
    let of_key = "/api/brands/{brand_id}/mcp-keys/{key_id}";
    let path = format!("/api/brands/acme/mcp-keys/{reader_id}");
    vec![
        case(
            "list",
            agent.list_tools_request(),
            json!({"method": "GET", "route": "/mcp/v1/tools", "status": 200, "outcome": "ok", "key_id": reader_id,
                "brand_id": "acme", "user_id": "ada"}),
        ),
        case(
            "unknown-route",
            admin.request(Method::POST, "/private-path/more?private-query=1"),
            json!({"method": "POST", "route": "unmatched", "status": 404, "code": "not_found", "outcome": "denied"}),
        ),
        case(
            "managed-key",
            admin.request(Method::GET, &path),
            json!({"method": "GET", "route": of_key, "status": 200, "outcome": "ok", "key_id": reader_id,
                "brand_id": "acme", "user_id": "ada"}),
        ),
        case(
            "other-brand",
            stranger.request(Method::GET, &path),
            json!({"method": "GET", "route": of_key, "status": 404, "code": "not_found", "outcome": "denied",
                "user_id": "stranger"}),
        ),
        case(
            "wrong-token",
            service.api("nonsense").request(Method::GET, "/api/me"),
            json!({"method": "GET", "route": "/api/me", "status": 401, "code": "token_invalid", "outcome": "denied",
                "reason": "malformed"}),
        ),
        case(
            "operator",
            operator.request(Method::GET, "/api/admin/brands/acme"),
            json!({"method": "GET", "route": "/api/admin/brands/{brand_id}", "status": 200, "outcome": "ok",
                "brand_id": "acme", "user_id": operator_id}),
        ),
    ]
}

/// The user of the operator's token.
fn operator_id(sandbox: &Sandbox) -> String {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    let token = sandbox.operator_token();
    let claims = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1).expect("claims")).expect("base64");
    let claims: Value = serde_json::from_slice(&claims).expect("JSON");
    claims["sub"].as_str().expect("a user").to_owned()
}

/// The metrics after the requests of the test.
async fn assert_metrics(address: SocketAddr) {
    let (status, text) = raw_get(address, "/metrics").await.expect("a response");
    assert_eq!(status, 200);
    let call = |tool: &str, outcome: &str| {
        format!(r#"svc_mcp_tool_calls_total{{tool="{tool}",outcome="{outcome}"}} 1"#)
    };
    let problem = |code: &str, count: u32| format!(r#"svc_mcp_problems_total{{code="{code}"}} {count}"#);
    for line in [
        call("get_brand", "ok"),
        // 200 for HTTP, but not a success.
        call("get_post", "tool_error"),
        call("create_post", "denied"),
        call("create_post", "awaiting_approval"),
        problem("insufficient_scope", 1),
        problem("unknown_tool", 1),
        problem("key_invalid", 2),
        problem("token_invalid", 1),
        problem("not_found", 2),
        r#"svc_mcp_request_seconds_bucket{route="/mcp/v1/tools/call",le="60"} 7"#.to_owned(),
        r#"svc_mcp_database_connections{state="max"} 5"#.to_owned(),
        "svc_mcp_database_waiting 0".to_owned(),
        "svc_mcp_log_lines_lost_total 0".to_owned(),
    ] {
        assert!(text.lines().any(|known| known == line), "{line} is not in {text}");
    }
    assert!(!text.contains(r#"svc_mcp_tool_calls_total{tool="get_post",outcome="ok"}"#), "{text}");
    assert!(!text.contains("acme") && !text.contains("ada\""), "brands and users are not labels: {text}");
    let build = text.lines().find(|line| line.starts_with("svc_mcp_build_info{")).expect("the build");
    for label in
        [concat!("version=\"", env!("CARGO_PKG_VERSION"), "\""), "database=\"sqlite\"", "redis=\"no\""]
    {
        assert!(build.contains(label) && build.ends_with(" 1"), "{label} is not in {build}");
    }
    for name in [
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
        "process_start_time_seconds",
    ] {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        let value: f64 = line.expect(name).parse().expect("a number");
        assert!(value >= 0.0 && (value > 0.0 || name == "process_cpu_seconds_total"), "{name} {value}");
    }
    // Read every 15 seconds.
    for line in [
        "svc_mcp_approvals_waiting 1",
        "svc_mcp_event_deliveries_waiting 0",
        r#"svc_mcp_jobs_waiting{kind="audit"} 0"#,
    ] {
        eventually(line, async || {
            let (_, text) = raw_get(address, "/metrics").await?;
            text.lines().any(|known| known == line).then_some(())
        })
        .await;
    }
}

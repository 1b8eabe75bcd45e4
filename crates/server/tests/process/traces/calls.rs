//! The spans of requests.

use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::json;

use super::{CALLER, Receiver, TRACE, attribute, only, start};
use crate::support::{Sandbox, send};

const CONTENT: &str = "canary-content-of-a-request";

#[tokio::test(flavor = "multi_thread")]
async fn call_is_one_trace_on_sqlite() {
    call_is_one_trace(Sandbox::sqlite(), "sqlite").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn call_is_one_trace_on_postgresql() {
    call_is_one_trace(Sandbox::postgres(), "postgresql").await;
}

async fn call_is_one_trace(sandbox: Sandbox, engine: &str) {
    let receiver = Receiver::start().await;
    let sandbox = sandbox
        .with("SVC_KEYWORD_PROVIDER_URL", &receiver.url("/keywords"))
        .with("OTEL_EXPORTER_OTLP_HEADERS", "x-collector-key=canary%20of%20the%20headers")
        .with("OTEL_SERVICE_NAME", "the-service")
        .with("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=a%20test");
    let test = start(sandbox, &receiver.url("")).await;
    let search = |traceparent: String, seed: &str| {
        let request = test.agent().call_request("keyword_research_search", &json!({"seeds": [seed]}));
        send(request.header("traceparent", traceparent).header("tracestate", format!("a={CONTENT}")))
    };
    // Not sampled: no spans, and the operator's systems learn that.
    let unsampled = TRACE.replace('4', "5");
    search(format!("00-{unsampled}-{CALLER}-00"), "blue shoes").await.tool_result();
    let answer = search(format!("00-{TRACE}-{CALLER}-01"), &format!("shoes {CONTENT}")).await;
    let request_id = answer.header("x-request-id").to_owned();
    answer.tool_result();
    // Neither of these headers is valid, so each request begins a trace.
    for wrong in [CONTENT.to_owned(), format!("00-{}-{CALLER}-01", "0".repeat(32))] {
        send(test.agent().list_tools_request().header("traceparent", wrong)).await.expect_status(200);
    }
    test.service.api(CONTENT).get(&format!("/mcp/v1/tools?q={CONTENT}")).await.expect_status(401);
    test.service.api(CONTENT).get(&format!("/{CONTENT}")).await.expect_status(404);
    test.service.api("").get("/healthz").await.expect_status(200);
    let key = test.key.clone();
    let log = test.service.stop();

    let spans = receiver.spans();
    let request = only(&spans, TRACE, "POST /mcp/v1/tools/call");
    assert_eq!((request.kind, request.parent.as_str()), (SpanKind::Server, CALLER));
    for (name, value) in [
        ("http.request.method", json!("POST")),
        ("http.route", json!("/mcp/v1/tools/call")),
        ("http.response.status_code", json!(200)),
        ("svc_mcp.request_id", json!(request_id)),
        ("svc_mcp.brand_id", json!("acme")),
        ("svc_mcp.tool", json!("keyword_research_search")),
        ("svc_mcp.outcome", json!("ok")),
    ] {
        assert_eq!(*attribute(request, name), value, "{request:?}");
    }
    assert!(attribute(request, "svc_mcp.key_id").as_str().is_some_and(|id| id.starts_with("key_")));
    for (name, value) in [
        ("service.name", "the-service"),
        ("service.version", env!("CARGO_PKG_VERSION")),
        ("deployment.environment.name", "a test"),
        ("telemetry.sdk.language", "rust"),
    ] {
        assert_eq!(request.resource.get(name), Some(&json!(value)), "{request:?}");
    }
    let (decision, tool) =
        (only(&spans, TRACE, "decision"), only(&spans, TRACE, "tool keyword_research_search"));
    assert_eq!((&decision.parent, &tool.parent), (&request.id, &request.id));
    let provider = only(&spans, TRACE, "POST");
    assert_eq!((provider.kind, &provider.parent), (SpanKind::Client, &tool.id));
    assert_eq!(*attribute(provider, "server.address"), json!("127.0.0.1"));
    assert_eq!(*attribute(provider, "http.response.status_code"), json!(200));
    let queries: Vec<_> =
        spans.iter().filter(|span| span.trace == TRACE && span.name.starts_with("store ")).collect();
    assert!(queries.iter().any(|span| span.parent == tool.id), "{spans:?}");
    for query in queries {
        assert_eq!(*attribute(query, "db.system.name"), json!(engine));
    }

    let [of_unsampled, of_sampled] = receiver.traceparents("/keywords").try_into().expect("two requests");
    assert_eq!(of_sampled, format!("00-{TRACE}-{}-01", provider.id));
    assert!(of_unsampled.starts_with(&format!("00-{unsampled}-")) && of_unsampled.ends_with("-00"));
    assert!(spans.iter().all(|span| span.trace != unsampled), "{spans:?}");

    let lists: Vec<_> = spans.iter().filter(|span| span.name == "GET /mcp/v1/tools").collect();
    assert!(lists.len() == 3 && lists.iter().all(|span| span.parent.is_empty()), "{lists:?}");
    let refused = lists.iter().find(|span| *attribute(span, "svc_mcp.outcome") == "denied").expect("a 401");
    assert_eq!(*attribute(refused, "http.response.status_code"), json!(401));
    assert!(!refused.has_failed, "the client is at fault");
    let decision = only(&spans, &refused.trace, "decision");
    assert_eq!(attribute(decision, "svc_mcp.reason"), attribute(refused, "svc_mcp.reason"));
    assert!(spans.iter().all(|span| !span.name.contains("healthz")), "probes have no spans");

    // The access log names the trace.
    let line = log.lines().find(|line| line.contains(&request_id)).expect("an access line");
    assert!(line.contains(&format!("\"trace_id\":\"{TRACE}\"")), "{line}");
    // What a client wrote, secrets and persons are in no span.
    assert!(receiver.headers().iter().all(|headers| headers["x-collector-key"] == "canary of the headers"));
    let bytes = receiver.bytes();
    for secret in [CONTENT, &key, &key[8..51], &test.admin_token, "canary of the headers", "ada", "red shoes"]
    {
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{secret} is in a span");
    }
    assert!(!log.contains("canary of the headers"), "{log}");
}

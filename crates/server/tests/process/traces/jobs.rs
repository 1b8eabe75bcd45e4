//! The spans of background work.

use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::json;

use super::{CALLER, Receiver, TRACE, attribute, only, start};
use crate::support::{Sandbox, eventually, send};

#[tokio::test(flavor = "multi_thread")]
async fn job_belongs_to_the_trace_of_its_call_on_sqlite() {
    job_belongs_to_the_trace_of_its_call(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn job_belongs_to_the_trace_of_its_call_on_postgresql() {
    job_belongs_to_the_trace_of_its_call(Sandbox::postgres()).await;
}

async fn job_belongs_to_the_trace_of_its_call(sandbox: Sandbox) {
    let receiver = Receiver::start().await;
    let sandbox = sandbox
        .with("SVC_EVENTS_URL", &receiver.url("/events"))
        .with("SVC_EVENTS_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let test = start(sandbox, &receiver.url("")).await;
    let channel = json!({"kind": "webhook", "settings": {"url": receiver.url("/hook")}});
    test.admin().put("/api/brands/acme/channels/hook", &channel).await.expect_status(200);
    let post = json!({"text": "canary-text-of-a-post", "channels": ["hook"], "mode": "now"});
    let create = test.agent().call_request("create_post", &post);
    send(create.header("traceparent", format!("00-{TRACE}-{CALLER}-01"))).await.tool_result();
    receiver.wait_for("job publish").await;
    eventually("an event", async || (!receiver.traceparents("/events").is_empty()).then_some(())).await;
    test.service.stop();

    let spans = receiver.spans();
    let (tool, job) = (only(&spans, TRACE, "tool create_post"), only(&spans, TRACE, "job publish"));
    assert_eq!(job.kind, SpanKind::Consumer);
    // The transaction that committed the post has added the job.
    let commit = spans.iter().find(|span| span.id == job.parent).expect("the span that queued the job");
    assert_eq!((commit.parent.as_str(), commit.name.starts_with("store ")), (tool.id.as_str(), true));
    for (name, value) in [
        ("svc_mcp.brand_id", json!("acme")),
        ("svc_mcp.job_kind", json!("publish")),
        ("svc_mcp.job_attempt", json!(1)),
        ("svc_mcp.outcome", json!("done")),
    ] {
        assert_eq!(*attribute(job, name), value, "{job:?}");
    }
    let sent = only(&spans, TRACE, "POST");
    assert_eq!(sent.parent, job.id);
    assert_eq!(receiver.traceparents("/hook"), [format!("00-{TRACE}-{}-01", sent.id)]);
    let event = spans.iter().find(|span| span.name == "event").expect("the span of an event");
    assert_eq!((event.kind, event.parent.as_str()), (SpanKind::Consumer, ""));
    assert_eq!(*attribute(event, "svc_mcp.outcome"), json!("delivered"));
    let sent = only(&spans, &event.trace, "POST");
    assert!(receiver.traceparents("/events").contains(&format!("00-{}-{}-01", event.trace, sent.id)));
    let (bytes, text) = (receiver.bytes(), b"canary-text-of-a-post");
    assert!(!bytes.windows(text.len()).any(|window| window == text), "the text of a post is in a span");
}

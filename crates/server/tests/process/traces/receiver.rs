//! A receiver of OTLP over HTTP, and the operator's other systems: they keep what they were sent.

use std::{
    collections::BTreeMap,
    io::Read,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Bytes, extract::State, response::IntoResponse, routing::post};
use flate2::read::GzDecoder;
use http::{HeaderMap, Uri};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value as AnyValue},
    trace::v1::span::SpanKind,
};
use prost::Message;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::eventually;

#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    pub(crate) trace: String,
    pub(crate) id: String,
    /// Empty: it begins its trace.
    pub(crate) parent: String,
    pub(crate) attributes: BTreeMap<String, Value>,
    pub(crate) has_failed: bool,
    /// The attributes of the process.
    pub(crate) resource: BTreeMap<String, Value>,
}

#[derive(Debug, Default)]
struct Received {
    batches: Mutex<Vec<(HeaderMap, Bytes)>>,
    /// The headers of requests to other paths.
    others: Mutex<Vec<(String, HeaderMap)>>,
    hangs: Mutex<bool>,
}

/// It stops with the runtime of the test.
#[derive(Debug, Clone)]
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    received: Arc<Received>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        Self::at(([127, 0, 0, 1], 0).into()).await
    }

    pub(crate) async fn at(address: SocketAddr) -> Self {
        let received = Arc::new(Received::default());
        let listener = TcpListener::bind(address).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new()
            .route("/v1/traces", post(take_spans))
            .route("/keywords", post(answer_keywords))
            .route("/{other}", post(take_other))
            .with_state(Arc::clone(&received));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, received }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// From now on no batch is answered.
    pub(crate) fn hang(&self) {
        *self.received.hangs.lock().expect("no panic") = true;
    }

    /// Every byte of every batch.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let batches = self.received.batches.lock().expect("no panic");
        batches.iter().flat_map(|(_, body)| body.to_vec()).collect()
    }

    /// The headers of the batches.
    pub(crate) fn headers(&self) -> Vec<HeaderMap> {
        let batches = self.received.batches.lock().expect("no panic");
        batches.iter().map(|(headers, _)| headers.clone()).collect()
    }

    /// The `traceparent` of each request to this path. Empty: it had none.
    pub(crate) fn traceparents(&self, path: &str) -> Vec<String> {
        let others = self.received.others.lock().expect("no panic");
        let to_path = others.iter().filter(|(to, _)| to == path);
        to_path.map(|(_, headers)| text(headers, "traceparent")).collect()
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        let batches = self.received.batches.lock().expect("no panic");
        batches.iter().flat_map(|(_, body)| decode(body)).collect()
    }

    /// Waits for spans of this name.
    pub(crate) async fn wait_for(&self, name: &str) -> Vec<Span> {
        eventually(&format!("a span {name}"), async || {
            let found: Vec<Span> = self.spans().into_iter().filter(|span| span.name == name).collect();
            (!found.is_empty()).then_some(found)
        })
        .await
    }
}

fn text(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

async fn take_spans(
    State(received): State<Arc<Received>>,
    headers: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    if *received.hangs.lock().expect("no panic") {
        std::future::pending::<()>().await;
    }
    let body = if text(&headers, "content-encoding") == "gzip" { unzipped(&body) } else { body };
    received.batches.lock().expect("no panic").push((headers, body));
    ([("content-type", "application/x-protobuf")], Vec::new())
}

fn unzipped(body: &[u8]) -> Bytes {
    let mut unzipped = Vec::new();
    GzDecoder::new(body).read_to_end(&mut unzipped).expect("gzip");
    unzipped.into()
}

async fn answer_keywords(State(received): State<Arc<Received>>, headers: HeaderMap) -> impl IntoResponse {
    received.others.lock().expect("no panic").push(("/keywords".to_owned(), headers));
    axum::Json(json!({"rows": [{"keyword": "red shoes", "volume": 90}]}))
}

async fn take_other(
    State(received): State<Arc<Received>>,
    uri: Uri,
    headers: HeaderMap,
) -> impl IntoResponse {
    received.others.lock().expect("no panic").push((uri.path().to_owned(), headers));
}

fn decode(body: &Bytes) -> Vec<Span> {
    let request = ExportTraceServiceRequest::decode(body.clone()).expect("OTLP");
    let mut found = Vec::new();
    for of_resource in request.resource_spans {
        let resource = attributes(&of_resource.resource.unwrap_or_default().attributes);
        for span in of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            found.push(Span {
                kind: span.kind(),
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                attributes: attributes(&span.attributes),
                has_failed: span.status.as_ref().is_some_and(|status| status.code == 2),
                name: span.name,
                resource: resource.clone(),
            });
        }
    }
    found
}

fn attributes(pairs: &[KeyValue]) -> BTreeMap<String, Value> {
    let value = |pair: &KeyValue| match pair.value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(AnyValue::StringValue(text)) => json!(text),
        Some(AnyValue::IntValue(number)) => json!(number),
        other => panic!("{}: {other:?}", pair.key),
    };
    pairs.iter().map(|pair| (pair.key.clone(), value(pair))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}

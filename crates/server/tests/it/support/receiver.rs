//! A server that receives posts, and responds as the test sets.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::Value;

#[derive(Debug, Clone)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A status, and an optional header. [`LOST`] instead of a status: the connection breaks within the response.
type Reply = (u16, Option<(&'static str, String)>);

pub(crate) const LOST: u16 = 0;

#[derive(Debug, Clone, Default)]
struct Shared {
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
}

#[derive(Debug)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    shared: Shared,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Shared::default();
        let router = Router::new().fallback(receive).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// The responses to the next requests. Later requests get 200.
    pub(crate) fn respond_with(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared.requests.lock().unwrap().clone()
    }
}

async fn receive(
    State(shared): State<Shared>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    shared.requests.lock().unwrap().push(ReceivedRequest {
        method: method.to_string(),
        path: uri.path().to_owned(),
        headers,
        body,
    });
    let (status, header) = shared.replies.lock().unwrap().pop_front().unwrap_or((200, None));
    if status == LOST {
        let broken = futures_util::stream::once(async { Err::<Bytes, _>("lost") });
        return Response::new(Body::from_stream(broken));
    }
    let mut headers = HeaderMap::new();
    if let Some((name, value)) = header {
        headers.insert(name, value.parse().unwrap());
    }
    // Mastodon's response has an id.
    (StatusCode::from_u16(status).unwrap(), headers, r#"{"id": "1"}"#).into_response()
}

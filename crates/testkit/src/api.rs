//! An HTTP client for the API, with a token or a key.

use std::{
    net::{IpAddr, SocketAddr},
    sync::OnceLock,
    time::{Duration, Instant},
};

use reqwest::{
    Body, Client, ClientBuilder, Method, RequestBuilder,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde_json::{Value, json};
use svc_mcp_access::Timestamp;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{POLL_INTERVAL, WAIT_TIMEOUT};

/// A client with one credential. It sends requests to one service.
#[derive(Debug, Clone)]
pub struct Api {
    http: Client,
    base: String,
    bearer: String,
}

#[derive(Debug)]
pub struct ApiResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl ApiResponse {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The `code` of a problem; empty for other responses.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    #[expect(clippy::return_self_not_must_use, reason = "often only the status matters")]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The result of a tool that must have succeeded.
    pub fn tool_result(self) -> Value {
        let body = self.expect_status(200).json();
        assert_eq!(body["isError"], false, "{body}");
        body["structuredContent"].clone()
    }

    /// 503, code `unavailable`, with a `Retry-After` header.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && self.code() == "unavailable" && !self.header("retry-after").is_empty()
    }
}

impl Api {
    /// A client that keeps connections open. It needs an address: [`Api::at`].
    pub fn new(bearer: &str) -> Self {
        // Closed long before the service closes it, so that no request is sent on a connection that is being closed.
        let http = client().pool_idle_timeout(Duration::from_secs(5)).build().expect("an HTTP client");
        Self { http, base: String::new(), bearer: bearer.to_owned() }
    }

    /// A client that opens a connection for each request.
    pub fn unpooled(bearer: &str) -> Self {
        static HTTP: OnceLock<Client> = OnceLock::new();
        // The pool is shared by all tests, but each test has its own runtime, and a connection belongs to one runtime.
        let build = || client().pool_max_idle_per_host(0).build().expect("an HTTP client");
        Self { http: HTTP.get_or_init(build).clone(), base: String::new(), bearer: bearer.to_owned() }
    }

    /// The same client with connections that stay open.
    #[must_use]
    pub fn keep_alive(self) -> Self {
        Self { base: self.base, ..Self::new(&self.bearer) }
    }

    /// The same client with another address of this machine, such as 127.0.0.5.
    #[must_use]
    pub fn from_address(&self, address: IpAddr) -> Self {
        let http = client().local_address(address).pool_idle_timeout(Duration::from_secs(5)).build();
        Self { http: http.expect("an HTTP client"), ..self.clone() }
    }

    /// The same client with another credential.
    #[must_use]
    pub fn with_bearer(&self, bearer: &str) -> Self {
        Self { bearer: bearer.to_owned(), ..self.clone() }
    }

    /// The same client for another service. It shares the connection pool, because a new pool is expensive.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.anonymous_request(method, path).bearer_auth(&self.bearer)
    }

    /// A request without a credential.
    pub fn anonymous_request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str) -> ApiResponse {
        send(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> ApiResponse {
        send(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        send(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> ApiResponse {
        send(self.request(Method::PUT, path).json(body)).await
    }

    /// Lists the tools: the cheapest request with a key.
    pub async fn list_tools(&self) -> ApiResponse {
        send(self.list_tools_request()).await
    }

    pub fn list_tools_request(&self) -> RequestBuilder {
        self.request(Method::GET, "/mcp/v1/tools")
    }

    pub async fn call(&self, tool: &str, arguments: &Value) -> ApiResponse {
        send(self.call_request(tool, arguments)).await
    }

    pub fn call_request(&self, tool: &str, arguments: &Value) -> RequestBuilder {
        let body = json!({"name": tool, "arguments": arguments});
        self.request(Method::POST, "/mcp/v1/tools/call").json(&body)
    }

    /// The result of a tool, or `None` while the key is over its rate limit. For polling.
    pub async fn poll_tool(&self, tool: &str, arguments: &Value) -> Option<Value> {
        let response = self.call(tool, arguments).await;
        (response.status != 429).then(|| response.tool_result())
    }

    /// A call with an `Idempotency-Key`.
    pub fn idempotent_call_request(
        &self,
        tool: &str,
        arguments: &Value,
        idempotency_key: &str,
    ) -> RequestBuilder {
        self.call_request(tool, arguments).header("Idempotency-Key", idempotency_key)
    }

    /// Creates a key, and returns the response body with `api_key`. A busy machine may answer 503 at first.
    pub async fn create_key(&self, brand: &str, body: &Value) -> Value {
        let path = format!("/api/brands/{brand}/mcp-keys");
        let started = Instant::now();
        let mut created = self.post(&path, body).await;
        while created.is_unavailable() && started.elapsed() < WAIT_TIMEOUT {
            tokio::time::sleep(POLL_INTERVAL).await;
            created = self.post(&path, body).await;
        }
        created.expect_status(201).json()
    }

    /// Creates a key of this scope.
    pub async fn key(&self, brand: &str, scope: &str) -> Key {
        Key::from_created(brand, &self.create_key(brand, &json!({"label": "a key", "scope": scope})).await)
    }

    pub async fn reveal(&self, brand: &str, key_id: &str) -> ApiResponse {
        send(self.request(Method::POST, &format!("/api/brands/{brand}/mcp-keys/{key_id}/reveal"))).await
    }

    /// Changes a key.
    pub async fn update_key(&self, key: &Key, body: &Value) -> ApiResponse {
        send(self.request(Method::PATCH, &key.path()).json(body)).await
    }

    /// Pauses or resumes a key.
    pub async fn set_paused(&self, key: &Key, paused: bool) -> ApiResponse {
        self.update_key(key, &json!({"paused": paused})).await
    }

    pub async fn revoke(&self, key: &Key) -> ApiResponse {
        self.delete(&key.path()).await
    }
}

/// A created key.
#[derive(Debug, Clone)]
pub struct Key {
    pub brand: String,
    pub key_id: String,
    pub secret: String,
    /// By the clock of the service.
    pub created_at: Timestamp,
}

impl Key {
    /// From the response to its creation.
    pub fn from_created(brand: &str, created: &Value) -> Self {
        let text = |field: &str| created[field].as_str().expect("a string").to_owned();
        Self {
            brand: brand.to_owned(),
            key_id: text("key_id"),
            secret: text("api_key"),
            created_at: text("created_at").parse().expect("a time"),
        }
    }

    /// A time after the key was created, in the format of the tools.
    pub fn after_creation(&self, duration: Duration) -> String {
        self.created_at.plus(duration).to_string()
    }

    pub fn path(&self) -> String {
        format!("/api/brands/{}/mcp-keys/{}", self.brand, self.key_id)
    }
}

/// Sends a request that must be answered, with any status.
pub async fn send(request: RequestBuilder) -> ApiResponse {
    try_send(request).await.expect("a response")
}

/// [`send`] to a service that may be down.
pub async fn try_send(request: RequestBuilder) -> Result<ApiResponse, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(ApiResponse { status, headers, text: response.text().await? })
}

/// Any body with the content type JSON.
pub fn with_json_body(request: RequestBuilder, body: impl Into<Body>) -> RequestBuilder {
    request.header(CONTENT_TYPE, "application/json").body(body)
}

fn client() -> ClientBuilder {
    Client::builder().no_proxy().timeout(WAIT_TIMEOUT)
}

/// `GET` over a new connection, without reqwest: the status and the body, or `None` if there is no response.
pub async fn raw_get(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await.ok()?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: test\r\n\r\n").as_bytes()).await.ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).await.ok()?;
        let status = response.split(' ').nth(1)?.parse().ok()?;
        Some((status, response.split_once("\r\n\r\n")?.1.to_owned()))
    };
    tokio::time::timeout(WAIT_TIMEOUT, exchange).await.ok().flatten()
}

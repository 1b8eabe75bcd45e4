//! Asking over HTTP, with a token or a key.

use std::{net::SocketAddr, sync::OnceLock, time::Duration};

use reqwest::{
    Body, Client, ClientBuilder, Method, RequestBuilder,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::BOUND;

/// One who asks. Paths are those of the API.
#[derive(Debug, Clone)]
pub struct Api {
    http: Client,
    base: String,
    bearer: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The code of a problem; empty where it is none.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    #[expect(clippy::return_self_not_must_use, reason = "often only the status matters")]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// What a tool answered, where it succeeded.
    pub fn structured(self) -> Value {
        let answer = self.expect(200).json();
        assert_eq!(answer["isError"], false, "{answer}");
        answer["structuredContent"].clone()
    }

    /// Told that the store does not answer, and when to try again.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && self.code() == "unavailable" && !self.header("retry-after").is_empty()
    }
}

impl Api {
    /// One who keeps connections open, for much traffic, and is yet to be told whom to ask: [`Api::at`].
    pub fn new(bearer: &str) -> Self {
        // Gone long before the service would close it, so that the two never cross on the wire.
        let http = client().pool_idle_timeout(Duration::from_secs(5)).build().expect("a client");
        Self { http, base: String::new(), bearer: bearer.to_owned() }
    }

    /// One with a new connection for each request. Making it costs nothing.
    pub fn unpooled(bearer: &str) -> Self {
        static HTTP: OnceLock<Client> = OnceLock::new();
        // Each test has a runtime of its own, and a kept connection would belong to the one that opened it.
        let make = || client().pool_max_idle_per_host(0).build().expect("a client");
        Self { http: HTTP.get_or_init(make).clone(), base: String::new(), bearer: bearer.to_owned() }
    }

    /// The same one, keeping connections open.
    #[must_use]
    pub fn persistent(self) -> Self {
        Self { base: self.base, ..Self::new(&self.bearer) }
    }

    #[must_use]
    pub fn with(&self, bearer: &str) -> Self {
        Self { bearer: bearer.to_owned(), ..self.clone() }
    }

    /// The same one asking somebody else, over the same pool of connections. A new pool is expensive.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(&self.bearer)
    }

    /// A request without a credential.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str) -> Answer {
        answered(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        answered(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        answered(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        answered(self.request(Method::PUT, path).json(body)).await
    }

    /// Lists the tools: the cheapest thing a key can do.
    pub async fn tools(&self) -> Answer {
        answered(self.tools_request()).await
    }

    pub fn tools_request(&self) -> RequestBuilder {
        self.request(Method::GET, "/mcp/v1/tools")
    }

    pub async fn call(&self, tool: &str, arguments: &Value) -> Answer {
        answered(self.call_request(tool, arguments)).await
    }

    pub fn call_request(&self, tool: &str, arguments: &Value) -> RequestBuilder {
        let body = json!({"name": tool, "arguments": arguments});
        self.request(Method::POST, "/mcp/v1/tools/call").json(&body)
    }

    /// A call that may be sent again.
    pub fn call_once(&self, tool: &str, arguments: &Value, idempotency_key: &str) -> RequestBuilder {
        self.call_request(tool, arguments).header("Idempotency-Key", idempotency_key)
    }

    /// Makes a key, and gives its view with `api_key`.
    pub async fn create_key(&self, brand: &str, wish: &Value) -> Value {
        self.post(&format!("/api/brands/{brand}/mcp-keys"), wish).await.expect(201).json()
    }

    /// Makes a key of this scope.
    pub async fn key(&self, brand: &str, scope: &str) -> Key {
        let made = self.create_key(brand, &json!({"label": "a key", "scope": scope})).await;
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        Key { brand: brand.to_owned(), key_id: text("key_id"), secret: text("api_key") }
    }

    pub async fn reveal(&self, brand: &str, key_id: &str) -> Answer {
        answered(self.request(Method::POST, &format!("/api/brands/{brand}/mcp-keys/{key_id}/reveal"))).await
    }

    pub async fn revoke(&self, key: &Key) -> Answer {
        self.delete(&key.path()).await
    }
}

/// A key that was made.
#[derive(Debug, Clone)]
pub struct Key {
    pub brand: String,
    pub key_id: String,
    pub secret: String,
}

impl Key {
    pub fn path(&self) -> String {
        format!("/api/brands/{}/mcp-keys/{}", self.brand, self.key_id)
    }
}

/// The whole answer, however it came out.
pub async fn answered(request: RequestBuilder) -> Answer {
    try_answered(request).await.expect("an answer")
}

/// The same where the service may be gone.
pub async fn try_answered(request: RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Answer { status, headers, text: response.text().await? })
}

/// A body as it is, called JSON whether it is or not.
pub fn as_json(request: RequestBuilder, body: impl Into<Body>) -> RequestBuilder {
    request.header(CONTENT_TYPE, "application/json").body(body)
}

fn client() -> ClientBuilder {
    // A service that does not answer within the bound has failed the test that asks.
    Client::builder().no_proxy().timeout(BOUND)
}

/// A plain question, without much ado: the status and the text, or `None` where nobody answers.
pub async fn glance(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    let asking = async {
        let mut stream = TcpStream::connect(address).await.ok()?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: test\r\n\r\n").as_bytes()).await.ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.ok()?;
        let status = answer.split(' ').nth(1)?.parse().ok()?;
        Some((status, answer.split_once("\r\n\r\n")?.1.to_owned()))
    };
    tokio::time::timeout(BOUND, asking).await.ok().flatten()
}

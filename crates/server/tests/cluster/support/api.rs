//! Asking over HTTP, with a token or a key.

use std::{net::SocketAddr, time::Duration};

use reqwest::{Client, Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::BOUND;

/// One who asks. Paths are those of the API.
#[derive(Debug, Clone)]
pub(crate) struct Api {
    http: Client,
    base: String,
    bearer: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The code of a problem; empty where it is none.
    pub(crate) fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// What a tool answered, where it succeeded.
    pub(crate) fn structured(self) -> Value {
        let answer = self.expect(200).json();
        assert_eq!(answer["isError"], false, "{answer}");
        answer["structuredContent"].clone()
    }

    /// Told that the store does not answer, and when to try again.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.status == 503 && self.code() == "unavailable" && !self.header("retry-after").is_empty()
    }
}

impl Api {
    /// One who is yet to be told whom to ask: `at`.
    pub(crate) fn new(bearer: &str) -> Self {
        let http = Client::builder()
            .no_proxy()
            // A service that does not answer within the bound has failed the test that asks.
            .timeout(BOUND)
            // Gone long before the service would close it, so that the two never cross on the wire.
            .pool_idle_timeout(Duration::from_secs(5))
            .build();
        Self { http: http.expect("a client"), base: String::new(), bearer: bearer.to_owned() }
    }

    pub(crate) fn with(&self, bearer: &str) -> Self {
        Self { bearer: bearer.to_owned(), ..self.clone() }
    }

    /// The same one asking somebody else, over the same pool of connections. A new pool is expensive.
    pub(crate) fn at(&self, address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), ..self.clone() }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.bearer)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answered(self.request(Method::GET, path)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        answered(self.request(Method::DELETE, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        answered(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        answered(self.request(Method::PUT, path).json(body)).await
    }

    /// Lists the tools: the cheapest thing a key can do.
    pub(crate) async fn tools(&self) -> Answer {
        answered(self.tools_request()).await
    }

    pub(crate) fn tools_request(&self) -> RequestBuilder {
        self.request(Method::GET, "/mcp/v1/tools")
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> Answer {
        answered(self.call_request(tool, arguments)).await
    }

    pub(crate) fn call_request(&self, tool: &str, arguments: &Value) -> RequestBuilder {
        let body = json!({"name": tool, "arguments": arguments});
        self.request(Method::POST, "/mcp/v1/tools/call").json(&body)
    }

    /// A call that may be sent again.
    pub(crate) fn call_once(&self, tool: &str, arguments: &Value, idempotency_key: &str) -> RequestBuilder {
        self.call_request(tool, arguments).header("Idempotency-Key", idempotency_key)
    }

    /// Makes a key, and gives its view with `api_key`.
    pub(crate) async fn create_key(&self, brand: &str, scope: &str) -> Key {
        let wish = json!({"label": "cluster", "scope": scope});
        let made = self.post(&format!("/api/brands/{brand}/mcp-keys"), &wish).await.expect(201).json();
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        Key { brand: brand.to_owned(), key_id: text("key_id"), secret: text("api_key") }
    }

    pub(crate) async fn revoke(&self, key: &Key) -> Answer {
        self.delete(&key.path()).await
    }

    /// The whole answer, however it came out, or how the connection failed.
    pub(crate) async fn send(request: RequestBuilder) -> Result<Answer, reqwest::Error> {
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Answer { status, headers, text: response.text().await? })
    }
}

/// A key that was made.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) brand: String,
    pub(crate) key_id: String,
    pub(crate) secret: String,
}

impl Key {
    pub(crate) fn path(&self) -> String {
        format!("/api/brands/{}/mcp-keys/{}", self.brand, self.key_id)
    }
}

async fn answered(request: RequestBuilder) -> Answer {
    Api::send(request).await.expect("an answer")
}

/// A plain question, without much ado: the status and the text, or `None` where nobody answers.
pub(crate) async fn glance(address: SocketAddr, path: &str) -> Option<(u16, String)> {
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

//! Asking over HTTP, with a token or a key.

use std::sync::OnceLock;

use reqwest::{
    Client, Method,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde_json::{Value, json};

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

    /// The code of a problem.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

impl Api {
    pub(crate) fn new(base: String, bearer: &str) -> Self {
        static HTTP: OnceLock<Client> = OnceLock::new();
        // Each test has a runtime of its own, and a kept connection would belong to the one that opened it.
        let make = || Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
        Self { http: HTTP.get_or_init(make).clone(), base, bearer: bearer.to_owned() }
    }

    /// One whose connections are kept open, for much traffic.
    pub(crate) fn persistent(self) -> Self {
        Self { http: Client::builder().no_proxy().build().expect("a client"), ..self }
    }

    pub(crate) fn with(&self, bearer: &str) -> Self {
        Self { bearer: bearer.to_owned(), ..self.clone() }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.bearer)
    }

    /// A request without a credential.
    pub(crate) fn bare(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
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
        self.get("/mcp/v1/tools").await
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> Answer {
        self.post("/mcp/v1/tools/call", &json!({"name": tool, "arguments": arguments})).await
    }

    /// Makes a key, and gives its view with `api_key`.
    pub(crate) async fn create_key(&self, brand: &str, wish: &Value) -> Value {
        self.post(&format!("/api/brands/{brand}/mcp-keys"), wish).await.expect(201).json()
    }

    pub(crate) async fn reveal(&self, brand: &str, key_id: &str) -> Answer {
        let path = format!("/api/brands/{brand}/mcp-keys/{key_id}/reveal");
        answered(self.request(Method::POST, &path)).await
    }
}

/// The whole answer, however it came out.
pub(crate) async fn answered(request: reqwest::RequestBuilder) -> Answer {
    try_answered(request).await.expect("an answer")
}

/// The same where the service may be gone.
pub(crate) async fn try_answered(request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Answer { status, headers, text: response.text().await? })
}

/// A body as it is, called JSON whether it is or not.
pub(crate) fn as_json(
    request: reqwest::RequestBuilder,
    body: impl Into<reqwest::Body>,
) -> reqwest::RequestBuilder {
    request.header(CONTENT_TYPE, "application/json").body(body)
}

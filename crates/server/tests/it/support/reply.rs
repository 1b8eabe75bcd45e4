use reqwest::header::HeaderMap;
use serde_json::Value;

/// A whole response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    /// The bytes as text, as far as they are text.
    pub(crate) text: String,
    /// The text as JSON; null if it is not JSON.
    pub(crate) body: Value,
}

impl Reply {
    pub(crate) async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut bytes = Vec::from(response.bytes().await.unwrap());
        if headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip") {
            bytes = std::io::read_to_string(flate2::read::GzDecoder::new(&*bytes)).unwrap().into();
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status, headers, bytes, text, body }
    }

    #[track_caller]
    pub(crate) fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// Asserts an error with this status and code, in the common format.
    #[track_caller]
    pub(crate) fn expect_problem(self, status: u16, code: &str) -> Self {
        assert_eq!((self.status, self.code()), (status, code), "{}", self.text);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.body["status"], status);
        assert_eq!(self.body["request_id"], self.header("x-request-id"));
        for field in ["type", "title", "detail"] {
            assert!(self.body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {}", self.text);
        }
        self
    }

    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The fields in `errors`.
    pub(crate) fn faulty_fields(&self) -> Vec<&str> {
        let errors = self.body["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
        errors.iter().map(|error| error["field"].as_str().unwrap()).collect()
    }

    /// The whole MCP result, also of a failed call.
    #[track_caller]
    pub(crate) fn expect_ok(&self) -> &Value {
        assert_eq!(self.status, 200, "{}", self.text);
        &self.body
    }

    /// The result of a successful call.
    #[track_caller]
    pub(crate) fn result(&self) -> &Value {
        assert_eq!((self.status, &self.body["isError"]), (200, &Value::Bool(false)), "{}", self.text);
        &self.body["structuredContent"]
    }

    /// The remaining requests in the `RateLimit` header.
    pub(crate) fn remaining(&self) -> u32 {
        let value = self.header("ratelimit");
        let rest =
            value.strip_prefix("\"key\";r=").unwrap_or_else(|| panic!("no RateLimit header: {value:?}"));
        rest.split(';').next().unwrap().parse().unwrap()
    }
}

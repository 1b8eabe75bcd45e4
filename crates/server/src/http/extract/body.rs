//! Reads bodies within a limit of size and time.

use std::{pin::pin, time::Duration};

use axum::BoxError;
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;
use svc_mcp_access::Fault;
use svc_mcp_tools::{
    bounded_json::{self, BoundedJsonError},
    large_input::{self, LARGE_INPUT_BYTES},
};

use crate::http::problem::{Code, Problem};

pub(crate) const MAX_MANAGEMENT_BODY: usize = 64 * 1024;
pub(crate) const MAX_CALL_BODY: usize = 1024 * 1024;

/// A request body, boxed by axum or not.
pub(crate) trait RequestBody: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> {}

impl<B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>>> RequestBody for B {}

pub(crate) async fn read_json(
    headers: &HeaderMap,
    body: impl RequestBody,
    max_bytes: usize,
    timeout: Duration,
) -> Result<Value, Problem> {
    if !is_json(headers) {
        return Err(Problem::new(
            Code::UnsupportedMedia,
            "Send the body as JSON, with the header `Content-Type: application/json`.",
        ));
    }
    let bytes = read_bounded(body, max_bytes, timeout).await?;
    let parsed = if bytes.len() > LARGE_INPUT_BYTES {
        large_input::run(move || bounded_json::parse(&bytes)).await
    } else {
        bounded_json::parse(&bytes)
    };
    parsed.map_err(|error| match error {
        BoundedJsonError::Malformed(error) => Problem::new(
            Code::InvalidJson,
            format!("The body does not parse as JSON: {}.", parse_error(&error)),
        ),
        beyond_a_bound => Problem::invalid_request(Fault::new("body", beyond_a_bound)),
    })
}

/// The whole body, unless it is too large or too slow.
pub(crate) async fn read_bounded(
    body: impl RequestBody,
    max_bytes: usize,
    timeout: Duration,
) -> Result<Vec<u8>, Problem> {
    match tokio::time::timeout(timeout, collect(body, max_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(Problem::new(Code::TooLarge, format!("The body must be at most {} KiB.", max_bytes / 1024)))
        }
        Ok(Err(_)) => Err(Problem::new(Code::InvalidJson, "The body ended before it was complete.")),
        Err(_) => Err(Problem::new(
            Code::RequestTimeout,
            format!("The whole body must arrive within {} seconds.", timeout.as_secs_f64()),
        )
        .header(header::CONNECTION, http::HeaderValue::from_static("close"))),
    }
}

/// Into one buffer: to keep the frames until the end would take twice the memory.
async fn collect(body: impl RequestBody, max_bytes: usize) -> Result<Vec<u8>, BoxError> {
    let length = body.size_hint().lower();
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(usize::MAX).min(max_bytes));
    let mut body = pin!(Limited::new(body, max_bytes));
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes)
}

/// Where the JSON is wrong. The body is not quoted: it may hold a secret.
fn parse_error(error: &serde_json::Error) -> String {
    let what = if error.is_eof() { "it ends too early" } else { "it is malformed" };
    format!("{what}, at line {}, column {}", error.line(), error.column())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

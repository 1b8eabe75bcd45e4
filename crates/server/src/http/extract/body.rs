//! Bodies, bounded in size and time.

use std::{sync::Arc, time::Duration};

use axum::{
    BoxError,
    extract::{FromRequest, Request},
};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;

use crate::{
    app::App,
    http::problem::{Code, Problem},
};

pub(crate) const MANAGEMENT_BODY: usize = 64 * 1024;
pub(crate) const CALL_BODY: usize = 1024 * 1024;

/// The JSON body of a management request. Extract it after the privilege: a stranger's body is not read.
#[derive(Debug)]
pub(crate) struct JsonBody(pub(crate) Value);

impl FromRequest<Arc<App>> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        read_json(&parts.headers, body, MANAGEMENT_BODY, app.body_timeout).await.map(Self)
    }
}

/// A body as it comes in, boxed by the table of routes or not.
pub(crate) trait RequestBody: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> {}

impl<B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>>> RequestBody for B {}

pub(crate) async fn read_json(
    headers: &HeaderMap,
    body: impl RequestBody,
    largest: usize,
    patience: Duration,
) -> Result<Value, Problem> {
    if !is_json(headers) {
        return Err(Problem::new(
            Code::UnsupportedMedia,
            "Send the body as JSON, with the header `Content-Type: application/json`.",
        ));
    }
    let bytes = read_bounded(body, largest, patience).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::new(Code::InvalidJson, format!("The body does not parse as JSON: {}.", parse_fault(&error)))
    })
}

/// All of a body, unless it is too long or too slow.
pub(crate) async fn read_bounded(
    body: impl RequestBody,
    largest: usize,
    patience: Duration,
) -> Result<Bytes, Problem> {
    let read = tokio::time::timeout(patience, Limited::new(body, largest).collect()).await;
    match read {
        Ok(Ok(read)) => Ok(read.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::new(
            Code::TooLarge,
            format!("The most that is taken here is {} KiB.", largest / 1024),
        )),
        Ok(Err(_)) => Err(Problem::new(Code::InvalidJson, "The body ended before it was complete.")),
        Err(_) => Err(Problem::new(
            Code::RequestTimeout,
            format!("The whole body must arrive within {} seconds.", patience.as_secs_f64()),
        )
        .header(header::CONNECTION, http::HeaderValue::from_static("close"))),
    }
}

/// Where it stops being JSON, without quoting it: the body may hold a secret.
fn parse_fault(error: &serde_json::Error) -> String {
    let what = if error.is_eof() { "it ends too early" } else { "it is malformed" };
    format!("{what}, at line {}, column {}", error.line(), error.column())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

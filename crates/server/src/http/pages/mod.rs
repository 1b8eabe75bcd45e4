//! What is open to everybody: the Settings page, the bridge, the API document, and how the service is.

pub(crate) mod bridge;
pub(crate) mod docs;
pub(crate) mod health;
pub(crate) mod mail_links;
pub(crate) mod settings;

use aws_lc_rs::digest::{SHA256, digest};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The hexadecimal SHA-256 of some bytes.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    digest(&SHA256, bytes).as_ref().iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A strong `ETag` for some bytes.
pub(crate) fn tag_of(bytes: &[u8]) -> String {
    format!("\"{}\"", &sha256_hex(bytes)[..32])
}

/// Whether the caller has this version already.
pub(crate) fn is_current(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let wanted = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let tag = etag.to_str().unwrap_or_default();
    wanted
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// Something that does not change while the service runs.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    body: Bytes,
    kind: HeaderValue,
    etag: HeaderValue,
}

impl Document {
    pub(crate) fn new(body: impl Into<Bytes>, kind: &'static str) -> Self {
        let body = body.into();
        let etag = HeaderValue::try_from(tag_of(&body)).expect("a tag is plain ASCII");
        Self { body, kind: HeaderValue::from_static(kind), etag }
    }

    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let about = [
            (header::ETAG, self.etag.clone()),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        if is_current(headers, &self.etag) {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        ([(header::CONTENT_TYPE, self.kind.clone())], about, self.body.clone()).into_response()
    }
}

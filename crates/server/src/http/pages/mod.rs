//! Public pages and files: the Settings page, the bridge and its bundle, the API document, mail links and health checks.

pub(crate) mod bridge;
pub(crate) mod bundle;
pub(crate) mod docs;
pub(crate) mod download;
pub(crate) mod health;
pub(crate) mod mail_links;
pub(crate) mod settings;
mod stored_zip;

use std::io::{self, Read};

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::read::GzDecoder;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::digest::sha256_hex;

/// A strong `ETag`.
pub(crate) fn tag_of(bytes: &[u8]) -> String {
    format!("\"{}\"", &sha256_hex(bytes)[..32])
}

/// Whether the client has this version already.
pub(crate) fn is_current(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let tag = etag.to_str().unwrap_or_default();
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// A file that does not change while the service runs, or a page that is made for one request.
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

    /// The same file without gzip, for clients that do not accept it.
    pub(crate) fn unpacked(&self) -> io::Result<Self> {
        let mut body = Vec::new();
        GzDecoder::new(&*self.body).read_to_end(&mut body)?;
        let etag = HeaderValue::try_from(tag_of(&body)).expect("a tag is plain ASCII");
        Ok(Self { body: body.into(), kind: self.kind.clone(), etag })
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

//! A file as a response, with its `ETag` and with gzip.

use std::io::{self, Read};

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::{Compression, bufread::GzEncoder, read::GzDecoder};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::http::{
    negotiation::{accepts_gzip, is_current, tag_of},
    problem::Problem,
};

/// A file that does not change while the service runs, or a page that is made for one request.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    body: Bytes,
    kind: HeaderValue,
    etag: HeaderValue,
    is_gzip: bool,
}

impl Document {
    pub(crate) fn new(body: impl Into<Bytes>, kind: &'static str) -> Self {
        Self::with_kind(body.into(), HeaderValue::from_static(kind), false)
    }

    /// A file that is compressed with gzip already.
    pub(crate) fn gzip(body: &'static [u8], kind: &'static str) -> Self {
        Self::with_kind(Bytes::from_static(body), HeaderValue::from_static(kind), true)
    }

    /// Compresses the file with gzip.
    pub(crate) fn compressed(text: &str, kind: &'static str) -> Self {
        let mut body = Vec::new();
        let packed = GzEncoder::new(text.as_bytes(), Compression::best()).read_to_end(&mut body);
        packed.expect("reading from memory does not fail");
        Self::with_kind(body.into(), HeaderValue::from_static(kind), true)
    }

    fn with_kind(body: Bytes, kind: HeaderValue, is_gzip: bool) -> Self {
        let etag = HeaderValue::try_from(tag_of(&body)).expect("a tag is plain ASCII");
        Self { body, kind, etag, is_gzip }
    }

    /// The same file without gzip, for clients that do not accept it.
    fn unpacked(&self) -> io::Result<Self> {
        let mut body = Vec::new();
        GzDecoder::new(&*self.body).read_to_end(&mut body)?;
        Ok(Self::with_kind(body.into(), self.kind.clone(), false))
    }

    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        if !self.is_gzip {
            return self.answer_as_is(headers);
        }
        let mut response = if accepts_gzip(headers) {
            let mut response = self.answer_as_is(headers);
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            response
        } else {
            match self.unpacked() {
                Ok(plain) => plain.answer_as_is(headers),
                Err(_) => return Problem::internal().into_response(),
            }
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }

    fn answer_as_is(&self, headers: &HeaderMap) -> Response {
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

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Document;
use crate::http::digest::sha256_hex;

/// A file that people save, with its SHA-256 beside it.
#[derive(Debug)]
pub(crate) struct Download {
    document: Document,
    sum: HeaderValue,
    disposition: HeaderValue,
    /// A line that `sha256sum -c` reads.
    sum_line: String,
}

impl Download {
    pub(crate) fn new(name: &str, kind: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let sum = sha256_hex(&body);
        let ascii = |text: &str| HeaderValue::from_str(text).expect("names and sums are plain ASCII");
        Self {
            sum: ascii(&sum),
            disposition: ascii(&format!("attachment; filename=\"{name}\"")),
            sum_line: format!("{sum}  {name}\n"),
            document: Document::new(body, kind),
        }
    }

    pub(crate) fn answer(&self, request_headers: &HeaderMap) -> Response {
        let mut response = self.document.answer(request_headers);
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static("x-checksum-sha256"), self.sum.clone());
        headers.insert(header::CONTENT_DISPOSITION, self.disposition.clone());
        response
    }

    pub(crate) fn answer_sum(&self) -> Response {
        ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], self.sum_line.clone()).into_response()
    }
}

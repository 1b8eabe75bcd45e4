//! The headers of a response in the memory of its request's headers.

use axum::{body::Body, response::Response};
use http::HeaderMap;

/// The number of headers that a response to a key usually has.
const USUAL_HEADERS: usize = 12;

/// A response with this body and no headers. hyper reads the next request of the connection into the same memory, so only
/// the first one allocates it.
pub(crate) fn response_in_memory_of(mut request_headers: HeaderMap, body: Body) -> Response {
    request_headers.clear();
    request_headers.reserve(USUAL_HEADERS);
    let mut response = Response::new(body);
    *response.headers_mut() = request_headers;
    response
}

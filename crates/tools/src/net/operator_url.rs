//! Requests to URLs that the operator configured. They may be private.

use std::time::Duration;

use http::{Method, header};
use url::Url;

use super::is_loopback;
use crate::trace::{self, NewSpan};

const TIMEOUT: Duration = Duration::from_secs(5);

/// Whether requests to this URL are encrypted, or stay on this machine.
pub fn is_encrypted_or_local(url: &Url) -> bool {
    url.scheme() == "https" || url.scheme() == "http" && is_loopback(url)
}

/// Reads a document of bounded size. Redirects are not followed: the operator named this URL and no other.
pub async fn fetch_operator_url(url: &Url, max_bytes: usize) -> Result<Vec<u8>, OperatorUrlError> {
    let request = reqwest::Request::new(Method::GET, url.clone());
    let response = send(request, max_bytes).await?;
    let status = response.status();
    if status.is_success() {
        Ok(response.into_body())
    } else {
        Err(OperatorUrlError::Status(status.as_u16()))
    }
}

/// Sends a request and reads the whole response, also of an error. Redirects are not followed. The URL may come from a document
/// of the host that the operator configured, so its scheme is checked.
pub async fn send_to_operator_url(
    request: http::Request<Vec<u8>>,
    max_bytes: usize,
) -> Result<http::Response<Vec<u8>>, OperatorUrlError> {
    let request = reqwest::Request::try_from(request)?;
    if !is_encrypted_or_local(request.url()) {
        return Err(OperatorUrlError::Insecure);
    }
    send(request, max_bytes).await
}

async fn send(
    request: reqwest::Request,
    max_bytes: usize,
) -> Result<http::Response<Vec<u8>>, OperatorUrlError> {
    let (method, host) =
        (request.method().to_string(), request.url().host_str().unwrap_or_default().to_owned());
    let describe =
        || NewSpan::client(method.clone()).with("http.request.method", method).with("server.address", host);
    trace::in_span(describe, async {
        let sent = send_once(request, max_bytes).await;
        if !sent.as_ref().is_ok_and(|response| response.status().is_success()) {
            trace::fail("not_read");
        }
        sent
    })
    .await
}

async fn send_once(
    request: reqwest::Request,
    max_bytes: usize,
) -> Result<http::Response<Vec<u8>>, OperatorUrlError> {
    let client = reqwest::Client::builder()
        .timeout(TIMEOUT)
        // A proxy from the environment could answer with other keys.
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(OperatorUrlError::from)?;
    let mut response = client.execute(request).await?;
    let mut answer = http::Response::builder().status(response.status());
    if let Some(kind) = response.headers().get(header::CONTENT_TYPE) {
        answer = answer.header(header::CONTENT_TYPE, kind);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > max_bytes {
            return Err(OperatorUrlError::TooLarge(max_bytes));
        }
    }
    Ok(answer.body(body).expect("status and header come from a response"))
}

#[derive(Debug, thiserror::Error)]
pub enum OperatorUrlError {
    #[error("the address must use https, except on this machine")]
    Insecure,
    #[error("the response has status {0}")]
    Status(u16),
    #[error("the response is longer than {0} bytes")]
    TooLarge(usize),
    #[error("the request failed: {0}")]
    Failed(#[source] reqwest::Error),
}

impl From<reqwest::Error> for OperatorUrlError {
    fn from(error: reqwest::Error) -> Self {
        // The URL may contain credentials.
        Self::Failed(error.without_url())
    }
}

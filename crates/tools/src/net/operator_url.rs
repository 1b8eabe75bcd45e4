//! Reads documents from URLs that the operator configured. They may be private.

use std::time::Duration;

use url::Url;

use crate::trace::{self, NewSpan};

const TIMEOUT: Duration = Duration::from_secs(5);

/// Reads a document of bounded size. Redirects are not followed: the operator named this URL and no other.
pub async fn fetch_operator_url(url: &Url, max_bytes: usize) -> Result<Vec<u8>, OperatorUrlError> {
    let describe = || {
        let host = url.host_str().unwrap_or_default().to_owned();
        NewSpan::client("GET").with("http.request.method", "GET").with("server.address", host)
    };
    trace::in_span(describe, async {
        let fetched = fetch(url, max_bytes).await;
        if fetched.is_err() {
            trace::fail("not_read");
        }
        fetched
    })
    .await
}

async fn fetch(url: &Url, max_bytes: usize) -> Result<Vec<u8>, OperatorUrlError> {
    let client = reqwest::Client::builder()
        .timeout(TIMEOUT)
        // A proxy from the environment could answer with other keys.
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(OperatorUrlError::from)?;
    let mut response = client.get(url.clone()).send().await?.error_for_status()?;
    if !response.status().is_success() {
        return Err(OperatorUrlError::Status(response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > max_bytes {
            return Err(OperatorUrlError::TooLarge(max_bytes));
        }
    }
    Ok(body)
}

#[derive(Debug, thiserror::Error)]
pub enum OperatorUrlError {
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

//! Documents from an address that the operator configured, which may well be a private one.

use std::time::Duration;

/// Reads a document from an address that the operator configured. Bounded in size and time; redirects are not
/// followed, since the operator named this address and no other.
pub async fn fetch_configured(address: &str, largest: usize) -> Result<Vec<u8>, FetchError> {
    let client = reqwest::Client::builder()
        .timeout(Duration::from_secs(5))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(FetchError::from)?;
    let mut response = client.get(address).send().await?.error_for_status()?;
    if !response.status().is_success() {
        return Err(FetchError::Status(response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > largest {
            return Err(FetchError::TooLarge(largest));
        }
    }
    Ok(body)
}

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it is longer than {0} bytes")]
    TooLarge(usize),
    #[error("it did not answer: {0}")]
    Failed(String),
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        // Without the address: it may hold credentials.
        Self::Failed(error.without_url().to_string())
    }
}

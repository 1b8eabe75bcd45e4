//! Tests of the connections that a brand has set up. A test sends a real request and publishes nothing.

use std::time::Duration;

use svc_mcp_access::{ChannelId, EndpointId};
use tokio::time::timeout;

/// How long a test may take.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(15);

/// What is tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestedConnection {
    Channel(ChannelId),
    EventEndpoint(EndpointId),
    ReportRecipients,
}

/// What a test has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    pub ok: bool,
    /// What was reached, or why not and what to do. It has no secrets.
    pub message: String,
    /// The status that the other server answered with, if it answered.
    pub status: Option<u16>,
}

impl TestOutcome {
    pub fn passed(message: impl Into<String>, status: Option<u16>) -> Self {
        Self { ok: true, message: message.into(), status }
    }

    pub fn failed(message: impl Into<String>, status: Option<u16>) -> Self {
        Self { ok: false, message: message.into(), status }
    }

    /// The outcome of a test that ends in time.
    pub async fn within_timeout(test: impl Future<Output = Self>) -> Self {
        Self::within(TEST_TIMEOUT, test).await
    }

    async fn within(limit: Duration, test: impl Future<Output = Self>) -> Self {
        timeout(limit, test).await.unwrap_or_else(|_| {
            let seconds = TEST_TIMEOUT.as_secs();
            Self::failed(format!("There was no answer within {seconds} seconds. Try again later."), None)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn test_without_an_answer_fails_in_time() {
        let outcome = TestOutcome::within(Duration::from_millis(1), std::future::pending()).await;
        assert_eq!((outcome.ok, outcome.status), (false, None));
        assert!(outcome.message.contains("15 seconds"), "{}", outcome.message);
        let passed = TestOutcome::passed("It works.", Some(200));
        assert_eq!(TestOutcome::within_timeout(std::future::ready(passed.clone())).await, passed);
    }
}

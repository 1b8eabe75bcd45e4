//! Fetches pages through the guarded HTTP client. Hosts outside the crawl's scope get only HEAD requests.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use super::{
    CrawlScope,
    fetch::{CpuWork, Fetch, FetchError, FetchRequest, FetchResponse, Method},
};
use crate::{
    cpu_pool::BrandCpu,
    net::{Limits, NetError, Outbound, Request},
};

const PAGE_TIMEOUT: Duration = Duration::from_secs(20);
const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[derive(Debug, Clone)]
pub struct OutboundFetch {
    outbound: Outbound,
    scope: CrawlScope,
    timeout: Duration,
    cpu: BrandCpu,
}

impl OutboundFetch {
    pub fn new(outbound: Outbound, scope: CrawlScope, cpu: BrandCpu) -> Self {
        Self { outbound, scope, timeout: PAGE_TIMEOUT, cpu }
    }

    /// Sets the time for one response, including its body.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }
}

#[async_trait::async_trait]
impl Fetch for OutboundFetch {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let (method, max_body_bytes) = match request.method {
            Method::Get if self.scope.contains(&request.url) => (http::Method::GET, request.max_body_bytes),
            Method::Get => return Err(FetchError::Refused),
            Method::Head => (http::Method::HEAD, 0),
        };
        let request = Request {
            headers: HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(ACCEPT))]),
            limits: Limits { timeout: self.timeout, max_body_bytes, max_redirects: 0 },
            ..Request::new(method, request.url.into(), Vec::new())
        };
        let response = self.outbound.send(request).await?;
        let headers = response.headers.iter().map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        });
        Ok(FetchResponse {
            status: response.status,
            headers: headers.collect(),
            truncated: response.truncated && max_body_bytes > 0,
            body: response.body,
            first_byte_ms: u32::try_from(response.time_to_first_byte.as_millis()).unwrap_or(u32::MAX),
        })
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }

    async fn run_cpu_work(&self, work: CpuWork) {
        // The work sends its own result. Without one, the caller knows that it failed.
        let _ = self.cpu.run(work).await;
    }
}

impl From<NetError> for FetchError {
    fn from(error: NetError) -> Self {
        match error {
            NetError::Refused(_) => Self::Refused,
            NetError::Timeout | NetError::ConnectTimeout => Self::Timeout,
            NetError::Dns => Self::Dns,
            NetError::Connection | NetError::Connect => Self::Connection,
            NetError::Tls => Self::Tls,
            NetError::InvalidResponse(_) | NetError::TooLarge | NetError::TooManyRedirects => {
                Self::Unreadable
            }
        }
    }
}

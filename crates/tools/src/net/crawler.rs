//! The guarded client as the audit uses it: it reads the hosts that the work is about, and only knocks elsewhere.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use tokio::time::Instant;
use url::Url;

use super::{Outbound, body, client::Hop, guard::Refusal, trouble::Trouble};
use crate::audit::{
    Page, Scope,
    fetch::{self, Fetch, FetchFault, Fetched},
};

/// A page that takes longer is a fault of its own.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[derive(Debug, Clone)]
pub struct Crawler {
    outbound: Outbound,
    hosts: Scope,
    time: Duration,
}

impl Crawler {
    /// For these hosts, the brand's and its competitors'.
    pub fn new(outbound: Outbound, hosts: Scope) -> Self {
        Self { outbound, hosts, time: LONGEST_WAIT }
    }

    /// How long one answer may take, body and all.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    async fn answer(&self, request: fetch::Request) -> Result<Fetched, Trouble> {
        let method = match request.method {
            fetch::Method::Get if self.hosts.holds(&request.address) => Method::GET,
            fetch::Method::Get => return Err(Refusal::OtherHost.into()),
            fetch::Method::Head => Method::HEAD,
        };
        let url = Url::parse(request.address.as_str()).map_err(|_| Refusal::NoHost)?;
        let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(ACCEPT))]);
        let sent = Instant::now();
        let response =
            self.outbound.hop(Hop { method: method.clone(), url, headers, body: Bytes::new() }).await?;
        let first_byte_ms = u32::try_from(sent.elapsed().as_millis()).unwrap_or(u32::MAX);
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let (body, cut) = if method == Method::HEAD {
            (Vec::new(), false)
        } else {
            let body = body::read(response, request.largest_body).await?;
            (body.bytes, body.truncated)
        };
        Ok(Fetched { status, headers, body, cut, first_byte_ms })
    }
}

#[async_trait::async_trait]
impl Fetch for Crawler {
    async fn fetch(&self, request: fetch::Request) -> Result<Fetched, FetchFault> {
        match tokio::time::timeout(self.time, self.answer(request)).await {
            Ok(answer) => answer.map_err(FetchFault::from),
            Err(_) => Err(FetchFault::Timeout),
        }
    }

    async fn pause(&self, how_long: Duration) {
        tokio::time::sleep(how_long).await;
    }

    async fn read(&self, work: Box<dyn FnOnce() -> Page + Send>) -> Page {
        match tokio::task::spawn_blocking(work).await {
            Ok(page) => page,
            Err(failed) => std::panic::resume_unwind(failed.into_panic()),
        }
    }
}

impl From<Trouble> for FetchFault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(_) => Self::Refused,
            Trouble::Timeout => Self::Timeout,
            Trouble::Name => Self::Name,
            Trouble::Connection => Self::Connection,
            Trouble::Tls => Self::Tls,
            Trouble::Unreadable(_) | Trouble::TooLarge | Trouble::TooManyRedirects => Self::Unreadable,
        }
    }
}

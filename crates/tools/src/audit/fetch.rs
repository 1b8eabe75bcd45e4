//! What the crawler needs from outside: answers, and time passing. The one guarded client gives them in the
//! service, a map of pages in the tests.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Address, Page};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub address: Address,
    pub method: Method,
    /// More of the body is not wanted: what is longer is cut off here and marked `cut`.
    pub largest_body: usize,
}

/// An answer of any status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fetched {
    pub status: u16,
    /// Names in lower case, in the order of the answer.
    pub headers: Vec<(String, String)>,
    /// Without its transfer and content encodings.
    pub body: Vec<u8>,
    /// The body is longer than was asked for.
    pub cut: bool,
    /// From sending the request to the first byte of the answer.
    pub first_byte_ms: u32,
}

impl Fetched {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum FetchFault {
    #[error("it did not answer in time")]
    Timeout,
    #[error("its name could not be resolved")]
    Name,
    #[error("the connection failed")]
    Connection,
    #[error("the secure connection failed")]
    Tls,
    /// The guarded client does not go there: a private address, a forbidden port.
    #[error("the address is not one that may be visited")]
    Refused,
    #[error("the answer could not be read")]
    Unreadable,
}

#[async_trait::async_trait]
pub trait Fetch: Send + Sync {
    /// Sends one request. Redirects are answers: they are not followed here.
    async fn fetch(&self, request: Request) -> Result<Fetched, FetchFault>;

    /// The page at this address, if it is known from a crawl that was cut off: it is not asked for again.
    fn remembered(&self, _: &Address) -> Option<Page> {
        None
    }

    /// Lets time pass.
    async fn pause(&self, how_long: Duration);

    /// Runs the reading of a page, which takes milliseconds of a processor: a server does that beside its requests.
    async fn read(&self, work: Box<dyn FnOnce() -> Page + Send>) -> Page {
        work()
    }
}

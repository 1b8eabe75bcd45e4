//! Why a request has no response. No message repeats a URL or a header, because both may contain credentials.

use std::{error::Error, io};

use super::guard::GuardError;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    #[error("the request was not sent: {0}")]
    Refused(#[from] GuardError),
    #[error("it did not respond in time")]
    Timeout,
    #[error("its host name could not be resolved")]
    Dns,
    #[error("the connection could not be made")]
    Connect,
    #[error("the connection could not be made in time")]
    ConnectTimeout,
    #[error("the connection failed")]
    Connection,
    #[error("the secure connection failed")]
    Tls,
    #[error("its response could not be read: {0}")]
    InvalidResponse(&'static str),
    #[error("its response is too large")]
    TooLarge,
    #[error("it redirects too many times, or in a loop")]
    TooManyRedirects,
}

impl From<reqwest::Error> for NetError {
    fn from(error: reqwest::Error) -> Self {
        if let Some(refused) = find_cause::<GuardError>(&error) {
            return Self::Refused(refused.clone());
        }
        if error.is_timeout() {
            return if error.is_connect() { Self::ConnectTimeout } else { Self::Timeout };
        }
        if error.is_dns() {
            return Self::Dns;
        }
        if error.is_connect() {
            let is_tls = find_cause::<rustls::Error>(&error).is_some();
            return if is_tls { Self::Tls } else { Self::Connect };
        }
        match find_cause::<hyper::Error>(&error) {
            Some(error) if error.is_parse_too_large() => Self::TooLarge,
            Some(error) if error.is_parse() => Self::InvalidResponse("it is not HTTP"),
            Some(error) if error.is_incomplete_message() => {
                Self::InvalidResponse("the connection was closed too early")
            }
            _ if error.is_body() || error.is_decode() => Self::InvalidResponse("the body is incomplete"),
            _ => Self::Connection,
        }
    }
}

impl NetError {
    /// One word, for a span.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::Timeout => "timeout",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::ConnectTimeout => "connect_timeout",
            Self::Connection => "connection",
            Self::Tls => "tls",
            Self::InvalidResponse(_) => "invalid_response",
            Self::TooLarge => "too_large",
            Self::TooManyRedirects => "too_many_redirects",
        }
    }

    /// Whether the server may have received the request.
    pub fn may_have_been_sent(&self) -> bool {
        !matches!(self, Self::Refused(_) | Self::Dns | Self::Connect | Self::ConnectTimeout | Self::Tls)
    }
}

/// The first error of this type in the chain. `source` skips the error inside an I/O error, so that one is looked at
/// too.
fn find_cause<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

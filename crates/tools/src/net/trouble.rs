//! Why there is no answer. No message repeats an address or a header: they may hold credentials.

use std::{error::Error, io};

use super::guard::Refusal;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The guard does not let it out.
    #[error("it was not visited: {0}")]
    Refused(String),
    #[error("it did not answer in time")]
    Timeout,
    #[error("it could not be reached: {0}")]
    Unreachable(String),
    #[error("its answer is too large")]
    TooLarge,
    #[error("it redirects too often, or in a circle")]
    TooManyRedirects,
}

/// The same, told apart more finely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    Refused(Refusal),
    Timeout,
    Name,
    Connection,
    Tls,
    /// What came is no answer, or not all of it.
    Unreadable(&'static str),
    TooLarge,
    TooManyRedirects,
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Trouble> for NetError {
    fn from(trouble: Trouble) -> Self {
        let unreachable = |why: &str| Self::Unreachable(why.to_owned());
        match trouble {
            Trouble::Refused(refusal) => Self::Refused(refusal.to_string()),
            Trouble::Timeout => Self::Timeout,
            Trouble::Name => unreachable("its name could not be resolved"),
            Trouble::Connection => unreachable("the connection failed"),
            Trouble::Tls => unreachable("the secure connection failed"),
            Trouble::Unreadable(why) => unreachable(why),
            Trouble::TooLarge => Self::TooLarge,
            Trouble::TooManyRedirects => Self::TooManyRedirects,
        }
    }
}

impl From<reqwest::Error> for Trouble {
    fn from(error: reqwest::Error) -> Self {
        if let Some(refusal) = cause::<Refusal>(&error) {
            return Self::Refused(*refusal);
        }
        if error.is_timeout() {
            return Self::Timeout;
        }
        if error.is_dns() {
            return Self::Name;
        }
        if cause::<rustls::Error>(&error).is_some() {
            return Self::Tls;
        }
        match cause::<hyper::Error>(&error) {
            Some(error) if error.is_parse_too_large() => Self::TooLarge,
            Some(error) if error.is_parse() => Self::Unreadable("what it sent is not HTTP"),
            Some(error) if error.is_incomplete_message() => {
                Self::Unreadable("it closed the connection too early")
            }
            _ if error.is_body() || error.is_decode() => Self::Unreadable("its answer broke off"),
            _ => Self::Connection,
        }
    }
}

/// The first cause of this kind. An I/O error hides the one within from its `source`.
fn cause<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let within = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match within {
            Some(within) => Some(within as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

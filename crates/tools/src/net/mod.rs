//! The only module that opens outbound HTTP connections.
//!
//! [`Outbound`] sends requests to URLs that users and sites supply: it connects only to public addresses, and bounds
//! the size and time of every response. [`fetch_operator_url`] and [`send_to_operator_url`] use URLs that the
//! operator configured, private ones included.

mod body;
mod client;
mod error;
mod guard;
mod message;
mod operator_url;
mod resolver;
mod special_purpose;
mod url;

pub use self::{
    client::{ClientError, Outbound},
    error::NetError,
    guard::{Guard, GuardError, InvalidHostError},
    message::{Limits, Request, Response},
    operator_url::{OperatorUrlError, fetch_operator_url, is_encrypted_or_local, send_to_operator_url},
    resolver::{DnsResolver, SystemResolver},
    special_purpose::{SpecialPurpose, special_purpose},
    url::{
        HTTP_URL_MESSAGE, HTTP_URL_PATTERN, MAX_URL_CHARS, UrlError, check_http_url, is_loopback,
        parse_http_url,
    },
};

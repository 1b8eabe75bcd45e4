//! Parsers of values that several settings share.

use std::{ops::RangeInclusive, time::Duration};

use svc_mcp_access::{Network, Secret, network::NetworkError};
use svc_mcp_tools::net::{UrlError, is_encrypted_or_local, parse_http_url};

#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("must be a number of seconds, {min} to {max}")]
    Seconds { min: f64, max: f64 },
    #[error(transparent)]
    HttpUrl(#[from] UrlError),
    #[error("must be an address without a query")]
    Query,
    #[error("must be an address: {0}")]
    Url(#[from] url::ParseError),
    #[error("must be an origin such as {0}")]
    Origin(String),
    #[error("must begin with https://")]
    Https,
    #[error("must begin with https://, except on this machine")]
    Insecure,
    #[error("must be 1 to 60 characters, without control characters")]
    PageName,
}

#[expect(clippy::unnecessary_wraps, reason = "clap expects a Result")]
pub(super) fn secret(text: &str) -> Result<Secret, SettingError> {
    Ok(Secret::new(text.to_owned()))
}

/// A parser for a number of seconds in this range. The help text of the setting states the range.
pub(super) fn seconds(
    range: RangeInclusive<f64>,
) -> impl Fn(&str) -> Result<Duration, SettingError> + Clone + Send + Sync + 'static {
    move |text| {
        let error = || SettingError::Seconds { min: *range.start(), max: *range.end() };
        let number: f64 = text.trim().parse().map_err(|_| error())?;
        if range.contains(&number) { Ok(Duration::from_secs_f64(number)) } else { Err(error()) }
    }
}

pub(super) fn network(text: &str) -> Result<Network, NetworkError> {
    text.trim().parse()
}

pub(super) fn public_url(text: &str) -> Result<String, SettingError> {
    if parse_http_url(text)?.query().is_some() {
        return Err(SettingError::Query);
    }
    Ok(text.trim().trim_end_matches('/').to_owned())
}

/// An address for people, with or without a query.
pub(super) fn page_url(text: &str) -> Result<String, SettingError> {
    Ok(parse_http_url(text)?.into())
}

/// The name of an OpenID Connect provider. It is kept as it is written, because it is compared as a text.
pub(super) fn issuer_url(text: &str) -> Result<String, SettingError> {
    let url = parse_http_url(text)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(SettingError::Query);
    }
    if is_encrypted_or_local(&url) { Ok(text.to_owned()) } else { Err(SettingError::Insecure) }
}

pub(super) fn origin(text: &str) -> Result<String, SettingError> {
    let origin = url::Url::parse(text)?.origin().ascii_serialization();
    if origin == text { Ok(origin) } else { Err(SettingError::Origin(origin)) }
}

/// An origin whose pages get codes that sign people in.
pub(super) fn embedding_origin(text: &str) -> Result<String, SettingError> {
    let origin = origin(text.trim())?;
    let is_safe = is_encrypted_or_local(&url::Url::parse(&origin)?);
    if is_safe { Ok(origin) } else { Err(SettingError::Insecure) }
}

pub(super) fn https_url(text: &str) -> Result<String, SettingError> {
    let url = parse_http_url(text)?;
    if url.scheme() == "https" { Ok(url.into()) } else { Err(SettingError::Https) }
}

pub(super) fn page_name(text: &str) -> Result<String, SettingError> {
    let name = text.trim();
    let fits = (1..=60).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits { Ok(name.to_owned()) } else { Err(SettingError::PageName) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_need_an_origin_with_https_or_on_this_machine() {
        for good in ["https://app.example", "http://127.0.0.1:3000", "http://localhost:3000"] {
            assert_eq!(embedding_origin(good).unwrap(), good);
        }
        for bad in [
            "http://app.example",
            "https://app.example/",
            "https://app.example/a",
            "app.example",
            "null",
            "*",
            "data:x",
        ] {
            assert!(embedding_origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn seconds_have_a_range() {
        let parse = seconds(0.1..=3600.0);
        for (text, millis) in [("0.1", 100), ("15", 15_000), ("3600", 3_600_000), (" 2 ", 2_000)] {
            assert_eq!(parse(text).unwrap(), Duration::from_millis(millis), "{text}");
        }
        for text in ["", "0", "0.09", "3600.1", "-1", "NaN", "inf", "soon", "1s"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

//! Values that the store itself has written as text. If one cannot be read, the data is damaged or was written by a newer
//! version.

use std::str::FromStr;

use serde::de::DeserializeOwned;

pub(crate) fn unreadable(what: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unreadable {what}").into())
}

pub(crate) fn parse_column<T: FromStr>(text: &str, what: &str) -> Result<T, sqlx::Error> {
    text.parse().map_err(|_| unreadable(what))
}

pub(crate) fn parse_json_column<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(text).map_err(|_| unreadable(what))
}

/// The tools that a key is restricted to.
pub(crate) fn parse_tools_column(text: Option<&str>) -> Result<Option<Vec<String>>, sqlx::Error> {
    text.map(|tools| parse_json_column(tools, "list of tools")).transpose()
}

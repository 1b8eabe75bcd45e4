//! Values that the store itself has written as text. If one cannot be read, the data is damaged or was written by a newer
//! version.

use std::{collections::BTreeMap, str::FromStr};

use serde::de::DeserializeOwned;
use svc_mcp_access::{Networks, Quotas};

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

/// The networks that a key may be used from.
pub(crate) fn parse_networks_column(text: Option<&str>) -> Result<Option<Networks>, sqlx::Error> {
    text.map(|networks| parse_json_column(networks, "list of networks")).transpose()
}

/// The limits that a plan sets itself. A newer version may know more quotas: their names are ignored.
pub(crate) fn parse_quotas_column(text: Option<&str>) -> Result<Quotas, sqlx::Error> {
    let Some(text) = text else { return Ok(Quotas::default()) };
    let limits: BTreeMap<String, u32> = parse_json_column(text, "quotas")?;
    Ok(limits.into_iter().filter_map(|(name, limit)| Some((name.parse().ok()?, limit))).collect())
}

//! The HTTP surface. Only here are there status codes.

mod admin;
mod answer;
mod brand;
mod channels;
mod connection;
pub(crate) mod edge;
mod extract;
mod feeds;
pub(crate) mod in_flight;
mod keys;
mod keyword_imports;
pub(crate) mod limit;
mod me;
pub(crate) mod observe;
mod openapi;
mod pages;
pub(crate) mod problem;
pub(crate) mod ready;
mod report_recipients;
pub mod router;
pub(crate) mod seconds;
pub(crate) mod serve;
mod stream;
pub(crate) mod tool_lists;
mod tools;

pub(crate) use keyword_imports::sha_256;

/// A key as the API shows it, for the command line.
pub(crate) fn key_view(
    key: svc_mcp_access::key::Key,
    now: svc_mcp_access::Timestamp,
) -> impl serde::Serialize {
    keys::KeyView::of(key, now)
}

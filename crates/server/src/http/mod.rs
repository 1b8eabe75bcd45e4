//! The HTTP interface. Only this module knows status codes.

mod activity;
mod approval_settings;
mod approvals;
pub(crate) mod body_budget;
mod brands;
mod channels;
pub(crate) mod digest;
pub(crate) mod dispatcher;
mod extract;
mod feeds;
pub(crate) mod histogram;
pub(crate) mod in_flight;
mod instrument;
mod keys;
mod keyword_imports;
pub(crate) mod management_limit;
mod markup;
mod me;
mod members;
pub(crate) mod metrics;
mod openapi;
mod operation;
mod pages;
mod plans;
mod posts;
pub(crate) mod problem;
mod rate_limit;
mod report_recipients;
pub mod router;
pub(crate) mod tool_lists;
mod tools;
pub(crate) mod transport;
mod usage;

pub use feeds::atom::write_feed;

/// A key in the form of the API, for the command line.
pub(crate) fn key_view(
    key: svc_mcp_access::key::Key,
    now: svc_mcp_access::Timestamp,
) -> impl serde::Serialize {
    keys::KeyView::new(key, now)
}

/// What a revoke stopped, in the form of the API.
pub(crate) fn revoked_view(stopped: svc_mcp_store::StoppedWork) -> impl serde::Serialize {
    keys::revoke::RevokedKey::from(stopped)
}

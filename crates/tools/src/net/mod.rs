//! The one place that opens outbound connections.
//!
//! [`Outbound`] is for addresses that people and sites give: it connects to public addresses alone, and everything it
//! reads is bounded in size and time. [`Crawler`] lends it to the audit. [`fetch_configured`] is for the operator's own.

mod addresses;
mod body;
mod client;
mod configured;
mod crawler;
mod guard;
mod message;
mod names;
mod trouble;

pub use addresses::{Special, special};
pub use client::Outbound;
pub use configured::{FetchError, fetch_configured};
pub use crawler::Crawler;
pub use guard::{Guard, HostFault};
pub use message::{Answer, Limits, Request};
pub use names::{Names, SystemNames};
pub use trouble::NetError;

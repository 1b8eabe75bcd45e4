//! Tests the guarded client with real servers on this machine, which it is allowed to reach, and with addresses and
//! names that it must refuse.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bodies;
mod deadlines;
mod environment;
mod guard;
mod hostile_sites;
mod outbound_fetch;
mod redirects;
mod servers;
mod special_purpose;

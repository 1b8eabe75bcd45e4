//! The guarded client against real servers on this machine, which it is told to let through, and against addresses
//! and names that it must not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod bodies;
mod crawler;
mod deadlines;
mod environment;
mod guard;
mod redirects;
mod servers;

//! What listens: the accept loop, one task for each connection, and how bytes are written to a socket. Nothing here
//! knows a route.

mod activity;
mod address_limit;
mod client_network;
mod connection;
mod listener;
mod stream;

pub(crate) use client_network::client_network;
pub(crate) use listener::Listener;

//! The server: the HTTP interface, the command line, and background tasks.

pub mod app;
mod background;
pub mod cli;
pub mod clock;
pub mod config;
mod core_dumps;
mod demo;
mod error_chain;
mod generated_secrets;
pub mod http;
pub mod jwt;
pub mod service;
mod telemetry;

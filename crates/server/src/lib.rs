//! The server: the HTTP interface, the command line, and background tasks.

mod allocator;
pub mod app;
mod background;
mod brand_export;
mod check;
pub mod cli;
pub mod clock;
pub mod config;
mod core_dumps;
mod demo;
mod erasure;
mod error_chain;
mod gauges;
mod generated_secrets;
pub mod http;
pub mod jwt;
mod log;
pub mod oidc;
pub mod service;
pub mod telemetry;
mod traces;

//! How it is reached: the HTTP surface, the command line, and what runs beside them.

pub mod app;
mod background;
pub mod cli;
pub mod clock;
pub mod config;
mod demo;
pub mod http;
pub mod jwt;
mod kept;
pub mod service;
mod telemetry;

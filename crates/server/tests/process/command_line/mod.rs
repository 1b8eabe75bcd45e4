//! The command line: its output, its errors, and its effect on a running service.

mod admin;
mod demo;
mod files;
mod help;
mod jwks;
mod lock;
mod notice;
mod redis_tls;
mod reveal;
mod start;
mod token;

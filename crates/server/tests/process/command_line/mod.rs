//! The command line: its output, its errors, and its effect on a running service.

mod admin;
mod audit_log;
mod backup;
mod brand_data;
mod demo;
mod files;
mod help;
pub(crate) mod jwks;
mod lock;
mod notice;
mod operator;
mod operator_page;
mod redis_tls;
mod reveal;
mod start;
mod token;

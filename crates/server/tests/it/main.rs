//! The service as its callers see it, over real HTTP.
//!
//! Runs on SQLite, or with `SVC_TEST_ENGINE=postgres` on PostgreSQL and Redis: the same tests for both.

#![expect(clippy::unwrap_used, reason = "a test that meets what it did not expect ends there")]

mod access;
mod activity;
mod admin;
mod analyses;
mod api_document;
mod audits;
mod errors;
mod feeds;
mod idempotency;
mod jwt;
mod keys;
mod keywords;
mod outage;
mod pages;
mod panics;
mod rate;
mod reveal;
mod support;
mod sweep;
mod tools;

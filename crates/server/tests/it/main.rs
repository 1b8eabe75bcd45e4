//! The service over real HTTP.
//!
//! The tests run on SQLite, or with `SVC_TEST_ENGINE=postgres` on PostgreSQL and Redis.

#![expect(clippy::unwrap_used, reason = "an unexpected value fails the test")]

mod access;
mod activity;
mod admin;
mod analyses;
mod api_document;
mod approval_emails;
mod approvals;
mod audits;
mod channels;
mod cors;
mod errors;
mod fairness;
mod feeds;
mod hostile_bodies;
mod idempotency;
mod jwt;
mod keys;
mod keywords;
mod limits;
mod managed_posts;
mod outage;
mod pages;
mod panics;
mod post_edits;
mod publishing;
mod quotas;
mod rate;
mod reports;
mod reveal;
mod stops;

mod support;
mod sweep;
mod tools;
mod unknown_outcome;
mod withdrawals;

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
mod audit_log;
mod audit_results;
mod audits;
mod channels;
mod connection_tests;
mod cors;
mod erasure;
mod errors;
mod events;
mod fairness;
mod feeds;
mod hostile_bodies;
mod idempotency;
mod identity;
mod jwt;
mod key_networks;
mod key_notices;
mod key_updates;
mod keys;
mod keyword_gaps;
mod keywords;
mod leaked_keys;
mod limits;
mod long_posts;
mod managed_audits;
mod managed_posts;
mod operator;
mod outage;
mod pages;
mod panics;
mod plan_quotas;
mod post_edits;
mod post_media;
mod post_times;
mod publishing;
mod quotas;
mod rate;
mod reports;
mod reveal;
mod rotation;
mod schedules;
mod sign_in;
mod stops;

mod support;
mod sweep;
mod time_zones;
mod tools;
mod unknown_outcome;
mod user_erasure;
mod withdrawals;

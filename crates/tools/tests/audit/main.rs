//! Compares the audit with other implementations, and runs it on sites in memory. `oracle.py` writes `golden/`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cases;
mod checks;
mod crawl;
mod fake_web;
mod fixes;
mod pages;
mod robots;
mod sitemap;

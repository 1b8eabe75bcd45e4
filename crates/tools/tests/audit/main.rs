//! The audit held against its oracles, and walked over sites in memory. `oracle.py` writes `golden/` anew.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cases;
mod checks;
mod crawl;
mod robots;
mod sitemap;
mod world;

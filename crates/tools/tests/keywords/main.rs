//! Keyword research as its callers see it: exports as the tools really write them, and whole searches.

mod import;
mod search;

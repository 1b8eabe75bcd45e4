//! Keyword research: parsing of real exports, and complete searches.

mod import;
mod search;

//! Keyword research: what people search for around the brand's subjects, from its own texts and its competitors', from
//! exported lists of keyword tools, and from a provider that the operator configured.
//!
//! What no source knows is null. What a crawled page or a list says is data, marked by its source.

pub mod corpus;
pub mod import;
mod intent;
mod markers;
mod model;
mod search;
mod seeds;

pub use intent::{IntentReader, QuestionKind};
pub use model::{ExportTool, Figures, Intent, LONGEST_KEYWORD, ListedKeyword, Range, folded, tidy};
pub use search::{Found, KeywordRow, KeywordSource, Listed, MOST_ROWS, Names, Query, search};
pub use seeds::Match;

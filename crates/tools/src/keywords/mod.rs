//! Keyword research: keywords from the brand's texts and its competitors' pages, from exported lists of keyword tools, and
//! from a provider that the operator configures.
//!
//! A figure that no source has is left out. Text from pages and lists is untrusted data and keeps its source.

pub mod corpus;
mod corpus_loader;
mod get_keyword_search;
pub mod import;
mod intent;
mod keyword_research_search;
mod list_keyword_searches;
mod markers;
mod model;
mod provider;
mod records;
mod search;
mod search_slots;
mod seeds;
mod view;

pub use get_keyword_search::GetKeywordSearch;
pub use keyword_research_search::KeywordResearchSearch;
pub use list_keyword_searches::ListKeywordSearches;
pub use model::{ExportTool, Figures, Intent, ListedKeyword, MAX_KEYWORD_CHARS, QuestionKind, Range};
pub use provider::{Provider, ProviderConfigError, ProviderError, ProviderResponse};
pub use records::{
    KeywordChange, KeywordGroup, KeywordImport, KeywordImportOrigin, KeywordRecords, KeywordSearch,
    MAX_IMPORTS, MAX_SEARCHES, NewKeywordImport, QuestionGroup, SearchRequest, SearchSummary, SourceChoice,
    SourcesRead,
};
pub use search::{
    BrandNames, KeywordRow, KeywordSource, MAX_ROWS, Query, SearchResult, SourcedKeyword, search,
};
pub use search_slots::SearchSlots;
pub use seeds::{MatchMode, merge_key};

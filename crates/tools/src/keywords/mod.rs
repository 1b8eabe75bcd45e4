//! Keyword research: what people search for around the brand's subjects, from its own texts and its competitors', from
//! exported lists of keyword tools, and from a provider that the operator configured.
//!
//! What no source knows is null. What a crawled page or a list says is data, marked by its source.

pub mod corpus;
mod get_keyword_search;
pub mod import;
mod intent;
mod keyword_research_search;
mod list_keyword_searches;
mod markers;
mod material;
mod model;
mod provider;
mod records;
mod search;
mod seeds;
mod view;

pub use get_keyword_search::GetKeywordSearch;
pub use intent::{IntentReader, QuestionKind};
pub use keyword_research_search::KeywordResearchSearch;
pub use list_keyword_searches::ListKeywordSearches;
pub use model::{ExportTool, Figures, Intent, LONGEST_KEYWORD, ListedKeyword, Range, folded, tidy};
pub use provider::{Provided, Provider, ProviderError, ProviderFault};
pub use records::{
    KeywordChange, KeywordGroup, KeywordImport, KeywordImportOrder, KeywordRecords, KeywordSearch,
    MOST_IMPORTS, MOST_SEARCHES, NewKeywordImport, QuestionGroup, SearchRequest, SearchSummary, SourceChoice,
    SourcesRead,
};
pub use search::{Found, KeywordRow, KeywordSource, Listed, MOST_ROWS, Names, Query, search};
pub use seeds::{Match, merge_key, pieces};

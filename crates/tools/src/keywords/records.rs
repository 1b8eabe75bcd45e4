//! The stored data of keyword research: imported lists and searches.

use std::collections::HashSet;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp};

use super::{
    model::{ExportTool, ListedKeyword, QuestionKind},
    search::KeywordRow,
    seeds::MatchMode,
};
use crate::{
    analysis::terms::is_single_word,
    page::{Cursor, Page},
};

/// The maximum number of imported lists of a brand. A search reads each, with up to 50,000 rows.
pub const MAX_IMPORTS: u32 = 20;
/// The number of searches stored for a brand. Older ones are deleted.
pub const MAX_SEARCHES: u32 = 200;

#[async_trait]
pub trait KeywordRecords {
    /// Newest first.
    async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, StoreError>;

    /// Imported keywords whose `merge_key` contains all `substrings`, highest demand first, each with its list.
    async fn listed_keywords(
        &self,
        brand: &BrandId,
        substrings: &[String],
        limit: u32,
    ) -> Result<Vec<(KeywordImportOrigin, ListedKeyword)>, StoreError>;

    /// Newest first.
    async fn keyword_searches(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<KeywordSearch>, StoreError>;

    /// One search with its rows, best first.
    async fn keyword_search(
        &self,
        brand: &BrandId,
        search_id: &str,
    ) -> Result<Option<(KeywordSearch, Vec<KeywordRow>)>, StoreError>;
}

/// An imported list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeywordImport {
    pub import_id: String,
    pub tool: ExportTool,
    pub rows: u64,
    pub skipped: u64,
    pub imported_at: Timestamp,
    pub imported_by: String,
}

/// The tool of a list, and the time of its import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordImportOrigin {
    pub tool: ExportTool,
    pub imported_at: Timestamp,
}

/// A list to store. It replaces a list from the same file.
#[derive(Debug, Clone)]
pub struct NewKeywordImport {
    pub import: KeywordImport,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
    pub rows: Vec<ListedKeyword>,
}

/// A change to the stored keywords.
#[derive(Debug, Clone)]
pub enum KeywordChange {
    AddSearch { search: Box<KeywordSearch>, rows: Vec<KeywordRow> },
}

/// A stored search without its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordSearch {
    pub search_id: String,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub request: SearchRequest,
    pub summary: SearchSummary,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRequest {
    /// Empty: all gaps.
    pub seeds: Vec<String>,
    pub source: SourceChoice,
    #[serde(rename = "match")]
    pub match_mode: MatchMode,
    /// ISO 639-1: as requested, or the language of the brand's texts.
    pub language: String,
    /// ISO 3166-1 alpha-2 in lower case. Left out: any country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gaps_only: bool,
}

/// Where to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceChoice {
    /// All sources.
    #[default]
    Auto,
    /// The brand's own pages and published posts, and its competitors' pages.
    Corpus,
    /// Imported lists.
    Imported,
    /// The provider that the operator configured.
    Provider,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SearchSummary {
    /// The number of keywords found, at most 500.
    pub keywords: u32,
    pub read: SourcesRead,
    /// Which sources could not be read and why, and how to get more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The largest groups of similar keywords; the first 10.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<KeywordGroup>,
    /// The questions by their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<QuestionGroup>,
    /// Keywords that competitors' pages have and the brand's published texts lack, phrases before single words; the
    /// first 10.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
}

/// The amount of data read from each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SourcesRead {
    pub own_pages: u32,
    pub own_posts: u32,
    pub competitor_pages: u32,
    /// Imported rows that may match a seed. Without seeds, those with the highest demand.
    pub imported_rows: u32,
    pub provider_rows: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordGroup {
    /// Its best keyword.
    pub group: String,
    pub keywords: u32,
    /// The sum of the known volumes of its keywords. Left out if none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_volume: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionGroup {
    pub question: QuestionKind,
    pub keywords: u32,
    /// The best keywords; the first 3.
    pub examples: Vec<String>,
}

impl SearchSummary {
    /// `rows` must be best first.
    pub fn new(rows: &[KeywordRow], read: SourcesRead, notes: Vec<String>) -> Self {
        Self {
            keywords: to_u32(rows.len()),
            read,
            notes: notes.into_iter().map(|note| note.chars().take(300).collect()).collect(),
            groups: groups(rows),
            questions: questions(rows),
            gaps: gaps(rows),
        }
    }
}

/// Keeps the summary short. Longer keywords are only in the rows.
fn is_short(keyword: &str) -> bool {
    keyword.chars().nth(100).is_none()
}

pub(super) fn to_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// One keyword of each group.
fn gaps(rows: &[KeywordRow]) -> Vec<String> {
    let mut seen = HashSet::new();
    let gaps = rows.iter().filter(|row| row.gap && is_short(&row.keyword));
    let mut gaps: Vec<&KeywordRow> = gaps.filter(|row| seen.insert(row.group())).collect();
    gaps.sort_by_key(|row| is_single_word(&row.keyword));
    gaps.into_iter().take(10).map(|row| row.keyword.clone()).collect()
}

fn groups(rows: &[KeywordRow]) -> Vec<KeywordGroup> {
    let mut groups: Vec<KeywordGroup> = Vec::new();
    for row in rows {
        let volume = row.figures.volume;
        match groups.iter_mut().find(|group| group.group == row.group()) {
            Some(group) => {
                group.keywords += 1;
                group.known_volume = match (group.known_volume, volume) {
                    (Some(known), Some(more)) => Some(known.saturating_add(more)),
                    (known, more) => known.or(more),
                };
            }
            None => {
                groups.push(KeywordGroup {
                    group: row.group().to_owned(),
                    keywords: 1,
                    known_volume: volume,
                });
            }
        }
    }
    groups.retain(|group| group.keywords > 1 && is_short(&group.group));
    // The sort is stable: groups of equal size keep the order of the rows.
    groups.sort_by_key(|group| std::cmp::Reverse(group.keywords));
    groups.truncate(10);
    groups
}

fn questions(rows: &[KeywordRow]) -> Vec<QuestionGroup> {
    let mut questions: Vec<QuestionGroup> = Vec::new();
    for row in rows {
        let Some(question) = row.question else { continue };
        let at = questions.iter().position(|group| group.question == question).unwrap_or_else(|| {
            questions.push(QuestionGroup { question, keywords: 0, examples: Vec::new() });
            questions.len() - 1
        });
        let group = &mut questions[at];
        group.keywords += 1;
        if group.examples.len() < 3 && is_short(&row.keyword) {
            group.examples.push(row.keyword.clone());
        }
    }
    questions.sort_by_key(|group| (std::cmp::Reverse(group.keywords), group.question));
    questions
}

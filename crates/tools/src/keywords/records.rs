//! What keyword research keeps and reads again.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, KeyId, Timestamp, decision::Unavailable};

use super::{
    intent::QuestionKind,
    model::{ExportTool, ListedKeyword},
    search::KeywordRow,
    seeds::Match,
};
use crate::page::{Cursor, Page};

/// How many imported lists a brand may have: each is up to 50,000 rows to look through.
pub const MOST_IMPORTS: u32 = 20;
/// How many searches a brand's list goes back.
pub const MOST_SEARCHES: u32 = 200;

#[async_trait]
pub trait KeywordRecords {
    /// The lists there are, newest first.
    async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, Unavailable>;

    /// Keywords of imported lists that have all of these pieces, those most asked for first, and whose list each is.
    async fn listed_keywords(
        &self,
        brand: &BrandId,
        pieces: &[String],
        limit: u32,
    ) -> Result<Vec<(KeywordImportOrder, ListedKeyword)>, Unavailable>;

    /// Newest first.
    async fn keyword_searches(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<KeywordSearch>, Unavailable>;

    /// One search with its rows, best first.
    async fn keyword_search(
        &self,
        brand: &BrandId,
        search_id: &str,
    ) -> Result<Option<(KeywordSearch, Vec<KeywordRow>)>, Unavailable>;
}

/// A list that was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeywordImport {
    pub import_id: String,
    pub tool: ExportTool,
    pub rows: u64,
    pub skipped: u64,
    pub imported_at: Timestamp,
    pub imported_by: String,
}

/// Whose list a row is from, and how new that list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordImportOrder {
    pub tool: ExportTool,
    pub imported_at: Timestamp,
}

/// A list about to be kept. The same file again takes the place of the one before.
#[derive(Debug, Clone)]
pub struct NewKeywordImport {
    pub import: KeywordImport,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
    pub rows: Vec<ListedKeyword>,
}

/// Something about keywords that is to be true.
#[derive(Debug, Clone)]
pub enum KeywordChange {
    AddSearch { search: Box<KeywordSearch>, rows: Vec<KeywordRow> },
}

/// A search that was made, without its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordSearch {
    pub search_id: String,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub request: SearchRequest,
    pub summary: SearchSummary,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRequest {
    pub seeds: Vec<String>,
    pub source: SourceChoice,
    #[serde(rename = "match")]
    pub matching: Match,
    /// ISO 639-1: as asked, or the language of the brand's texts.
    pub language: String,
    /// ISO 3166-1 alpha-2 in lower case. Null: any.
    pub country: Option<String>,
}

/// Where to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceChoice {
    /// In everything there is.
    #[default]
    Auto,
    /// In the brand's own pages and posts and its competitors' pages.
    Corpus,
    /// In imported lists.
    Imported,
    /// By the provider that the operator configured.
    Provider,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SearchSummary {
    /// How many keywords were found and kept, at most 500.
    pub keywords: u32,
    pub read: SourcesRead,
    /// What could not be asked, and why; what to do to learn more.
    pub notes: Vec<String>,
    /// The largest groups of keywords that say the same; the first 10.
    pub groups: Vec<KeywordGroup>,
    /// The questions by what they ask for.
    pub questions: Vec<QuestionGroup>,
    /// Keywords that competitors' pages have and the brand's own texts lack; the first 10.
    pub gaps: Vec<String>,
}

/// How much was read of each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SourcesRead {
    pub own_pages: u32,
    pub own_posts: u32,
    pub competitor_pages: u32,
    /// Rows of imported lists that came near a seed.
    pub imported_rows: u32,
    pub provider_rows: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordGroup {
    /// Its best keyword.
    pub group: String,
    pub keywords: u32,
    /// The volumes of its keywords together, as far as they are known. Null: none is.
    pub known_volume: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionGroup {
    pub question: QuestionKind,
    pub keywords: u32,
    /// The best of them; the first 3.
    pub examples: Vec<String>,
}

impl SearchSummary {
    /// Sums rows up, which are best first.
    pub fn of(rows: &[KeywordRow], read: SourcesRead, notes: Vec<String>) -> Self {
        Self {
            keywords: count(rows.len()),
            read,
            notes: notes.into_iter().map(|note| note.chars().take(300).collect()).collect(),
            groups: groups(rows),
            questions: questions(rows),
            gaps: rows
                .iter()
                .filter(|row| row.gap && is_short(&row.keyword))
                .take(10)
                .map(|row| row.keyword.clone())
                .collect(),
        }
    }
}

/// A summary is to be looked over: longer keywords are among the rows.
fn is_short(keyword: &str) -> bool {
    keyword.chars().nth(100).is_none()
}

pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn groups(rows: &[KeywordRow]) -> Vec<KeywordGroup> {
    let mut groups: Vec<KeywordGroup> = Vec::new();
    for row in rows {
        let volume = row.figures.volume;
        match groups.iter_mut().find(|group| group.group == row.group) {
            Some(group) => {
                group.keywords += 1;
                group.known_volume = match (group.known_volume, volume) {
                    (Some(known), Some(more)) => Some(known.saturating_add(more)),
                    (known, more) => known.or(more),
                };
            }
            None => groups.push(KeywordGroup { group: row.group.clone(), keywords: 1, known_volume: volume }),
        }
    }
    groups.retain(|group| group.keywords > 1 && is_short(&group.group));
    // The sort keeps the order of the rows among groups of one size.
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

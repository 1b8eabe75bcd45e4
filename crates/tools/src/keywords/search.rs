//! Brings what the sources know together: one row a keyword, ordered by how well it fits the seeds.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    corpus::{self, Candidate, CorpusText, Origin},
    intent::{IntentReader, QuestionKind},
    model::{ExportTool, Figures, Intent, ListedKeyword},
    seeds::{Match, Seeds, as_searched, merge_key},
};
use crate::analysis::{
    terms::TermReader,
    text::{as_f64, rounded},
};

/// How many rows one search gives at most.
pub const MOST_ROWS: usize = 500;
/// How much of the relevance is about the words; the rest is about how much is known of the keyword.
const BY_WORDS: f64 = 0.75;

/// Who knows a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeywordSource {
    /// Text of the brand's own crawled pages.
    OwnPages,
    OwnPosts,
    /// Text of competitors' pages.
    CompetitorPages,
    KeywordPlanner,
    SearchConsole,
    Ahrefs,
    Semrush,
    /// The provider that the operator configured.
    Provider,
}

impl From<Origin> for KeywordSource {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::OwnPages => Self::OwnPages,
            Origin::OwnPosts => Self::OwnPosts,
            Origin::CompetitorPages => Self::CompetitorPages,
        }
    }
}

impl From<ExportTool> for KeywordSource {
    fn from(tool: ExportTool) -> Self {
        match tool {
            ExportTool::KeywordPlanner => Self::KeywordPlanner,
            ExportTool::SearchConsole => Self::SearchConsole,
            ExportTool::Ahrefs => Self::Ahrefs,
            ExportTool::Semrush => Self::Semrush,
        }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub seeds: Vec<String>,
    pub matching: Match,
    /// ISO 639-1. Where it is not given, the language of the brand's own texts.
    pub language: Option<String>,
    /// ISO 3166-1 alpha-2, lower case. Rows that are about another country are left out.
    pub country: Option<String>,
}

/// A keyword of a list, and whose list it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub source: KeywordSource,
    pub row: ListedKeyword,
}

/// What the brand and its competitors are called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    pub own: Vec<String>,
    pub rivals: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub language: String,
    /// Best first.
    pub rows: Vec<KeywordRow>,
}

/// One keyword and everything that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordRow {
    pub keyword: String,
    /// Who knows it.
    pub sources: Vec<KeywordSource>,
    #[serde(flatten)]
    pub figures: Figures,
    /// What a searcher is after, as a list says or as the words tell. Null: nothing tells.
    pub intent: Option<Intent>,
    pub is_question: bool,
    /// What the question asks for. Null: it is no question.
    pub question: Option<QuestionKind>,
    /// The best keyword of those that say the same in other words or forms. Equal in all rows of a group.
    pub group: String,
    /// How well it fits the seeds, from 0 to 1.
    pub relevance: f64,
    /// Competitors' pages have it and the brand's own texts lack it.
    pub gap: bool,
    /// Pages or posts that have it; the first 3.
    pub found_on: Vec<String>,
}

/// Searches. `lists` are in the order of trust: what the first one knows counts.
pub fn search(query: &Query, texts: &[CorpusText], lists: &[Listed], names: &Names) -> Found {
    let language = query.language.clone().unwrap_or_else(|| corpus::language_of(texts, &query.seeds));
    let mut reader = TermReader::new(&language);
    let seeds = Seeds::read(&query.seeds, &mut reader);
    let all_names: Vec<String> = names.own.iter().chain(&names.rivals).cloned().collect();
    let intents = IntentReader::new(&language, &all_names);
    let mut gathering = Gathering { query, seeds, intents, rows: HashMap::new() };

    let texts = corpus::in_language(texts, &language);
    let candidates =
        corpus::candidates(&texts, &gathering.seeds, &names.rivals, &mut reader, &gathering.intents);
    let best = candidates.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    for candidate in candidates {
        gathering.add_candidate(candidate, best);
    }
    let most = lists.iter().filter_map(|listed| demand(&listed.row.figures)).max().unwrap_or(0);
    for listed in lists {
        gathering.add_listed(listed, most, &mut reader);
    }
    Found { rows: gathering.ranked(&mut reader), language }
}

/// Rows as they come together, by what their spellings have in common.
struct Gathering<'q> {
    query: &'q Query,
    seeds: Seeds,
    intents: IntentReader,
    rows: HashMap<String, Gathered>,
}

struct Gathered {
    keyword: String,
    sources: Vec<KeywordSource>,
    figures: Figures,
    intent: Option<Intent>,
    question: Option<QuestionKind>,
    closeness: f64,
    evidence: f64,
    gap: bool,
    found_on: Vec<String>,
}

impl Gathering<'_> {
    fn add_candidate(&mut self, candidate: Candidate, best: f64) {
        let by_words = self.seeds.closeness(&candidate.numbers, self.query.matching);
        let related = || (self.query.matching == Match::Broad).then_some(0.2 + 0.2 * candidate.nearness);
        let Some(closeness) = by_words.or_else(related) else { return };
        let Some(row) = self.row(&candidate.keyword, closeness) else { return };
        row.sources.extend(candidate.origins.into_iter().map(KeywordSource::from));
        row.gap = candidate.gap;
        row.found_on = candidate.places;
        row.evidence = if best > 0.0 { candidate.score / best } else { 0.0 };
    }

    fn add_listed(&mut self, listed: &Listed, most: u64, reader: &mut TermReader) {
        let ListedKeyword { keyword, country, intent, figures } = &listed.row;
        if let (Some(asked), Some(has)) = (&self.query.country, country)
            && asked != has
        {
            return;
        }
        let numbers = reader.numbers(&as_searched(keyword));
        let by_words = self.seeds.closeness(&numbers, self.query.matching);
        // The provider was asked for these seeds: what it answers belongs to them by its word.
        let provided = listed.source == KeywordSource::Provider && self.query.matching == Match::Broad;
        let Some(closeness) = by_words.or(provided.then_some(0.4)) else { return };
        let Some(row) = self.row(keyword, closeness) else { return };
        if !row.sources.contains(&listed.source) {
            row.sources.push(listed.source);
        }
        row.figures.complete_with(figures);
        row.intent = row.intent.or(*intent);
        row.evidence = row.evidence.max(share_of(demand(figures), most));
    }

    /// The row of this keyword; `None` where only questions are asked for and it is none.
    fn row(&mut self, keyword: &str, closeness: f64) -> Option<&mut Gathered> {
        let question = self.intents.question(keyword);
        if self.query.matching == Match::Questions && question.is_none() {
            return None;
        }
        Some(self.rows.entry(merge_key(keyword)).or_insert_with(|| Gathered {
            keyword: keyword.to_owned(),
            sources: Vec::new(),
            figures: Figures::default(),
            intent: None,
            question,
            closeness,
            evidence: 0.0,
            gap: false,
            found_on: Vec::new(),
        }))
    }

    fn ranked(self, reader: &mut TermReader) -> Vec<KeywordRow> {
        let Self { intents, rows, .. } = self;
        let mut rows: Vec<KeywordRow> = rows.into_values().map(|row| row.shown(&intents)).collect();
        rows.sort_by(by_relevance);
        rows.truncate(MOST_ROWS);
        let mut groups: HashMap<_, String> = HashMap::new();
        for row in &mut rows {
            let mut words = reader.meaningful_numbers(&as_searched(&row.keyword));
            words.sort_unstable();
            words.dedup();
            // `best` and `how` are in no list of subjects, and yet ask for something else.
            let same = (words, intents.intent(&row.keyword), row.question);
            row.group.clone_from(groups.entry(same).or_insert_with(|| row.keyword.clone()));
        }
        rows
    }
}

impl Gathered {
    fn shown(mut self, intents: &IntentReader) -> KeywordRow {
        self.sources.sort_unstable();
        KeywordRow {
            intent: self.intent.or_else(|| intents.intent(&self.keyword)),
            is_question: self.question.is_some(),
            question: self.question,
            group: String::new(),
            relevance: rounded(BY_WORDS * self.closeness + (1.0 - BY_WORDS) * self.evidence, 4),
            keyword: self.keyword,
            sources: self.sources,
            figures: self.figures,
            gap: self.gap,
            found_on: self.found_on,
        }
    }
}

/// Best first; the order is the same every time.
pub(super) fn by_relevance(left: &KeywordRow, right: &KeywordRow) -> std::cmp::Ordering {
    right
        .relevance
        .total_cmp(&left.relevance)
        .then_with(|| right.figures.least_volume().cmp(&left.figures.least_volume()))
        .then_with(|| left.keyword.cmp(&right.keyword))
}

/// How much a keyword is asked for, as far as its list tells.
fn demand(figures: &Figures) -> Option<u64> {
    figures.least_volume().or(figures.impressions)
}

/// On a logarithmic scale, as searches are spread.
fn share_of(demand: Option<u64>, most: u64) -> f64 {
    let scaled = |count: u64| as_f64(usize::try_from(count).unwrap_or(usize::MAX).saturating_add(1)).ln();
    match demand {
        Some(demand) if most > 0 => scaled(demand) / scaled(most),
        _ => 0.0,
    }
}

//! Merges the keywords of all sources into one row per keyword, ordered by relevance.

use std::collections::{HashMap, hash_map::Entry};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    corpus::{self, Candidate, CorpusText, TextOrigin},
    intent::IntentClassifier,
    model::{ExportTool, Figures, Intent, ListedKeyword, QuestionKind},
    seeds::{MatchMode, Seeds, hyphens_to_spaces, merge_key},
};
use crate::{
    analysis::{
        names::without_common_words,
        terms::{TermExtractor, is_single_word, is_specific},
        text::{as_f64, round_to},
    },
    cpu_pool::checkpoint,
};

pub const MAX_ROWS: usize = 500;
/// How many rows of lists are merged between two checkpoints.
const CHUNK_ROWS: usize = 500;
/// The weight of the match with the seeds in the relevance. The rest is the evidence: how often texts use the keyword, or
/// how much it is searched for.
const MATCH_WEIGHT: f64 = 0.75;

/// Where a keyword comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeywordSource {
    /// Text of the brand's own crawled pages.
    OwnPages,
    /// The brand's published posts.
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

impl From<TextOrigin> for KeywordSource {
    fn from(origin: TextOrigin) -> Self {
        match origin {
            TextOrigin::OwnPages => Self::OwnPages,
            TextOrigin::OwnPosts => Self::OwnPosts,
            TextOrigin::CompetitorPages => Self::CompetitorPages,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// May be empty if `gaps_only` is set.
    pub seeds: Vec<String>,
    pub match_mode: MatchMode,
    /// ISO 639-1. Default: the language of the brand's own texts.
    pub language: Option<String>,
    /// ISO 3166-1 alpha-2 in lower case. Rows for another or an unknown country are skipped.
    pub country: Option<String>,
    pub gaps_only: bool,
}

/// A keyword of a list, with the source of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcedKeyword {
    pub source: KeywordSource,
    pub row: ListedKeyword,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrandNames {
    pub own: Vec<String>,
    pub competitors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    pub language: String,
    /// Best first.
    pub rows: Vec<KeywordRow>,
}

/// One keyword with the data of all sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordRow {
    pub keyword: String,
    /// Where it comes from.
    pub sources: Vec<KeywordSource>,
    #[serde(flatten)]
    pub figures: Figures,
    /// What the person who searches wants, from a list or from the words. Left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_question: bool,
    /// The kind of the question. Left out if it is not a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionKind>,
    /// The best keyword of its group, if it is another one. A group has the same words in other forms or another order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How relevant it is to the seeds, from 0 to 1.
    pub relevance: f64,
    /// True if competitors' pages have it and the brand's pages and published posts lack it. A single word also must match
    /// a seed or be in a list. Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gap: bool,
    /// Pages or posts with it; the first 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_on: Vec<String>,
}

impl KeywordRow {
    /// The best keyword of its group.
    pub(super) fn group(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.keyword)
    }
}

/// Searches for keywords. If several `lists` have a figure, the first list wins.
pub fn search(
    query: &Query,
    texts: &[CorpusText],
    lists: &[SourcedKeyword],
    names: &BrandNames,
) -> SearchResult {
    let language =
        query.language.clone().unwrap_or_else(|| corpus::detect_language(texts, &query.seeds, None));
    let mut extractor = TermExtractor::new(&language);
    let seeds = Seeds::new(&query.seeds, &mut extractor);
    let competitors = without_common_words(&names.competitors, texts.iter().map(|text| text.text.as_str()));
    let all_names: Vec<String> = names.own.iter().chain(&competitors).cloned().collect();
    let classifier = IntentClassifier::new(&language, &all_names);
    let mut merger = RowMerger {
        query,
        language: &language,
        seeds,
        classifier,
        rows: HashMap::new(),
        usages: HashMap::new(),
    };

    let texts = corpus::filter_by_language(texts, &language);
    let candidates =
        corpus::candidates(&texts, &merger.seeds, &competitors, &mut extractor, &merger.classifier);
    let max_score = candidates.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    for candidate in candidates {
        merger.add_candidate(candidate, max_score);
    }
    let is_wanted = |listed: &&SourcedKeyword| query.country.is_none() || listed.row.country == query.country;
    let lists: Vec<&SourcedKeyword> = lists.iter().filter(is_wanted).collect();
    let max_demand = lists.iter().filter_map(|listed| listed.row.figures.demand()).max().unwrap_or(0);
    for (number, listed) in lists.into_iter().enumerate() {
        if number.is_multiple_of(CHUNK_ROWS) {
            checkpoint();
        }
        merger.add_listed(listed, max_demand, &mut extractor);
    }
    SearchResult { rows: merger.into_ranked_rows(&mut extractor), language }
}

struct RowMerger<'q> {
    query: &'q Query,
    language: &'q str,
    seeds: Seeds,
    classifier: IntentClassifier,
    /// By [`merge_key`].
    rows: HashMap<String, MergedRow>,
    /// By stem ids, because a list has `cold brew` where texts have `cold brews`.
    usages: HashMap<Vec<u32>, TextUsage>,
}

/// Which texts use a keyword.
#[derive(Clone, Default)]
struct TextUsage {
    sources: Vec<KeywordSource>,
    found_on: Vec<String>,
    only_competitors: bool,
}

#[derive(Default)]
struct MergedRow {
    keyword: String,
    usage: TextUsage,
    lists: Vec<KeywordSource>,
    figures: Figures,
    intent: Option<Intent>,
    question: Option<QuestionKind>,
    match_score: f64,
    evidence: f64,
    /// A phrase, a compound or a seed.
    is_specific: bool,
}

impl RowMerger<'_> {
    fn add_candidate(&mut self, candidate: Candidate, max_score: f64) {
        let usage = TextUsage {
            sources: candidate.origins.into_iter().map(KeywordSource::from).collect(),
            found_on: candidate.locations,
            only_competitors: candidate.only_competitors,
        };
        let by_match = self.seeds.match_score(&candidate.stem_ids, self.query.match_mode);
        self.usages.insert(candidate.stem_ids, usage.clone());
        let is_related = self.seeds.is_empty() || self.query.match_mode == MatchMode::Broad;
        let related = is_related.then_some(0.2 + 0.2 * candidate.cooccurrence);
        let Some(match_score) = by_match.or(related) else { return };
        let is_specific = by_match.is_some() || is_specific(&candidate.keyword, self.language);
        let Some(row) = self.row(&candidate.keyword, match_score) else { return };
        row.usage = usage;
        row.is_specific = is_specific;
        row.evidence = if max_score > 0.0 { candidate.score / max_score } else { 0.0 };
    }

    fn add_listed(&mut self, listed: &SourcedKeyword, max_demand: u64, extractor: &mut TermExtractor) {
        let ListedKeyword { keyword, country, intent, figures } = &listed.row;
        let stem_ids = extractor.stem_ids(&hyphens_to_spaces(keyword));
        let by_match = self.seeds.match_score(&stem_ids, self.query.match_mode);
        // The provider was asked for these seeds, so its keywords are related to them even without a matching word.
        let provided = listed.source == KeywordSource::Provider && self.query.match_mode == MatchMode::Broad;
        // Without seeds, a list only adds figures to the keywords of the texts.
        let usage = self.usages.get(&stem_ids).cloned();
        let used = (self.seeds.is_empty() && usage.is_some()).then_some(0.2);
        let Some(match_score) = by_match.or(provided.then_some(0.4)).or(used) else { return };
        let Some(row) = self.row(keyword, match_score) else { return };
        if row.usage.sources.is_empty() {
            row.usage = usage.unwrap_or_default();
        }
        if !row.lists.contains(&listed.source) {
            row.lists.push(listed.source);
        }
        row.figures.complete_with(&Figures { country: country.clone(), ..figures.clone() });
        row.intent = row.intent.or(*intent);
        row.evidence = row.evidence.max(demand_share(figures.demand(), max_demand));
    }

    /// The row of the keyword. `None` if only questions are wanted and it is not a question.
    fn row(&mut self, keyword: &str, match_score: f64) -> Option<&mut MergedRow> {
        let question = self.classifier.classify_question(keyword);
        if self.query.match_mode == MatchMode::Questions && question.is_none() {
            return None;
        }
        Some(self.rows.entry(merge_key(keyword)).or_insert_with(|| MergedRow {
            keyword: keyword.to_owned(),
            question,
            match_score,
            ..MergedRow::default()
        }))
    }

    fn into_ranked_rows(self, extractor: &mut TermExtractor) -> Vec<KeywordRow> {
        let Self { query, classifier, rows, .. } = self;
        let mut rows: Vec<KeywordRow> = rows.into_values().map(|row| row.into_row(&classifier)).collect();
        rows.sort_by(by_relevance);
        if query.gaps_only {
            rows.retain(|row| row.gap);
            rows.sort_by_key(|row| is_single_word(&row.keyword));
        }
        rows.truncate(MAX_ROWS);
        let mut groups: HashMap<_, String> = HashMap::new();
        for row in &mut rows {
            let mut words = extractor.content_stem_ids(&hyphens_to_spaces(&row.keyword));
            words.sort_unstable();
            words.dedup();
            // `best` and `how` are stop words, but they change the intent, so they separate groups.
            match groups.entry((words, classifier.classify(&row.keyword), row.question)) {
                Entry::Vacant(entry) => {
                    entry.insert(row.keyword.clone());
                }
                Entry::Occupied(entry) => row.group = Some(entry.get().clone()),
            }
        }
        rows
    }
}

impl MergedRow {
    fn into_row(self, classifier: &IntentClassifier) -> KeywordRow {
        let gap = self.usage.only_competitors && (self.is_specific || !self.lists.is_empty());
        let mut sources = self.usage.sources;
        sources.extend(self.lists);
        sources.sort_unstable();
        KeywordRow {
            intent: self.intent.or_else(|| classifier.classify(&self.keyword)),
            is_question: self.question.is_some(),
            question: self.question,
            group: None,
            relevance: round_to(MATCH_WEIGHT * self.match_score + (1.0 - MATCH_WEIGHT) * self.evidence, 4),
            keyword: self.keyword,
            sources,
            figures: self.figures,
            gap,
            found_on: self.usage.found_on,
        }
    }
}

/// Best first. The order is deterministic.
fn by_relevance(left: &KeywordRow, right: &KeywordRow) -> std::cmp::Ordering {
    right
        .relevance
        .total_cmp(&left.relevance)
        .then_with(|| right.figures.min_volume().cmp(&left.figures.min_volume()))
        .then_with(|| left.keyword.cmp(&right.keyword))
}

/// The demand relative to the maximum, on a logarithmic scale.
fn demand_share(demand: Option<u64>, max_demand: u64) -> f64 {
    let scaled = |count: u64| as_f64(usize::try_from(count).unwrap_or(usize::MAX).saturating_add(1)).ln();
    match demand {
        Some(demand) if max_demand > 0 => scaled(demand) / scaled(max_demand),
        _ => 0.0,
    }
}

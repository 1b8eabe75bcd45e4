//! Finds keywords in texts: the brand's own pages and posts, and its competitors' pages. Keywords are terms near the seeds
//! and questions about them.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use super::{
    intent::IntentClassifier,
    model::clean_keyword,
    seeds::{Seeds, hyphens_to_spaces, merge_key},
};
use crate::{
    analysis::{
        chunks::{Chunk, chunks},
        detect,
        names::NameStems,
        split_sentences,
        terms::{TermExtractor, TermKey, TermStats, remove_subterms, term_score},
        text::{as_f64, clip_to},
    },
    cpu_pool::checkpoint,
};

/// Searches are rarely longer, except questions. A lower limit would cut off `coffee beans for cold brew`.
const MAX_TERM_WORDS: usize = 5;
/// How many texts of one side are read, and how many bytes of them together. This limits time and memory.
pub(super) const MAX_TEXTS: u32 = 300;
const MAX_SIDE_BYTES: usize = 2_000_000;
/// The language is detected from the start of a text.
const LANGUAGE_SAMPLE_BYTES: usize = 4_000;
const MAX_CANDIDATES: usize = 1_000;
const MAX_LOCATIONS: usize = 3;
const MAX_LOCATION_CHARS: usize = 300;
const QUESTION_WORDS: std::ops::RangeInclusive<usize> = 3..=15;
/// A question scores like a term of this many words.
const QUESTION_SCORE_WORDS: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextOrigin {
    OwnPages,
    OwnPosts,
    CompetitorPages,
}

impl TextOrigin {
    fn is_own(self) -> bool {
        self != Self::CompetitorPages
    }
}

/// A text to find keywords in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusText {
    pub origin: TextOrigin,
    /// The URL of the page, or the id of the post.
    pub location: String,
    pub text: String,
}

/// A keyword found in texts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) keyword: String,
    pub(super) stem_ids: Vec<u32>,
    pub(super) origins: Vec<TextOrigin>,
    /// Where it occurs most often.
    pub(super) locations: Vec<String>,
    /// The share of its occurrences that are in one sentence with a seed. 1 if it contains a seed.
    pub(super) cooccurrence: f64,
    /// Grows with the number of texts, uses and words. Compare it only within one search.
    pub(super) score: f64,
    /// Competitors' pages use it, the brand's texts do not, and it contains no competitor's name.
    pub(super) only_competitors: bool,
}

/// The language of most of the brand's own texts, else the one set for the brand, else of the competitors' texts, else of
/// the seeds, else English.
pub(super) fn detect_language(texts: &[CorpusText], seeds: &[String], brand: Option<&str>) -> String {
    let reliable_code = |text: &str| {
        checkpoint();
        let found = detect(clip_to(text, LANGUAGE_SAMPLE_BYTES));
        found.filter(|language| language.reliable).map(|found| found.code)
    };
    let most_common = |own: bool| {
        let mut bytes: HashMap<&'static str, usize> = HashMap::new();
        for text in texts.iter().filter(|text| text.origin.is_own() == own).take(MAX_TEXTS as usize) {
            if let Some(code) = reliable_code(&text.text) {
                *bytes.entry(code).or_default() += text.text.len();
            }
        }
        bytes.into_iter().max_by_key(|(code, bytes)| (*bytes, Reverse(*code))).map(|(code, _)| code)
    };
    most_common(true)
        .or(brand)
        .or_else(|| most_common(false))
        .or_else(|| reliable_code(&seeds.join(". ")))
        .unwrap_or("en")
        .to_owned()
}

/// Removes texts that are reliably in another language.
pub(super) fn filter_by_language<'a>(texts: &'a [CorpusText], language: &str) -> Vec<&'a CorpusText> {
    let is_other = |text: &CorpusText| {
        checkpoint();
        let found = detect(clip_to(&text.text, LANGUAGE_SAMPLE_BYTES));
        found.is_some_and(|found| found.reliable && found.code != language)
    };
    texts.iter().filter(|text| !is_other(text)).collect()
}

/// Finds keywords near the seeds. Without seeds, finds what only competitors write about.
pub(super) fn candidates(
    texts: &[&CorpusText],
    seeds: &Seeds,
    competitors: &[String],
    extractor: &mut TermExtractor,
    classifier: &IntentClassifier,
) -> Vec<Candidate> {
    let corpus = Corpus::new(texts, NameStems::new(competitors, extractor));
    let mut candidates = corpus.terms(seeds, extractor);
    let questions = corpus.questions(seeds, extractor, classifier);
    let question_keys: HashSet<String> =
        questions.iter().map(|question| merge_key(&question.keyword)).collect();
    candidates.retain(|term| !question_keys.contains(&merge_key(&term.keyword)));
    candidates.extend(questions);
    candidates.sort_by(|left, right| {
        right.score.total_cmp(&left.score).then_with(|| left.keyword.cmp(&right.keyword))
    });
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

struct Corpus<'c> {
    /// Each with its truncated text, hyphens replaced.
    texts: Vec<(&'c CorpusText, String)>,
    competitor_texts: usize,
    competitors: NameStems,
}

/// The statistics of one term.
#[derive(Default)]
struct CandidateStats<'a> {
    term: TermStats<'a>,
    /// Occurrences in one sentence with a seed.
    near_seed: usize,
    own: usize,
    has_seed: bool,
}

struct QuestionStats {
    keyword: String,
    stem_ids: Vec<u32>,
    /// The count in each text, by the index of the text.
    texts: HashMap<usize, usize>,
}

impl<'c> Corpus<'c> {
    fn new(texts: &[&'c CorpusText], competitors: NameStems) -> Self {
        let side = |own: bool| {
            let texts = texts.iter().filter(move |text| text.origin.is_own() == own);
            let max_texts = MAX_TEXTS as usize;
            let max_bytes = MAX_SIDE_BYTES / texts.clone().count().clamp(1, max_texts);
            texts.take(max_texts).map(move |text| (*text, hyphens_to_spaces(clip_to(&text.text, max_bytes))))
        };
        let texts: Vec<_> = side(true).chain(side(false)).collect();
        let competitor_texts = texts.iter().filter(|(text, _)| !text.origin.is_own()).count();
        Self { texts, competitor_texts, competitors }
    }

    fn terms(&self, seeds: &Seeds, extractor: &mut TermExtractor) -> Vec<Candidate> {
        // Only these terms are counted, to save memory.
        let wanted = if seeds.is_empty() {
            self.repeated_competitor_terms(extractor)
        } else {
            self.terms_near_seeds(seeds, extractor)
        };
        let mut terms: HashMap<TermKey<MAX_TERM_WORDS>, CandidateStats<'_>> = HashMap::new();
        for (index, (text, normalized)) in self.texts.iter().enumerate() {
            checkpoint();
            for (sentence, sentence_ids) in sentences(&stemmed_chunks(normalized, extractor)) {
                let has_seed = seeds.any_within(&sentence_ids);
                for (chunk, stem_ids) in sentence {
                    extractor.for_each_chunk_term(chunk, stem_ids, |key, tokens| {
                        if wanted.contains(&key) {
                            let stats = terms.entry(key).or_default();
                            stats.term.add(index, tokens);
                            stats.near_seed += usize::from(has_seed);
                            stats.own += usize::from(text.origin.is_own());
                            stats.has_seed = seeds.any_within(&stem_ids_of(&key));
                        }
                    });
                }
            }
        }
        terms.retain(|key, stats| {
            if seeds.is_empty() {
                // The same rule as in `analysis::content_gap`: on two pages, or twice if only one was read.
                return stats.own == 0 && stats.term.pages.len() >= self.competitor_texts.min(2);
            }
            let stem_ids = stem_ids_of(key);
            stats.is_frequent_enough(stem_ids.len()) && !seeds.any_extends(&stem_ids)
        });
        remove_subterms(&mut terms, |stats| stats.term.count());
        terms.iter().map(|(key, stats)| self.candidate(key, stats)).collect()
    }

    /// The terms that competitors use at least twice.
    fn repeated_competitor_terms(&self, extractor: &mut TermExtractor) -> HashSet<TermKey<MAX_TERM_WORDS>> {
        let mut is_repeated: HashMap<TermKey<MAX_TERM_WORDS>, bool> = HashMap::new();
        for (_, normalized) in self.texts.iter().filter(|(text, _)| !text.origin.is_own()) {
            checkpoint();
            extractor.for_each_term(normalized, |key, _| {
                is_repeated.entry(key).and_modify(|repeated| *repeated = true).or_insert(false);
            });
        }
        is_repeated.into_iter().filter_map(|(key, repeated)| repeated.then_some(key)).collect()
    }

    /// The terms that contain a seed or are in one sentence with it.
    fn terms_near_seeds(
        &self,
        seeds: &Seeds,
        extractor: &mut TermExtractor,
    ) -> HashSet<TermKey<MAX_TERM_WORDS>> {
        let mut terms = HashSet::new();
        for (_, normalized) in &self.texts {
            checkpoint();
            let chunks = stemmed_chunks(normalized, extractor);
            let near_seeds = sentences(&chunks).filter(|(_, sentence_ids)| seeds.any_within(sentence_ids));
            for (chunk, stem_ids) in near_seeds.flat_map(|(sentence, _)| sentence) {
                extractor.for_each_chunk_term(chunk, stem_ids, |key, _| {
                    terms.insert(key);
                });
            }
        }
        terms
    }

    fn candidate(&self, key: &TermKey<MAX_TERM_WORDS>, stats: &CandidateStats<'_>) -> Candidate {
        let term = &stats.term;
        let stem_ids = stem_ids_of(key);
        Candidate {
            keyword: term.text(),
            origins: self.origins(term.pages.keys()),
            locations: self.locations(&term.pages_by_count()),
            cooccurrence: if stats.has_seed {
                1.0
            } else {
                as_f64(stats.near_seed) / as_f64(term.count().max(1))
            },
            score: term_score(stem_ids.len(), term.count(), term.pages.len(), self.texts.len()),
            only_competitors: stats.own == 0 && !self.competitors.any_within(&stem_ids),
            stem_ids,
        }
    }

    /// Sentences that ask about a seed. Without seeds, all questions.
    fn questions(
        &self,
        seeds: &Seeds,
        extractor: &mut TermExtractor,
        classifier: &IntentClassifier,
    ) -> Vec<Candidate> {
        let mut questions: HashMap<String, QuestionStats> = HashMap::new();
        for (index, (_, normalized)) in self.texts.iter().enumerate() {
            checkpoint();
            for sentence in split_sentences(normalized) {
                let Some(keyword) = question(sentence, classifier) else { continue };
                let stem_ids = extractor.stem_ids(&keyword);
                let is_wanted = seeds.is_empty() || seeds.any_within(&stem_ids);
                if is_wanted && QUESTION_WORDS.contains(&stem_ids.len()) {
                    let stats = questions.entry(merge_key(&keyword)).or_insert_with(|| QuestionStats {
                        keyword,
                        stem_ids,
                        texts: HashMap::new(),
                    });
                    *stats.texts.entry(index).or_default() += 1;
                }
            }
        }
        questions.into_values().map(|stats| self.question_candidate(stats)).collect()
    }

    fn question_candidate(&self, stats: QuestionStats) -> Candidate {
        let count: usize = stats.texts.values().sum();
        let mut texts: Vec<usize> = stats.texts.into_keys().collect();
        texts.sort_unstable();
        let is_own = texts.iter().any(|text| self.texts[*text].0.origin.is_own());
        Candidate {
            origins: self.origins(texts.iter()),
            locations: self.locations(&texts),
            cooccurrence: 1.0,
            score: term_score(QUESTION_SCORE_WORDS, count, texts.len(), self.texts.len()),
            only_competitors: !is_own && !self.competitors.any_within(&stats.stem_ids),
            keyword: stats.keyword,
            stem_ids: stats.stem_ids,
        }
    }

    fn origins<'n>(&self, texts: impl Iterator<Item = &'n usize>) -> Vec<TextOrigin> {
        let mut origins: Vec<TextOrigin> = texts.map(|index| self.texts[*index].0.origin).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }

    fn locations(&self, texts: &[usize]) -> Vec<String> {
        let location =
            |index: &usize| self.texts[*index].0.location.chars().take(MAX_LOCATION_CHARS).collect();
        texts.iter().take(MAX_LOCATIONS).map(location).collect()
    }
}

impl CandidateStats<'_> {
    /// A single occurrence is chance, unless the term is short and contains a seed. A single word without a seed must
    /// occur near one three times.
    fn is_frequent_enough(&self, words: usize) -> bool {
        match (self.has_seed, words) {
            (true, 1 | 2) => true,
            (true, _) => self.term.count() >= 2,
            (false, 1) => self.near_seed >= 3,
            (false, _) => self.near_seed >= 2,
        }
    }
}

fn stem_ids_of(key: &TermKey<MAX_TERM_WORDS>) -> Vec<u32> {
    key.iter().flatten().copied().collect()
}

/// A chunk with its stem ids.
type StemmedChunk<'a> = (Chunk<'a>, Vec<u32>);

fn stemmed_chunks<'a>(text: &'a str, extractor: &mut TermExtractor) -> Vec<StemmedChunk<'a>> {
    let with_stem_ids = |chunk| {
        let stem_ids = extractor.chunk_stem_ids(&chunk);
        (chunk, stem_ids)
    };
    chunks(text).0.into_iter().map(with_stem_ids).collect()
}

/// Splits chunks into sentences, each with the stem ids of all its words.
fn sentences<'s, 'a>(
    chunks: &'s [StemmedChunk<'a>],
) -> impl Iterator<Item = (&'s [StemmedChunk<'a>], Vec<u32>)> {
    chunks
        .chunk_by(|(left, _), (right, _)| left.sentence == right.sentence)
        .map(|sentence| (sentence, sentence.iter().flat_map(|(_, stem_ids)| stem_ids).copied().collect()))
}

/// Returns the question as a search query, if the sentence is a question. A question ends with a question mark, or is a
/// heading that starts with a question word.
fn question(sentence: &str, classifier: &IntentClassifier) -> Option<String> {
    let sentence = sentence.trim().trim_end_matches(['"', '”', '»', ')', '\'']);
    let has_question_mark = sentence.ends_with(['?', '？', '؟']);
    // A heading has no punctuation at its end. `When you visit us, …` is not a question.
    let is_heading =
        sentence.ends_with(|c: char| c.is_alphanumeric()) && !sentence.contains(['.', '!', '\n']);
    let is_question = has_question_mark || (is_heading && classifier.classify_question(sentence).is_some());
    if !is_question {
        return None;
    }
    let query = sentence.trim_matches(|c: char| c.is_whitespace() || "?？؟¿\"“”«»'".contains(c));
    clean_keyword(&query.to_lowercase())
}

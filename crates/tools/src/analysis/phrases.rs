//! Extracts the key phrases of a text with the YAKE algorithm (Campos et al., 2020), which needs no training.
//!
//! A word is important if it is frequent, occurs early and in many sentences, is often capitalized, and has few different
//! neighbours. A phrase is important if its words are important and it is frequent. Unlike YAKE, all forms of a word
//! with the same stem count as one, so that the result does not have both `shoe` and `shoes`.
//! `tests/analysis/golden/phrases.json` compares the first ten phrases with Python's `yake` 0.7.3.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    chunks::{Chunk, Token, TokenKind, chunks},
    stems::StemInterner,
    stop_words::StopWords,
    terms::{Forms, TermKey, term_key},
    text::{as_f64, round_to},
};

const MAX_PHRASE_WORDS: usize = 3;
/// A phrase that is more similar than this to a better one is dropped.
const MAX_SIMILARITY: f64 = 0.85;
/// Words shorter than this count as stop words.
const MIN_WORD_CHARS: usize = 3;
/// A longer phrase is not text but a hash or a URL.
const MAX_PHRASE_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeyPhrase {
    pub phrase: String,
    /// How often it occurs, in any form.
    pub count: usize,
    /// The importance relative to the first phrase, from 0 to 1.
    pub relevance: f64,
}

/// The key phrases of a text in `language` (ISO 639-1), most important first.
pub fn key_phrases(text: &str, language: &str, limit: usize) -> Vec<KeyPhrase> {
    let (chunks, sentences) = chunks(text);
    let mut extractor = PhraseExtractor::new(language);
    for chunk in &chunks {
        extractor.add_chunk(chunk);
    }
    let scores = extractor.word_scores(sentences);
    let mut ranked: Vec<(f64, &PhraseStats<'_>)> = extractor
        .phrases
        .iter()
        .map(|(key, phrase)| (extractor.phrase_score(key, phrase, &scores), phrase))
        .collect();
    // Equal scores are in the order of the text, so that the result is deterministic.
    ranked.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.first.cmp(&right.1.first)));
    best_phrases(&ranked, limit)
}

fn best_phrases(ranked: &[(f64, &PhraseStats<'_>)], limit: usize) -> Vec<KeyPhrase> {
    let mut best: Vec<KeyPhrase> = Vec::new();
    for (score, phrase) in ranked {
        if best.len() >= limit {
            break;
        }
        let text = phrase.forms.most_frequent();
        let lower = text.to_lowercase();
        let is_similar = |other: &KeyPhrase| {
            strsim::normalized_levenshtein(&lower, &other.phrase.to_lowercase()) > MAX_SIMILARITY
        };
        if text.len() <= MAX_PHRASE_CHARS && !best.iter().any(is_similar) {
            let relevance = ranked.first().map_or(1.0, |first| first.0 / score);
            best.push(KeyPhrase {
                phrase: text,
                count: phrase.forms.count,
                relevance: round_to(relevance, 4),
            });
        }
    }
    best
}

/// The statistics of a word, all forms together.
#[derive(Debug, Default)]
struct WordStats {
    is_stop_word: bool,
    count: usize,
    acronyms: usize,
    capitalized: usize,
    /// The indexes of its sentences, in order and without duplicates.
    sentences: Vec<usize>,
    /// How often each word is directly before and after it.
    before: HashMap<u32, usize>,
    after: HashMap<u32, usize>,
}

type PhraseKey = TermKey<MAX_PHRASE_WORDS>;

#[derive(Debug)]
struct PhraseStats<'a> {
    /// The position of its first occurrence among all phrases of the text.
    first: usize,
    forms: Forms<'a>,
}

struct PhraseExtractor<'a> {
    stems: StemInterner,
    stop_words: StopWords,
    words: HashMap<u32, WordStats>,
    phrases: HashMap<PhraseKey, PhraseStats<'a>>,
    phrases_read: usize,
}

impl<'a> PhraseExtractor<'a> {
    fn new(language: &str) -> Self {
        Self {
            stems: StemInterner::new(language),
            stop_words: StopWords::for_language(language),
            words: HashMap::new(),
            phrases: HashMap::new(),
            phrases_read: 0,
        }
    }

    fn add_chunk(&mut self, chunk: &Chunk<'a>) {
        let ids: Vec<u32> = chunk.tokens.iter().map(|token| self.add_word(token, chunk.sentence)).collect();
        for pair in chunk.tokens.iter().zip(&ids).collect::<Vec<_>>().windows(2) {
            let [(left, left_id), (right, right_id)] = pair else { continue };
            if left.kind.is_word() && right.kind.is_word() {
                *self.words.entry(**left_id).or_default().after.entry(**right_id).or_default() += 1;
                *self.words.entry(**right_id).or_default().before.entry(**left_id).or_default() += 1;
            }
        }
        for start in 0..ids.len() {
            for length in 1..=MAX_PHRASE_WORDS.min(ids.len() - start) {
                self.add_phrase(&chunk.tokens[start..start + length], &ids[start..start + length]);
            }
        }
    }

    fn add_word(&mut self, token: &Token<'a>, sentence: usize) -> u32 {
        let id = self.stems.intern(token.text);
        let word = self.words.entry(id).or_insert_with(|| {
            let lower = token.text.to_lowercase();
            let short = lower.chars().filter(|c| c.is_alphanumeric()).nth(MIN_WORD_CHARS - 1).is_none();
            WordStats { is_stop_word: short || self.stop_words.contains(&lower), ..WordStats::default() }
        });
        word.count += 1;
        word.acronyms += usize::from(token.kind == TokenKind::Acronym);
        word.capitalized += usize::from(token.kind == TokenKind::Capitalized);
        if word.sentences.last() != Some(&sentence) {
            word.sentences.push(sentence);
        }
        id
    }

    /// Counts the words as a phrase, unless they start or end with a stop word or contain a number.
    fn add_phrase(&mut self, tokens: &[Token<'a>], ids: &[u32]) {
        let is_stop = |id: Option<&u32>| id.is_none_or(|id| self.words[id].is_stop_word);
        if is_stop(ids.first()) || is_stop(ids.last()) || !tokens.iter().all(|token| token.kind.is_word()) {
            return;
        }
        self.phrases_read += 1;
        let first = self.phrases_read;
        let phrase = self
            .phrases
            .entry(term_key(ids))
            .or_insert_with(|| PhraseStats { first, forms: Forms::default() });
        phrase.forms.add(tokens);
    }

    /// The score of each word. A lower score is more important.
    fn word_scores(&self, sentences: usize) -> HashMap<u32, f64> {
        // Sums of integers do not depend on the order of the map, so the result is deterministic.
        let counts = || self.words.values().filter(|word| !word.is_stop_word).map(|word| word.count);
        let words = as_f64(counts().count().max(1));
        let mean = as_f64(counts().sum()) / words;
        let mean_square = as_f64(counts().map(|count| count * count).sum()) / words;
        let typical_count = mean + (mean_square - mean * mean).max(0.0).sqrt();
        let max_count = as_f64(self.words.values().map(|word| word.count).max().unwrap_or(1));
        self.words.iter().map(|(id, word)| (*id, word.score(typical_count, max_count, sentences))).collect()
    }

    /// The score of a phrase. A lower score is more important. A stop word counts by how often it connects its neighbours.
    fn phrase_score(&self, key: &PhraseKey, phrase: &PhraseStats<'_>, scores: &HashMap<u32, f64>) -> f64 {
        let ids: Vec<u32> = key.iter().flatten().copied().collect();
        let (mut product, mut sum) = (1.0, 0.0);
        for (at, id) in ids.iter().enumerate() {
            if !self.words[id].is_stop_word {
                product *= scores[id];
                sum += scores[id];
            } else if let (Some(left), Some(right)) = (at.checked_sub(1).map(|at| ids[at]), ids.get(at + 1)) {
                let tie = self.follows(left, *id, left) * self.follows(*id, *right, *right);
                product *= 2.0 - tie;
                sum -= 1.0 - tie;
            }
        }
        product / ((sum + 1.0) * as_f64(phrase.forms.count))
    }

    /// How often `right` follows `left`, divided by the count of `of`.
    fn follows(&self, left: u32, right: u32, of: u32) -> f64 {
        let together = self.words[&left].after.get(&right).copied().unwrap_or(0);
        as_f64(together) / as_f64(self.words[&of].count)
    }
}

impl WordStats {
    fn score(&self, typical_count: f64, max_count: f64, sentences: usize) -> f64 {
        let count = as_f64(self.count);
        let case = as_f64(self.acronyms.max(self.capitalized)) / (1.0 + count.ln());
        let position = (3.0 + median(&self.sentences)).ln().ln();
        let frequency = count / typical_count;
        let spread = as_f64(self.sentences.len()) / as_f64(sentences.max(1));
        let related = 1.0 + (variety(&self.before) + variety(&self.after)) * count / max_count;
        position * related / (case + frequency / related + spread / related)
    }
}

/// The share of different neighbours: 1 if all differ, which is typical of words without a meaning of their own.
fn variety(neighbours: &HashMap<u32, usize>) -> f64 {
    let all: usize = neighbours.values().sum();
    if all == 0 { 0.0 } else { as_f64(neighbours.len()) / as_f64(all) }
}

fn median(sorted: &[usize]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted {
        [] => 0.0,
        _ if sorted.len() % 2 == 1 => as_f64(sorted[middle]),
        _ => f64::midpoint(as_f64(sorted[middle - 1]), as_f64(sorted[middle])),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "Green tea is made from the leaves of one plant. Green teas taste fresh, and green tea is \
        drunk all over Asia. The leaves are dried soon after they are picked. In Japan the leaves are steamed. \
        A pot of green tea needs water that is not quite boiling.";

    #[test]
    fn main_topic_is_first() {
        let phrases = key_phrases(TEXT, "en", 5);
        assert_eq!(phrases[0], KeyPhrase { phrase: "green tea".to_owned(), count: 4, relevance: 1.0 });
        assert!(phrases.windows(2).all(|pair| pair[0].relevance >= pair[1].relevance));
        assert!(phrases.iter().any(|phrase| phrase.phrase == "leaves"));
        assert!(!phrases.iter().any(|phrase| phrase.phrase.contains("the")));
    }

    #[test]
    fn forms_of_a_phrase_are_merged() {
        let phrases = key_phrases(TEXT, "en", 50);
        let teas =
            phrases.iter().filter(|phrase| phrase.phrase.to_lowercase().starts_with("green tea")).count();
        assert_eq!(
            teas,
            phrases.iter().filter(|phrase| phrase.phrase.to_lowercase().contains("green tea")).count()
        );
        assert!(!phrases.iter().any(|phrase| phrase.phrase.ends_with("teas")));
    }

    #[test]
    fn text_without_words_has_no_phrases() {
        assert!(key_phrases("", "en", 10).is_empty());
        assert!(key_phrases("the of and 12 34", "en", 10).is_empty());
        assert!(key_phrases(TEXT, "en", 0).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[ab .,\n'-]){0,200}", limit in 0usize..20) {
            let phrases = key_phrases(&text, "en", limit);
            prop_assert!(phrases.len() <= limit);
            prop_assert!(phrases.iter().all(|phrase| (0.0..=1.0).contains(&phrase.relevance)));
        }
    }
}

//! The phrases a text is about, in the manner of YAKE (Campos et al., 2020): from the text alone, without training.
//!
//! A word matters if it is frequent, comes early, is spread over many sentences, is often written with a capital,
//! and keeps few kinds of neighbours; a phrase matters if its words do and if it comes often. Written after the
//! paper; what differs is that the forms of a word count as one word and as one phrase (by stem), so that a list
//! has not both `shoe` and `shoes`. `tests/analysis/golden/phrases.json` compares the first ten with Python's
//! `yake` 0.7.3.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    chunks::{Chunk, Kind, Token, chunks},
    stems::StemNumbers,
    stop_words::StopWords,
    text::{as_f64, rounded},
};

/// The longest phrase, in words.
const LONGEST: usize = 3;
/// Phrases written more alike than this are one.
const ALIKE: f64 = 0.85;
/// Words shorter than this count as stop words.
const SHORT_WORD: usize = 3;
/// A phrase longer than this is a hash or an address.
const LONGEST_PHRASE: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeyPhrase {
    pub phrase: String,
    /// How often it comes, in any of its forms.
    pub count: usize,
    /// How much it matters next to the first, from 1 down to 0.
    pub relevance: f64,
}

/// The phrases that matter most, most important first, of a text in `language` (ISO 639-1).
pub fn key_phrases(text: &str, language: &str, limit: usize) -> Vec<KeyPhrase> {
    let (chunks, sentences) = chunks(text);
    let mut reader = Reader::new(language);
    for chunk in &chunks {
        reader.chunk(chunk);
    }
    let scores = reader.term_scores(sentences);
    let mut ranked: Vec<(f64, &Phrase<'_>)> = reader
        .phrases
        .iter()
        .map(|(key, phrase)| (reader.phrase_score(key, phrase, &scores), phrase))
        .collect();
    // By score, and where that is equal by the order of the text, so that the answer is always the same.
    ranked.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.first.cmp(&right.1.first)));
    best(&ranked, limit)
}

fn best(ranked: &[(f64, &Phrase<'_>)], limit: usize) -> Vec<KeyPhrase> {
    let mut best: Vec<KeyPhrase> = Vec::new();
    for (score, phrase) in ranked {
        if best.len() >= limit {
            break;
        }
        let text = phrase.text();
        let lower = text.to_lowercase();
        let alike =
            |other: &KeyPhrase| strsim::normalized_levenshtein(&lower, &other.phrase.to_lowercase()) > ALIKE;
        if text.len() <= LONGEST_PHRASE && !best.iter().any(alike) {
            let relevance = ranked.first().map_or(1.0, |first| first.0 / score);
            best.push(KeyPhrase { phrase: text, count: phrase.count, relevance: rounded(relevance, 4) });
        }
    }
    best
}

/// A word, its forms taken together.
#[derive(Debug, Default)]
struct Term {
    stop: bool,
    count: usize,
    acronyms: usize,
    capitalized: usize,
    /// The sentences it is in, each once, in order.
    sentences: Vec<usize>,
    /// How often each word stands right before and right after it.
    before: HashMap<u32, usize>,
    after: HashMap<u32, usize>,
}

/// The numbers of a phrase's terms; those beyond its length are `None`.
type PhraseKey = [Option<u32>; LONGEST];

#[derive(Debug)]
struct Phrase<'a> {
    count: usize,
    /// Which phrase of the text it was, counted from 0, when first met.
    first: usize,
    /// How often it was written in which way.
    forms: HashMap<Vec<&'a str>, (usize, usize)>,
}

impl Phrase<'_> {
    /// The way it is written most often; the earliest of those.
    fn text(&self) -> String {
        let most = self.forms.iter().max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
        most.map(|(words, _)| words.join(" ")).unwrap_or_default()
    }
}

struct Reader<'a> {
    stems: StemNumbers,
    stop_words: StopWords,
    terms: HashMap<u32, Term>,
    phrases: HashMap<PhraseKey, Phrase<'a>>,
    read: usize,
}

impl<'a> Reader<'a> {
    fn new(language: &str) -> Self {
        Self {
            stems: StemNumbers::of(language),
            stop_words: StopWords::of(language),
            terms: HashMap::new(),
            phrases: HashMap::new(),
            read: 0,
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'a>) {
        let numbers: Vec<u32> = chunk.tokens.iter().map(|token| self.term(token, chunk.sentence)).collect();
        for pair in chunk.tokens.iter().zip(&numbers).collect::<Vec<_>>().windows(2) {
            let [(left, left_number), (right, right_number)] = pair else { continue };
            if left.kind.is_word() && right.kind.is_word() {
                *self.terms.entry(**left_number).or_default().after.entry(**right_number).or_default() += 1;
                *self.terms.entry(**right_number).or_default().before.entry(**left_number).or_default() += 1;
            }
        }
        for start in 0..numbers.len() {
            for length in 1..=LONGEST.min(numbers.len() - start) {
                self.phrase(&chunk.tokens[start..start + length], &numbers[start..start + length]);
            }
        }
    }

    fn term(&mut self, token: &Token<'a>, sentence: usize) -> u32 {
        let number = self.stems.number(token.text);
        let term = self.terms.entry(number).or_insert_with(|| {
            let lower = token.text.to_lowercase();
            let short = lower.chars().filter(|c| c.is_alphanumeric()).nth(SHORT_WORD - 1).is_none();
            Term { stop: short || self.stop_words.contains(&lower), ..Term::default() }
        });
        term.count += 1;
        term.acronyms += usize::from(token.kind == Kind::Acronym);
        term.capitalized += usize::from(token.kind == Kind::Capitalized);
        if term.sentences.last() != Some(&sentence) {
            term.sentences.push(sentence);
        }
        number
    }

    /// Takes a run of words as a phrase, unless it starts or ends with a stop word or has a number in it.
    fn phrase(&mut self, tokens: &[Token<'a>], numbers: &[u32]) {
        let is_stop = |number: Option<&u32>| number.is_none_or(|number| self.terms[number].stop);
        if is_stop(numbers.first())
            || is_stop(numbers.last())
            || !tokens.iter().all(|token| token.kind.is_word())
        {
            return;
        }
        let mut key = PhraseKey::default();
        for (place, number) in key.iter_mut().zip(numbers) {
            *place = Some(*number);
        }
        self.read += 1;
        let first = self.read;
        let phrase =
            self.phrases.entry(key).or_insert_with(|| Phrase { count: 0, first, forms: HashMap::new() });
        phrase.count += 1;
        let words = tokens.iter().map(|token| token.text).collect();
        phrase.forms.entry(words).or_insert((0, first)).0 += 1;
    }

    /// How little each word matters: the smaller, the more.
    fn term_scores(&self, sentences: usize) -> HashMap<u32, f64> {
        // Summed as whole numbers, whose sum has no order: a map has none either, and the answer must not change.
        let counts = || self.terms.values().filter(|term| !term.stop).map(|term| term.count);
        let terms = as_f64(counts().count().max(1));
        let mean = as_f64(counts().sum()) / terms;
        let mean_square = as_f64(counts().map(|count| count * count).sum()) / terms;
        let usual = mean + (mean_square - mean * mean).max(0.0).sqrt();
        let most = as_f64(self.terms.values().map(|term| term.count).max().unwrap_or(1));
        self.terms.iter().map(|(number, term)| (*number, term.score(usual, most, sentences))).collect()
    }

    /// How little a phrase matters. A stop word inside counts by how firmly it ties its neighbours.
    fn phrase_score(&self, key: &PhraseKey, phrase: &Phrase<'_>, scores: &HashMap<u32, f64>) -> f64 {
        let numbers: Vec<u32> = key.iter().flatten().copied().collect();
        let (mut product, mut sum) = (1.0, 0.0);
        for (at, number) in numbers.iter().enumerate() {
            if !self.terms[number].stop {
                product *= scores[number];
                sum += scores[number];
            } else if let (Some(left), Some(right)) =
                (at.checked_sub(1).map(|at| numbers[at]), numbers.get(at + 1))
            {
                let tie = self.follows(left, *number, left) * self.follows(*number, *right, *right);
                product *= 2.0 - tie;
                sum -= 1.0 - tie;
            }
        }
        product / ((sum + 1.0) * as_f64(phrase.count))
    }

    /// How often `right` follows `left`, for each time that `of` comes at all.
    fn follows(&self, left: u32, right: u32, of: u32) -> f64 {
        let together = self.terms[&left].after.get(&right).copied().unwrap_or(0);
        as_f64(together) / as_f64(self.terms[&of].count)
    }
}

impl Term {
    fn score(&self, usual: f64, most: f64, sentences: usize) -> f64 {
        let count = as_f64(self.count);
        let case = as_f64(self.acronyms.max(self.capitalized)) / (1.0 + count.ln());
        let position = (3.0 + median(&self.sentences)).ln().ln();
        let frequency = count / usual;
        let spread = as_f64(self.sentences.len()) / as_f64(sentences.max(1));
        let related = 1.0 + (variety(&self.before) + variety(&self.after)) * count / most;
        position * related / (case + frequency / related + spread / related)
    }
}

/// The number of kinds of neighbours for each neighbour: 1 if all differ, as they do around a word without meaning.
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
    fn what_the_text_is_about_comes_first() {
        let phrases = key_phrases(TEXT, "en", 5);
        assert_eq!(phrases[0], KeyPhrase { phrase: "green tea".to_owned(), count: 4, relevance: 1.0 });
        assert!(phrases.windows(2).all(|pair| pair[0].relevance >= pair[1].relevance));
        assert!(phrases.iter().any(|phrase| phrase.phrase == "leaves"));
        assert!(!phrases.iter().any(|phrase| phrase.phrase.contains("the")));
    }

    #[test]
    fn the_forms_of_a_phrase_are_one() {
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
    fn no_words_no_phrases() {
        assert!(key_phrases("", "en", 10).is_empty());
        assert!(key_phrases("the of and 12 34", "en", 10).is_empty());
        assert!(key_phrases(TEXT, "en", 0).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "(\\PC|[ab .,\n'-]){0,200}", limit in 0usize..20) {
            let phrases = key_phrases(&text, "en", limit);
            prop_assert!(phrases.len() <= limit);
            prop_assert!(phrases.iter().all(|phrase| (0.0..=1.0).contains(&phrase.relevance)));
        }
    }
}

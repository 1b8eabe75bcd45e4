//! The seeds of a search, and how well a keyword matches them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::normalize_keyword;
use crate::analysis::{
    stems::LanguageStemmer,
    stop_words::StopWords,
    terms::TermExtractor,
    text::{as_f64, words},
};

/// Which keywords belong to a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchMode {
    /// Keywords with all words of a seed in any order and form, and terms in one sentence with it.
    #[default]
    Broad,
    /// Keywords with the words of a seed in the same order, without other words between them.
    Phrase,
    /// Questions with all words of a seed.
    Questions,
}

/// The seeds as stem ids.
#[derive(Debug)]
pub(super) struct Seeds(Vec<Seed>);

#[derive(Debug)]
struct Seed {
    words: Vec<u32>,
    /// The words that are not stop words.
    content_words: Vec<u32>,
}

impl Seeds {
    pub(super) fn new(seeds: &[String], extractor: &mut TermExtractor) -> Self {
        let parse = |seed: &String| {
            let seed = hyphens_to_spaces(seed);
            Seed { words: extractor.stem_ids(&seed), content_words: extractor.content_stem_ids(&seed) }
        };
        Self(seeds.iter().map(parse).filter(|seed| !seed.words.is_empty()).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `stem_ids` contain all content words of a seed.
    pub(super) fn any_within(&self, stem_ids: &[u32]) -> bool {
        self.0.iter().any(|seed| seed.is_within(stem_ids))
    }

    /// Whether `stem_ids` are only a part of a seed.
    pub(super) fn any_extends(&self, stem_ids: &[u32]) -> bool {
        self.0.iter().any(|seed| {
            stem_ids.len() < seed.content_words.len()
                && stem_ids.iter().all(|id| seed.content_words.contains(id))
        })
    }

    /// How well a keyword matches the seeds, from 0 to 1. `None` if it does not match.
    pub(super) fn match_score(&self, stem_ids: &[u32], match_mode: MatchMode) -> Option<f64> {
        self.0.iter().filter_map(|seed| seed.match_score(stem_ids, match_mode)).max_by(f64::total_cmp)
    }
}

impl Seed {
    fn is_within(&self, stem_ids: &[u32]) -> bool {
        self.content_words.iter().all(|id| stem_ids.contains(id))
    }

    fn match_score(&self, stem_ids: &[u32], match_mode: MatchMode) -> Option<f64> {
        let share = as_f64(self.words.len().min(stem_ids.len())) / as_f64(stem_ids.len().max(1));
        if stem_ids == self.words {
            Some(1.0)
        } else if stem_ids.windows(self.words.len()).any(|run| run == self.words) {
            Some(0.6 + 0.3 * share)
        } else {
            (match_mode != MatchMode::Phrase && self.is_within(stem_ids)).then_some(0.5 + 0.3 * share)
        }
    }
}

/// Substrings that the [`merge_key`] of every broad match of the seed contains, longest first. The store uses them to
/// filter long lists before the words are compared.
pub(super) fn required_substrings(seed: &str, language: &str) -> Vec<String> {
    let stemmer = LanguageStemmer::new(language);
    let stop_words = StopWords::for_language(language);
    let key = merge_key(seed);
    let all: Vec<&str> = words(&key).map(|word| word.text).collect();
    let content_words: Vec<&str> = all.iter().filter(|word| !stop_words.contains(word)).copied().collect();
    let chosen = if content_words.is_empty() { all } else { content_words };
    let mut prefixes: Vec<String> =
        chosen.into_iter().map(|word| common_prefix(word, &stemmer.stem(word))).collect();
    prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
    prefixes
}

/// The common prefix of the forms of a word: `berr` for `berry` and `berries`, whose stem is `berri`.
fn common_prefix(word: &str, stem: &str) -> String {
    let mut prefix: String = word
        .chars()
        .zip(stem.chars())
        .take_while(|(left, right)| left == right)
        .map(|(left, _)| left)
        .collect();
    if prefix.chars().count() > 3 {
        prefix.pop();
    }
    prefix
}

/// Replaces hyphens within words by spaces, as people type searches: `cold-brew` becomes `cold brew`.
pub(super) fn hyphens_to_spaces(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let inside = matches!(letter, '-' | '\u{2010}' | '\u{2011}')
            && spaced.ends_with(char::is_alphanumeric)
            && letters.peek().is_some_and(|next| next.is_alphanumeric());
        spaced.push(if inside { ' ' } else { letter });
    }
    spaced
}

/// The key by which spellings of a keyword are merged. It ignores case, hyphens and question marks.
pub fn merge_key(keyword: &str) -> String {
    let spaced = hyphens_to_spaces(&normalize_keyword(keyword));
    spaced.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '¿' | '？' | '؟')).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn match_score(seed: &str, keyword: &str, match_mode: MatchMode) -> Option<f64> {
        let mut extractor = TermExtractor::new("en");
        let seeds = Seeds::new(&[seed.to_owned()], &mut extractor);
        seeds.match_score(&extractor.stem_ids(&hyphens_to_spaces(keyword)), match_mode)
    }

    #[test]
    fn word_forms_and_hyphens_are_ignored() {
        assert_eq!(match_score("cold brew", "Cold-Brews", MatchMode::Broad), Some(1.0));
        assert!(match_score("coffee bean", "best coffee beans", MatchMode::Phrase).is_some());
    }

    #[test]
    fn better_match_scores_higher() {
        let score = |keyword| match_score("coffee beans", keyword, MatchMode::Broad);
        let ranked =
            [score("coffee beans"), score("coffee beans online"), score("beans for coffee"), score("tea")];
        assert!(ranked.windows(2).all(|pair| pair[0] > pair[1]), "{ranked:?}");
        assert_eq!(ranked[3], None);
        assert_eq!(match_score("coffee beans", "beans for coffee", MatchMode::Phrase), None);
        assert!(
            match_score("the best of coffee", "coffee", MatchMode::Broad).is_some(),
            "`best` is a stop word"
        );
    }

    #[test]
    fn seed_of_stop_words_only_is_matched() {
        assert!(match_score("the who", "the who tour", MatchMode::Broad).is_some());
        assert_eq!(match_score("the who", "tour", MatchMode::Broad), None);
    }

    #[test]
    fn every_form_of_a_seed_has_the_required_substrings() {
        for (language, seed, keyword) in [
            ("en", "berries", "goji berry"),
            ("en", "berry", "goji berries"),
            ("en", "running shoes", "shoe for a run"),
            ("en", "the who", "the who"),
            ("de", "Schuhe", "roter schuh"),
            ("ru", "кофейные зёрна", "кофейное зёрно"),
            ("pl", "buty", "buty do biegania"),
        ] {
            let substrings = required_substrings(seed, language);
            assert!(
                substrings.iter().all(|part| merge_key(keyword).contains(part)),
                "{seed}: {substrings:?}"
            );
        }
    }

    #[test]
    fn dash_between_spaces_is_not_a_hyphen() {
        assert_eq!(hyphens_to_spaces("Tea - well-known -x x-"), "Tea - well known -x x-");
        assert_eq!(merge_key("¿Qué es Cold-Brew?"), "qué es cold brew");
    }
}

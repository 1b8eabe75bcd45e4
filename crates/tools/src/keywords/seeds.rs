//! What is searched for, and how near a keyword comes to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::folded;
use crate::analysis::{
    stems::Stems,
    stop_words::StopWords,
    terms::TermReader,
    text::{as_f64, words},
};

/// Which keywords belong to a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Match {
    /// Keywords with all words of a seed in any order and form, and terms that stand in one sentence with it.
    #[default]
    Broad,
    /// Keywords with the words of a seed one after the other.
    Phrase,
    /// Questions with all words of a seed.
    Questions,
}

/// The seeds as the numbers of their words' stems.
#[derive(Debug)]
pub(super) struct Seeds(Vec<Seed>);

#[derive(Debug)]
struct Seed {
    words: Vec<u32>,
    /// The words without those that only hold the others together.
    meaningful: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nearness {
    Exact,
    Phrase,
    Contains,
}

impl Seeds {
    pub(super) fn read(seeds: &[String], reader: &mut TermReader) -> Self {
        let read = |seed: &String| {
            let seed = as_searched(seed);
            Seed { words: reader.numbers(&seed), meaningful: reader.meaningful_numbers(&seed) }
        };
        Self(seeds.iter().map(read).filter(|seed| !seed.words.is_empty()).collect())
    }

    /// Whether the words of any seed are all among these.
    pub(super) fn are_among(&self, numbers: &[u32]) -> bool {
        self.0.iter().any(|seed| seed.meaningful.iter().all(|number| numbers.contains(number)))
    }

    /// Whether these words are only a part of a seed: less than what was asked for.
    pub(super) fn hold(&self, numbers: &[u32]) -> bool {
        self.0.iter().any(|seed| {
            numbers.len() < seed.meaningful.len()
                && numbers.iter().all(|number| seed.meaningful.contains(number))
        })
    }

    /// How near a keyword comes, from 0 to 1; `None` where it does not match.
    pub(super) fn closeness(&self, numbers: &[u32], matching: Match) -> Option<f64> {
        let closeness = |seed: &Seed| {
            let nearness = seed.nearness(numbers)?;
            let part = as_f64(seed.words.len().min(numbers.len())) / as_f64(numbers.len().max(1));
            match (nearness, matching) {
                (Nearness::Exact, _) => Some(1.0),
                (Nearness::Phrase, _) => Some(0.6 + 0.3 * part),
                (Nearness::Contains, Match::Phrase) => None,
                (Nearness::Contains, _) => Some(0.5 + 0.3 * part),
            }
        };
        self.0.iter().filter_map(closeness).max_by(f64::total_cmp)
    }
}

impl Seed {
    fn nearness(&self, numbers: &[u32]) -> Option<Nearness> {
        if numbers == self.words {
            Some(Nearness::Exact)
        } else if numbers.windows(self.words.len()).any(|run| run == self.words) {
            Some(Nearness::Phrase)
        } else {
            self.meaningful.iter().all(|number| numbers.contains(number)).then_some(Nearness::Contains)
        }
    }
}

/// Parts that every keyword has which is broad for this seed, written as [`merge_key`] writes it: for looking through
/// long lists before the words are compared. The longest first.
pub fn pieces(seed: &str, language: &str) -> Vec<String> {
    let stems = Stems::of(language);
    let stop_words = StopWords::of(language);
    let spelled = merge_key(seed);
    let all: Vec<&str> = words(&spelled).map(|word| word.text).collect();
    let meaningful: Vec<&str> = all.iter().filter(|word| !stop_words.contains(word)).copied().collect();
    let chosen = if meaningful.is_empty() { all } else { meaningful };
    let mut pieces: Vec<String> =
        chosen.into_iter().map(|word| common_start(word, &stems.stem(word))).collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    pieces
}

/// What the forms of a word begin with: `berr` of `berry` and `berries`, whose stem is `berri`.
fn common_start(word: &str, stem: &str) -> String {
    let mut start: String = word
        .chars()
        .zip(stem.chars())
        .take_while(|(left, right)| left == right)
        .map(|(left, _)| left)
        .collect();
    if start.chars().count() > 3 {
        start.pop();
    }
    start
}

/// A text as searches spell it: hyphens within words are spaces, `cold-brew` is `cold brew`.
pub(super) fn as_searched(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let inside = matches!(letter, '-' | '\u{2010}' | '\u{2011}')
            && spelled.ends_with(char::is_alphanumeric)
            && letters.peek().is_some_and(|next| next.is_alphanumeric());
        spelled.push(if inside { ' ' } else { letter });
    }
    spelled
}

/// What the spellings of one keyword have in common: case, hyphens and question marks make no difference.
pub fn merge_key(keyword: &str) -> String {
    let spelled = as_searched(&folded(keyword));
    spelled.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '¿' | '？' | '؟')).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closeness(seed: &str, keyword: &str, matching: Match) -> Option<f64> {
        let mut reader = TermReader::new("en");
        let seeds = Seeds::read(&[seed.to_owned()], &mut reader);
        seeds.closeness(&reader.numbers(&as_searched(keyword)), matching)
    }

    #[test]
    fn forms_and_hyphens_make_no_difference() {
        assert_eq!(closeness("cold brew", "Cold-Brews", Match::Broad), Some(1.0));
        assert!(closeness("coffee bean", "best coffee beans", Match::Phrase).is_some());
    }

    #[test]
    fn the_nearer_the_closer() {
        let of = |keyword| closeness("coffee beans", keyword, Match::Broad);
        let ranked = [of("coffee beans"), of("coffee beans online"), of("beans for coffee"), of("tea")];
        assert!(ranked.windows(2).all(|pair| pair[0] > pair[1]), "{ranked:?}");
        assert_eq!(ranked[3], None);
        assert_eq!(closeness("coffee beans", "beans for coffee", Match::Phrase), None);
        assert!(closeness("the best of coffee", "coffee", Match::Broad).is_some(), "`best` is a stop word");
    }

    #[test]
    fn a_seed_of_stop_words_alone_is_taken_as_it_is() {
        assert!(closeness("the who", "the who tour", Match::Broad).is_some());
        assert_eq!(closeness("the who", "tour", Match::Broad), None);
    }

    #[test]
    fn every_form_of_a_seed_has_its_pieces() {
        for (language, seed, keyword) in [
            ("en", "berries", "goji berry"),
            ("en", "berry", "goji berries"),
            ("en", "running shoes", "shoe for a run"),
            ("en", "the who", "the who"),
            ("de", "Schuhe", "roter schuh"),
            ("ru", "кофейные зёрна", "кофейное зёрно"),
            ("pl", "buty", "buty do biegania"),
        ] {
            let pieces = pieces(seed, language);
            assert!(pieces.iter().all(|piece| merge_key(keyword).contains(piece)), "{seed}: {pieces:?}");
        }
    }

    #[test]
    fn a_dash_is_no_hyphen() {
        assert_eq!(as_searched("Tea - well-known -x x-"), "Tea - well known -x x-");
        assert_eq!(merge_key("¿Qué es Cold-Brew?"), "qué es cold brew");
    }
}

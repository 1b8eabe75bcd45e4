//! Readability: measures that turn the lengths of words and sentences into a school grade.
//!
//! The results are those of Python's `textstat` 0.7.8, including its way to count: words are separated by spaces; a
//! sentence ends at `.`, `!` or `?` and counts only if it has at least three words.
//! `tests/analysis/golden/readability.json` compares the two. The differences concern the number of syllables, which
//! Coleman-Liau and ARI do not use:
//!
//! | case | textstat | here | reason |
//! |---|---|---|---|
//! | a word that is not in `CMUdict` (`blog`, `reusable`, names) | the number of hyphenation points plus one | the rule in `syllables.rs` | hyphenation avoids some breaks, so it counts too few |
//! | `well-known` | `wellknown`, one unknown word | `well` and `known` | a hyphen does not change the sound |
//! | `don’t` with a typographic apostrophe | `dont`, an unknown word | `don't` | both are apostrophes |
//! | `'today'` in straight single quotes | `'today`, an unknown word (only before t, s and d) | `today` | a quote is not an apostrophe |
//! | a text without words | 0 for each measure | null | 0 would be a valid grade |
//! | letters of scripts with combining marks | the mark is punctuation | the mark is part of the letter | only in texts that are not English, where all six are null |

use std::{collections::HashSet, sync::LazyLock};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    syllables::count_syllables,
    text::{as_f64, clip, is_space, lower, round_to},
};

/// The words of the Dale-Chall list that have three or more syllables.
static EASY_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("word_lists/easy_words.txt").split_whitespace().collect());

/// A word with at least this many syllables is hard to read.
const MIN_POLYSYLLABLE: usize = 3;
/// LIX counts words with more letters as long.
const MAX_SHORT_WORD_CHARS: usize = 6;

#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Readability {
    pub words: usize,
    /// Only sentences of three words or more: shorter ones are headings, initials and so on.
    pub sentences: usize,
    /// Left out if the text is not in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syllables: Option<usize>,
    /// Flesch Reading Ease: about 0 (hard) to 100 (easy); 60 to 70 is plain English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flesch_reading_ease: Option<f64>,
    /// This and the next four fields: the US school grade needed to understand the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flesch_kincaid_grade: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gunning_fog: Option<f64>,
    /// Designed for texts of at least 30 sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smog_index: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coleman_liau_index: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automated_readability_index: Option<f64>,
    /// The median of the five grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<f64>,
    /// LIX works for any language written with spaces: below 30 is easy, above 50 is hard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lix: Option<f64>,
    /// Why measures are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// Measures a text in `language` (ISO 639-1), or in an unknown language.
pub fn readability(text: &str, language: Option<&str>) -> Readability {
    let counts = Counts::count(clip(text));
    if counts.words == 0 {
        return Readability { note: Some("The text has no words."), ..without_measures(&counts) };
    }
    match language {
        Some("en") => english(&counts),
        Some("zh" | "ja" | "th" | "km" | "my") => Readability {
            note: Some(
                "This language is written without spaces between words, so no measure can be computed.",
            ),
            ..without_measures(&counts)
        },
        _ => Readability {
            lix: Some(counts.lix()),
            note: Some("Only LIX is computed: the other measures are valid only for English."),
            ..without_measures(&counts)
        },
    }
}

fn without_measures(counts: &Counts) -> Readability {
    Readability { words: counts.words, sentences: counts.sentences, ..Readability::default() }
}

fn english(counts: &Counts) -> Readability {
    let sentence_length = as_f64(counts.words) / as_f64(counts.sentences);
    let per_word = |count: usize| as_f64(count) / as_f64(counts.words);
    let syllables_per_word = per_word(counts.syllables);
    let letters = per_word(counts.letters) * 100.0;
    let sentences = per_word(counts.sentences) * 100.0;
    let characters = as_f64(counts.characters) / as_f64(counts.tokens);

    let kincaid = 0.39 * sentence_length + 11.8 * syllables_per_word - 15.59;
    let fog = 0.4 * (sentence_length + 100.0 * per_word(counts.hard_words));
    let smog = 1.043 * (30.0 * as_f64(counts.polysyllables) / as_f64(counts.sentences)).sqrt() + 3.1291;
    let coleman_liau = 0.058 * letters - 0.296 * sentences - 15.8;
    let ari = 4.71 * characters + 0.5 * sentence_length - 21.43;

    let mut grades = [kincaid, fog, smog, coleman_liau, ari];
    grades.sort_by(f64::total_cmp);
    let rounded = |value: f64| Some(round_to(value, 2));
    Readability {
        syllables: Some(counts.syllables),
        flesch_reading_ease: rounded(206.835 - 1.015 * sentence_length - 84.6 * syllables_per_word),
        flesch_kincaid_grade: rounded(kincaid),
        gunning_fog: rounded(fog),
        smog_index: rounded(smog),
        coleman_liau_index: rounded(coleman_liau),
        automated_readability_index: rounded(ari),
        grade: Some(round_to(grades[2], 1)),
        lix: Some(counts.lix()),
        ..without_measures(counts)
    }
}

#[derive(Debug, Default)]
struct Counts {
    /// Separated by spaces, including tokens of punctuation only. ARI counts their characters, so it divides by them.
    tokens: usize,
    words: usize,
    sentences: usize,
    /// All characters except spaces.
    characters: usize,
    /// Letters and digits.
    letters: usize,
    long_words: usize,
    syllables: usize,
    polysyllables: usize,
    hard_words: usize,
}

impl Counts {
    fn count(text: &str) -> Self {
        let mut counts = Self { sentences: count_sentences(text), ..Self::default() };
        for token in text.split(is_space).filter(|token| !token.is_empty()) {
            counts.tokens += 1;
            counts.characters += token.chars().count();
            let letters = token.chars().filter(|c| is_word_char(*c)).count();
            counts.letters += letters;
            if is_word(token) {
                counts.add_word(token, letters);
            }
        }
        counts
    }

    fn add_word(&mut self, token: &str, letters: usize) {
        let syllables = count_syllables(token);
        self.words += 1;
        self.syllables += syllables;
        self.long_words += usize::from(letters > MAX_SHORT_WORD_CHARS);
        if syllables >= MIN_POLYSYLLABLE {
            self.polysyllables += 1;
            let word =
                token.trim_matches(|c: char| !is_word_char(c)).replace(|c| !is_word_char(c) && c != '\'', "");
            self.hard_words += usize::from(!EASY_WORDS.contains(lower(&word).as_ref()));
        }
    }

    fn lix(&self) -> f64 {
        let long = 100.0 * as_f64(self.long_words) / as_f64(self.words);
        round_to(as_f64(self.words) / as_f64(self.sentences) + long, 2)
    }
}

/// The number of sentences with three words or more, at least 1.
fn count_sentences(text: &str) -> usize {
    text.split(['.', '!', '?']).filter(|sentence| has_three_words(sentence)).count().max(1)
}

fn has_three_words(sentence: &str) -> bool {
    let from_first_word = sentence.trim_start_matches(|c| !is_word_char(c));
    from_first_word.split(is_space).filter(|token| is_word(token)).nth(2).is_some()
}

fn is_word(token: &str) -> bool {
    token.contains(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn english_text_has_all_measures() {
        let text = "The cat sat on the mat. It was a sunny day, and nobody wanted to go home.";
        let measured = readability(text, Some("en"));
        assert_eq!((measured.words, measured.sentences, measured.syllables), (17, 2, Some(21)));
        assert!(measured.flesch_reading_ease.is_some_and(|ease| ease > 90.0));
        assert!(measured.grade.is_some_and(|grade| grade < 4.0));
        assert_eq!(measured.note, None);
    }

    #[test]
    fn other_languages_have_counts_and_a_note() {
        let measured = readability("Der Hund schläft im Garten. Niemand weckt ihn heute auf.", Some("de"));
        assert_eq!((measured.words, measured.sentences, measured.syllables), (10, 2, None));
        assert_eq!((measured.flesch_reading_ease, measured.coleman_liau_index), (None, None));
        assert!(measured.lix.is_some() && measured.note.is_some());
        assert_eq!(readability("今日は天気がいいですね。", Some("ja")).lix, None);
    }

    #[test]
    fn short_sentences_are_not_counted() {
        assert_eq!(
            count_sentences("Hello there. This one is counted! Really? Yes. Version 3.5 of it is not split."),
            2
        );
        assert_eq!(count_sentences("..."), 1);
    }

    #[test]
    fn text_without_words_has_no_grade() {
        let measured = readability(" – … ", Some("en"));
        assert_eq!((measured.words, measured.gunning_fog, measured.lix), (0, None, None));
        assert!(measured.note.is_some());
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[ .!?\n'a-z]){0,200}") {
            let measured = readability(&text, Some("en"));
            prop_assert!(measured.grade.is_none_or(f64::is_finite));
            prop_assert_eq!(measured.words == 0, measured.grade.is_none());
        }
    }
}

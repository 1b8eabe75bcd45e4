//! How hard a text is to read: six measures that turn the lengths of words and sentences into a school grade.
//!
//! The numbers are those of Python's `textstat` 0.7.8, the tool most people would check them with, down to its way
//! of counting: words stand between spaces, a sentence ends at `.`, `!` or `?` and is counted only if it has three
//! words or more. `tests/analysis/golden/readability.json` compares the two. They differ in this, all of it in the
//! number of syllables, which Coleman-Liau and ARI do not use:
//!
//! | where | textstat | here | why |
//! |---|---|---|---|
//! | a word `CMUdict` does not know (`blog`, `reusable`, names) | the places it may be hyphenated at, plus one | the rule of `syllables.rs` | hyphenation skips places where a break would look bad, so it counts too few |
//! | `well-known` | `wellknown`, one unknown word | `well` and `known` | a hyphen changes no sound |
//! | `don’t` with a typographic apostrophe | `dont`, an unknown word | `don't` | the apostrophe is the same |
//! | `'today'` in straight single quotes | `'today`, an unknown word (only before t, s and d) | `today` | a quote is no apostrophe |
//! | a text without words | 0 for each measure | null | 0 would be a grade |
//! | letters of scripts with combining marks | the mark is punctuation | the mark is part of the letter | only in texts that are not English, where all six are null |

use std::{collections::HashSet, sync::LazyLock};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    syllables,
    text::{as_f64, clip, is_space, lower, rounded},
};

/// Dale and Chall's easy words, as far as they are long enough to be taken for hard ones.
static EASY_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("word_lists/easy_words.txt").split_whitespace().collect());

/// From this number of syllables on a word is hard to read.
const POLYSYLLABLE: usize = 3;
/// LIX calls a word long beyond this number of letters.
const LONG_WORD: usize = 6;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Readability {
    pub words: usize,
    /// Those of three words or more: shorter ones are headings, initials and the like.
    pub sentences: usize,
    /// Null where the text is not English.
    pub syllables: Option<usize>,
    /// Flesch Reading Ease: about 0 (hard) to 100 (easy); 60 to 70 is plain English.
    pub flesch_reading_ease: Option<f64>,
    /// This and the four below: the US school grade that can read it.
    pub flesch_kincaid_grade: Option<f64>,
    pub gunning_fog: Option<f64>,
    /// Made for texts of 30 sentences and more.
    pub smog_index: Option<f64>,
    pub coleman_liau_index: Option<f64>,
    pub automated_readability_index: Option<f64>,
    /// The grade in the middle of the five.
    pub grade: Option<f64>,
    /// LIX, which is made for any language written with spaces: below 30 easy, above 50 hard.
    pub lix: Option<f64>,
    /// Why measures are null.
    pub note: Option<&'static str>,
}

/// Measures a text that is known to be in `language` (ISO 639-1), if it is known.
pub fn measure(text: &str, language: Option<&str>) -> Readability {
    let counts = Counts::of(clip(text));
    if counts.words == 0 {
        return Readability { note: Some("There are no words to measure."), ..unmeasured(&counts) };
    }
    match language {
        Some("en") => english(&counts),
        Some("zh" | "ja" | "th" | "km" | "my") => Readability {
            note: Some(
                "Words are not set apart by spaces in this language: none of the measures can be computed.",
            ),
            ..unmeasured(&counts)
        },
        _ => Readability {
            lix: Some(counts.lix()),
            note: Some(
                "The six measures are made for English and would mislead for another language. LIX can be used.",
            ),
            ..unmeasured(&counts)
        },
    }
}

fn unmeasured(counts: &Counts) -> Readability {
    Readability {
        words: counts.words,
        sentences: counts.sentences,
        syllables: None,
        flesch_reading_ease: None,
        flesch_kincaid_grade: None,
        gunning_fog: None,
        smog_index: None,
        coleman_liau_index: None,
        automated_readability_index: None,
        grade: None,
        lix: None,
        note: None,
    }
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
    let shown = |value: f64| Some(rounded(value, 2));
    Readability {
        syllables: Some(counts.syllables),
        flesch_reading_ease: shown(206.835 - 1.015 * sentence_length - 84.6 * syllables_per_word),
        flesch_kincaid_grade: shown(kincaid),
        gunning_fog: shown(fog),
        smog_index: shown(smog),
        coleman_liau_index: shown(coleman_liau),
        automated_readability_index: shown(ari),
        grade: Some(rounded(grades[2], 1)),
        lix: Some(counts.lix()),
        ..unmeasured(counts)
    }
}

#[derive(Debug, Default)]
struct Counts {
    /// What stands between spaces, punctuation alone included: ARI divides by these, since it counts their characters.
    tokens: usize,
    words: usize,
    sentences: usize,
    /// Everything but spaces.
    characters: usize,
    /// Letters and digits.
    letters: usize,
    long_words: usize,
    syllables: usize,
    polysyllables: usize,
    hard_words: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self { sentences: sentences(text), ..Self::default() };
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
        let syllables = syllables::count(token);
        self.words += 1;
        self.syllables += syllables;
        self.long_words += usize::from(letters > LONG_WORD);
        if syllables >= POLYSYLLABLE {
            self.polysyllables += 1;
            let bare =
                token.trim_matches(|c: char| !is_word_char(c)).replace(|c| !is_word_char(c) && c != '\'', "");
            self.hard_words += usize::from(!EASY_WORDS.contains(lower(&bare).as_ref()));
        }
    }

    fn lix(&self) -> f64 {
        let long = 100.0 * as_f64(self.long_words) / as_f64(self.words);
        rounded(as_f64(self.words) / as_f64(self.sentences) + long, 2)
    }
}

/// Sentences of three words or more, at least one. A sentence starts at its first letter, so marks alone are none.
fn sentences(text: &str) -> usize {
    text.split(['.', '!', '?']).filter(|sentence| has_three_words(sentence)).count().max(1)
}

fn has_three_words(sentence: &str) -> bool {
    let from_first_word = sentence.trim_start_matches(|c| !is_word_char(c));
    from_first_word.split(is_space).filter(|token| is_word(token)).nth(2).is_some()
}

/// A token is a word if anything of it is left without its punctuation; an apostrophe stays where it may shorten a
/// word (`'s`, `'ll`).
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
    fn a_plain_english_text_has_all_measures() {
        let text = "The cat sat on the mat. It was a sunny day, and nobody wanted to go home.";
        let measured = measure(text, Some("en"));
        assert_eq!((measured.words, measured.sentences, measured.syllables), (17, 2, Some(21)));
        assert!(measured.flesch_reading_ease.is_some_and(|ease| ease > 90.0));
        assert!(measured.grade.is_some_and(|grade| grade < 4.0));
        assert_eq!(measured.note, None);
    }

    #[test]
    fn other_languages_get_counts_and_a_reason() {
        let measured = measure("Der Hund schläft im Garten. Niemand weckt ihn heute auf.", Some("de"));
        assert_eq!((measured.words, measured.sentences, measured.syllables), (10, 2, None));
        assert_eq!((measured.flesch_reading_ease, measured.coleman_liau_index), (None, None));
        assert!(measured.lix.is_some() && measured.note.is_some());
        assert_eq!(measure("今日は天気がいいですね。", Some("ja")).lix, None);
    }

    #[test]
    fn short_sentences_are_not_counted() {
        assert_eq!(
            sentences("Hello there. This one is counted! Really? Yes. Version 3.5 of it is not split."),
            2
        );
        assert_eq!(sentences("..."), 1);
    }

    #[test]
    fn no_words_no_grade() {
        let measured = measure(" – … ", Some("en"));
        assert_eq!((measured.words, measured.gunning_fog, measured.lix), (0, None, None));
        assert!(measured.note.is_some());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "(\\PC|[ .!?\n'a-z]){0,200}") {
            let measured = measure(&text, Some("en"));
            prop_assert!(measured.grade.is_none_or(f64::is_finite));
            prop_assert_eq!(measured.words == 0, measured.grade.is_none());
        }
    }
}

//! One form for the forms of a word, so that `shoes` counts as `shoe`.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::text::folded;

/// A word longer than this is no word of any language; stemming it would only cost time.
const LONGEST_WORD: usize = 64;

/// Stems words of one language. A language without a stemmer keeps its words as they are, in lower case.
pub(crate) struct Stems(Option<Stemmer>);

impl Stems {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn of(language: &str) -> Self {
        Self(algorithm(language).map(Stemmer::create))
    }

    /// The stem of a word as it stands in a text.
    pub(crate) fn stem(&self, word: &str) -> String {
        let word = folded(word);
        match &self.0 {
            Some(stemmer) if word.len() <= LONGEST_WORD => stemmer.stem(&word).into_owned(),
            _ => word,
        }
    }
}

/// A number for each stem, so that long texts are compared without their strings. A word is stemmed once, however
/// often it comes.
pub(crate) struct StemNumbers {
    stems: Stems,
    by_word: HashMap<String, u32>,
    by_stem: HashMap<String, u32>,
}

impl StemNumbers {
    pub(crate) fn of(language: &str) -> Self {
        Self { stems: Stems::of(language), by_word: HashMap::new(), by_stem: HashMap::new() }
    }

    /// The number of a word's stem.
    pub(crate) fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.by_word.get(word) {
            return *number;
        }
        let next = u32::try_from(self.by_stem.len()).unwrap_or(u32::MAX);
        let number = *self.by_stem.entry(self.stems.stem(word)).or_insert(next);
        self.by_word.insert(word.to_owned(), number);
        number
    }
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LANGUAGES: [&str; 19] = [
        "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "ta",
        "tr", "tlh",
    ];

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        let english = Stems::of("en");
        assert_eq!(english.stem("Shoes"), english.stem("shoe"));
        assert_eq!(english.stem("Company’s"), english.stem("companies"));
        let german = Stems::of("de");
        assert_eq!(german.stem("Schuhe"), german.stem("Schuh"));
    }

    #[test]
    fn a_language_without_a_stemmer_keeps_its_words() {
        assert_eq!(Stems::of("pl").stem("Buty"), "buty");
    }

    proptest! {
        #[test]
        fn no_word_is_too_odd(word in "\\PC{0,20}", letters in "[a-zäöüßéèçñıİşğα-ωа-я]{0,16}") {
            for language in LANGUAGES {
                let stems = Stems::of(language);
                stems.stem(&word);
                stems.stem(&letters);
            }
        }
    }
}

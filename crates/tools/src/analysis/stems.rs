//! Reduces words to their stems, so that `shoes` counts as `shoe`.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::text::normalize_word;

/// Longer tokens are not words. Stemming them would only take time.
const MAX_WORD_BYTES: usize = 64;

/// Stems words of one language. Without a stemmer for the language, words are only normalized.
pub(crate) struct LanguageStemmer(Option<Stemmer>);

impl LanguageStemmer {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn new(language: &str) -> Self {
        Self(algorithm(language).map(Stemmer::create))
    }

    pub(crate) fn stem(&self, word: &str) -> String {
        let word = normalize_word(word);
        match &self.0 {
            Some(stemmer) if word.len() <= MAX_WORD_BYTES => stemmer.stem(&word).into_owned(),
            _ => word,
        }
    }
}

/// Assigns an id to each stem, so that texts are compared without strings. Each different word is stemmed only once.
pub(crate) struct StemInterner {
    stemmer: LanguageStemmer,
    by_word: HashMap<String, u32>,
    by_stem: HashMap<String, u32>,
}

impl StemInterner {
    pub(crate) fn new(language: &str) -> Self {
        Self { stemmer: LanguageStemmer::new(language), by_word: HashMap::new(), by_stem: HashMap::new() }
    }

    /// The id of the word's stem.
    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        if let Some(id) = self.by_word.get(word) {
            return *id;
        }
        let next = u32::try_from(self.by_stem.len()).unwrap_or(u32::MAX);
        let id = *self.by_stem.entry(self.stemmer.stem(word)).or_insert(next);
        self.by_word.insert(word.to_owned(), id);
        id
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
    fn forms_of_a_word_have_the_same_stem() {
        let english = LanguageStemmer::new("en");
        assert_eq!(english.stem("Shoes"), english.stem("shoe"));
        assert_eq!(english.stem("Company’s"), english.stem("companies"));
        let german = LanguageStemmer::new("de");
        assert_eq!(german.stem("Schuhe"), german.stem("Schuh"));
    }

    #[test]
    fn words_of_a_language_without_a_stemmer_are_unchanged() {
        assert_eq!(LanguageStemmer::new("pl").stem("Buty"), "buty");
    }

    proptest! {
        #[test]
        fn any_word_is_accepted(word in "\\PC{0,20}", letters in "[a-zäöüßéèçñıİşğα-ωа-я]{0,16}") {
            for language in LANGUAGES {
                let stemmer = LanguageStemmer::new(language);
                stemmer.stem(&word);
                stemmer.stem(&letters);
            }
        }
    }
}

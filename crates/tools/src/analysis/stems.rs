//! One form for the forms of a word, so that `shoes` counts as `shoe`.

use rust_stemmers::{Algorithm, Stemmer};

use super::text::folded;

/// A word longer than this is no word of any language; stemming it would only cost time.
const LONGEST_WORD: usize = 64;

/// Stems words of one language. A language without a stemmer keeps its words as they are, in lower case.
pub(super) struct Stems(Option<Stemmer>);

impl Stems {
    /// `language` is an ISO 639-1 code.
    pub(super) fn of(language: &str) -> Self {
        Self(algorithm(language).map(Stemmer::create))
    }

    /// The stem of a word as it stands in a text.
    pub(super) fn stem(&self, word: &str) -> String {
        let word = folded(word);
        match &self.0 {
            Some(stemmer) if word.len() <= LONGEST_WORD => stemmer.stem(&word).into_owned(),
            _ => word,
        }
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
        "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "ta", "tr",
        "tlh",
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

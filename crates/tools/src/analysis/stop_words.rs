//! Words that hold a sentence together and say nothing about its subject.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// English has a list of its own: see `word_lists.py` beside the tests for why.
const ENGLISH: &str = include_str!("word_lists/stop_words_en.txt");

static LISTS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let mut lists: HashMap<_, HashSet<_>> = stop_words::available_languages()
        .iter()
        .filter_map(|code| Some((*code, stop_words::lookup(code)?.iter().copied().collect())))
        .collect();
    lists.insert("en", ENGLISH.split_whitespace().collect());
    lists
});

/// The stop words of one language; empty for a language that has no list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopWords(Option<&'static HashSet<&'static str>>);

impl StopWords {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn of(language: &str) -> Self {
        Self(LISTS.get(language))
    }

    /// The word is in lower case.
    pub(crate) fn contains(self, word: &str) -> bool {
        self.0.is_some_and(|list| list.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_list_has_no_stop_words() {
        assert!(StopWords::of("en").contains("the"));
        assert!(StopWords::of("de").contains("und"));
        assert!(!StopWords::of("tlh").contains("the"));
    }

    #[test]
    fn what_a_brand_may_sell_is_no_stop_word() {
        for word in ["mug", "home", "free", "website", "computer", "research"] {
            assert!(!StopWords::of("en").contains(word), "{word}");
        }
    }
}

//! Stop words: frequent words that say nothing about the topic of a text.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// English has its own list: `tests/analysis/word_lists.py` explains why.
const ENGLISH: &str = include_str!("word_lists/stop_words_en.txt");

static LISTS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let mut lists: HashMap<_, HashSet<_>> = stop_words::available_languages()
        .iter()
        .filter_map(|code| Some((*code, stop_words::lookup(code)?.iter().copied().collect())))
        .collect();
    lists.insert("en", ENGLISH.split_whitespace().collect());
    lists
});

/// The stop words of one language. Empty if there is no list for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopWords(Option<&'static HashSet<&'static str>>);

impl StopWords {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn for_language(language: &str) -> Self {
        Self(LISTS.get(language))
    }

    /// `word` must be in lower case.
    pub(crate) fn contains(self, word: &str) -> bool {
        self.0.is_some_and(|list| list.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_without_a_list_has_no_stop_words() {
        assert!(StopWords::for_language("en").contains("the"));
        assert!(StopWords::for_language("de").contains("und"));
        assert!(!StopWords::for_language("tlh").contains("the"));
    }

    #[test]
    fn product_words_are_not_stop_words() {
        for word in ["mug", "home", "free", "website", "computer", "research"] {
            assert!(!StopWords::for_language("en").contains(word), "{word}");
        }
    }
}

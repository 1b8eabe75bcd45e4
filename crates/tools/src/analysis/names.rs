//! Names of the brand and its competitors. A term with such a name is no topic, so it is no gap.

use super::{terms::TermExtractor, text::words};
use crate::cpu_pool::checkpoint;

/// The names without those that a text also writes in lower case: a competitor that is called `Beans` must not hide all
/// terms with `beans`.
pub(crate) fn without_common_words<'t>(
    names: &[String],
    texts: impl IntoIterator<Item = &'t str>,
) -> Vec<String> {
    let mut names: Vec<(&String, String)> = names.iter().map(|name| (name, name.to_lowercase())).collect();
    for text in texts {
        checkpoint();
        for word in words(text) {
            names.retain(|(_, lower)| lower != word.text);
        }
    }
    names.into_iter().map(|(name, _)| name.clone()).collect()
}

/// Names as stem ids.
#[derive(Debug, Default)]
pub(crate) struct NameStems(Vec<Vec<u32>>);

impl NameStems {
    pub(crate) fn new(names: &[String], extractor: &mut TermExtractor) -> Self {
        let stems = names.iter().map(|name| extractor.stem_ids(name));
        Self(stems.filter(|stem_ids| !stem_ids.is_empty()).collect())
    }

    /// Whether `stem_ids` contain all words of a name, in order.
    pub(crate) fn any_within(&self, stem_ids: &[u32]) -> bool {
        self.0.iter().any(|name| stem_ids.windows(name.len()).any(|run| run == name.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn name_that_is_a_common_word_is_removed() {
        let texts = ["Globex sells whole beans.", "Beans from Globex."];
        assert_eq!(without_common_words(&owned(&["Beans", "Globex"]), texts), ["Globex"]);
    }

    #[test]
    fn name_of_several_words_is_matched_as_a_whole() {
        let mut extractor = TermExtractor::new("en");
        let names = NameStems::new(&owned(&["Acme Coffee", "?"]), &mut extractor);
        for (term, has_name) in [("acme coffee beans", true), ("coffee subscription", false), ("acme", false)]
        {
            assert_eq!(names.any_within(&extractor.stem_ids(term)), has_name, "{term}");
        }
    }
}

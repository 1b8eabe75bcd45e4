//! Finds the names of brands in a text, in the forms people write them.

use std::collections::HashMap;

use super::text::{Word, normalize_word, without_possessive, words};

pub(super) const MAX_NAMES: usize = 20;
const MAX_ALIASES: usize = 20;
const MAX_WORDS: usize = 8;

/// A brand, or one of its competitors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrackedName {
    pub name: String,
    /// The host name of its website, such as `www.example.com`.
    pub host: Option<String>,
    /// Other names for it.
    pub aliases: Vec<String>,
}

/// An occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameMatch {
    /// The index of the name.
    pub(super) name: usize,
    /// The form in the text.
    pub(super) form: String,
}

/// Finds names in sentences. The longest name wins, so that `Acme Shoes` is not also `Acme`.
///
/// A name matches as it is, as one word (`AcmeShoes`), with hyphens, as its host, and with a possessive. Case is ignored,
/// with one exception: a capitalized name of one word must be capitalized in the text, because `target` is not `Target`.
/// A handle, hashtag or host matches in any case.
#[derive(Debug)]
pub(super) struct NameMatcher {
    /// By first word; the longest pattern first.
    by_first: HashMap<String, Vec<NamePattern>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NamePattern {
    name: usize,
    /// In their comparison form.
    words: Vec<String>,
    /// The characters between two words, without spaces: usually nothing, or `&`.
    between: Vec<String>,
    needs_capital: bool,
}

impl NameMatcher {
    pub(super) fn new(names: &[TrackedName]) -> Self {
        let mut by_first: HashMap<String, Vec<NamePattern>> = HashMap::new();
        for (index, name) in names.iter().enumerate().take(MAX_NAMES) {
            for pattern in patterns_for(index, name) {
                let Some(first) = pattern.words.first() else { continue };
                let same_first = by_first.entry(first.clone()).or_default();
                if !same_first
                    .iter()
                    .any(|other| other.words == pattern.words && other.between == pattern.between)
                {
                    same_first.push(pattern);
                }
            }
        }
        for same_first in by_first.values_mut() {
            same_first.sort_by_key(|pattern| std::cmp::Reverse(pattern.words.len()));
        }
        Self { by_first }
    }

    pub(super) fn find_all(&self, sentence: &str) -> Vec<NameMatch> {
        let words: Vec<Word<'_>> = words(sentence).collect();
        let mut matches = Vec::new();
        let mut at = 0;
        while let Some(first) = words.get(at) {
            let found = self.by_first.get(&comparison_form(first.text)).and_then(|same_first| {
                same_first.iter().find(|pattern| pattern.matches_at(sentence, &words[at..]))
            });
            match found {
                Some(pattern) => {
                    let last = &words[at + pattern.words.len() - 1];
                    let form = without_possessive(&sentence[first.start..last.end()]).to_owned();
                    matches.push(NameMatch { name: pattern.name, form });
                    at += pattern.words.len();
                }
                None => at += 1,
            }
        }
        matches
    }
}

impl NamePattern {
    /// Returns `None` if the name has no words or too many.
    fn new(name: usize, written: &str) -> Option<Self> {
        let parts: Vec<Word<'_>> = words(written).take(MAX_WORDS + 1).collect();
        if parts.is_empty() || parts.len() > MAX_WORDS {
            return None;
        }
        let between =
            parts.windows(2).map(|pair| separator(&written[pair[0].end()..pair[1].start])).collect();
        let needs_capital = parts.len() == 1 && written.trim().starts_with(char::is_uppercase);
        Some(Self {
            name,
            words: parts.iter().map(|part| comparison_form(part.text)).collect(),
            between,
            needs_capital,
        })
    }

    fn matches_at(&self, sentence: &str, words: &[Word<'_>]) -> bool {
        let Some(words) = words.get(..self.words.len()) else { return false };
        let same_words =
            words.iter().zip(&self.words).all(|(word, expected)| comparison_form(word.text) == *expected);
        let same_between = || {
            words
                .windows(2)
                .zip(&self.between)
                .all(|(pair, expected)| separator(&sentence[pair[0].end()..pair[1].start]) == *expected)
        };
        let has_capital = || {
            let is_tag = sentence[..words[0].start].ends_with(['@', '#']);
            is_tag || words[0].text.starts_with(char::is_uppercase)
        };
        same_words && same_between() && (!self.needs_capital || has_capital())
    }
}

/// The patterns for a name.
fn patterns_for(index: usize, name: &TrackedName) -> Vec<NamePattern> {
    let mut patterns = Vec::new();
    for written in std::iter::once(&name.name).chain(name.aliases.iter().take(MAX_ALIASES)) {
        let Some(plain) = NamePattern::new(index, written) else { continue };
        if plain.words.len() > 1 {
            patterns.push(NamePattern {
                name: index,
                words: vec![plain.words.concat()],
                between: Vec::new(),
                needs_capital: false,
            });
        }
        patterns.push(plain);
    }
    if let Some(host) = &name.host {
        patterns
            .extend(NamePattern::new(index, host).map(|host| NamePattern { needs_capital: false, ..host }));
    }
    patterns
}

/// Normalizes a word for comparison.
fn comparison_form(word: &str) -> String {
    let word = normalize_word(word);
    match word.strip_prefix("www.") {
        Some(host) => host.to_owned(),
        None => word,
    }
}

/// Normalizes the characters between two words of a name. A space and a hyphen are the same.
fn separator(between: &str) -> String {
    between.trim().trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(name: &str, host: Option<&str>) -> TrackedName {
        TrackedName { name: name.to_owned(), host: host.map(str::to_owned), aliases: Vec::new() }
    }

    fn matches(names: &[TrackedName], sentence: &str) -> Vec<(usize, String)> {
        NameMatcher::new(names)
            .find_all(sentence)
            .into_iter()
            .map(|pattern| (pattern.name, pattern.form))
            .collect()
    }

    #[test]
    fn name_is_found_in_every_form() {
        let acme = [name("Acme Shoes", Some("www.acme-shoes.com"))];
        for (sentence, form) in [
            ("I like Acme Shoes.", "Acme Shoes"),
            ("acme-shoes, again", "acme-shoes"),
            ("#AcmeShoes rocks", "AcmeShoes"),
            ("Acme Shoes' and Acme Shoes’s", "Acme Shoes"),
            ("see https://www.acme-shoes.com/x", "www.acme-shoes.com"),
        ] {
            let matches = matches(&acme, sentence);
            assert_eq!(matches.first(), Some(&(0, form.to_owned())), "{sentence}");
        }
        assert!(matches(&acme, "Acme makes shoes. Acme, shoes").is_empty());
    }

    #[test]
    fn capitalized_name_does_not_match_the_lower_case_word() {
        let target = [name("Target", Some("target.com"))];
        assert!(matches(&target, "the target is clear").is_empty());
        assert_eq!(matches(&target, "Target, @target and target.com, Target's").len(), 4);
        assert_eq!(matches(&[name("adidas", None)], "Adidas and adidas").len(), 2);
    }

    #[test]
    fn longest_name_wins() {
        let names = [name("Acme", None), name("Acme Pro", None)];
        assert_eq!(
            matches(&names, "Acme Pro beats Acme"),
            [(1, "Acme Pro".to_owned()), (0, "Acme".to_owned())]
        );
    }

    #[test]
    fn symbols_are_part_of_a_name() {
        let names = [name("H&M", None), name("无印良品", None)];
        assert_eq!(
            matches(&names, "H&M or h & m, not H M"),
            [(0, "H&M".to_owned()), (0, "h & m".to_owned())]
        );
        assert_eq!(matches(&names, "我喜欢无印良品。"), [(1, "无印良品".to_owned())]);
    }

    #[test]
    fn name_without_letters_never_matches() {
        assert!(matches(&[name("", None), name("!!!", None)], "!!! is here").is_empty());
    }

    proptest! {
        #[test]
        fn any_name_and_text_is_accepted(given in "(\\PC|[ab &.-]){0,20}", text in "(\\PC|[ab &.-]){0,100}") {
            let names = [name(&given, Some(&given))];
            for (index, form) in matches(&names, &text) {
                prop_assert_eq!(index, 0);
                prop_assert!(text.contains(&form));
            }
        }
    }
}

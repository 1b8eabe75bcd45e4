//! Names of brands, and finding them in a text in the ways people write them.

use std::collections::HashMap;

use super::text::{Word, folded, words};

pub(super) const MAX_NAMES: usize = 20;
const MAX_ALIASES: usize = 20;
/// A name of more words than this is a sentence.
const MAX_WORDS: usize = 8;

/// A brand, or one of its competitors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    /// Its website's host name, if it has one: `www.example.com`.
    pub host: Option<String>,
    /// Other names it is known by.
    pub aliases: Vec<String>,
}

/// A name as it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Which name, counted from 0.
    pub(super) name: usize,
    /// How it was written, in lower case where it was an address.
    pub(super) form: String,
}

/// Finds names in sentences. The longest wins, so that `Acme Shoes` is not also `Acme`.
///
/// Each name is looked for as it is, written together (`AcmeShoes`), with hyphens, as its host, and with a
/// possessive. Case makes no difference, except that a name of one word that is written with a capital needs one:
/// `Target` is not `target`. As a handle, hashtag or host it needs none.
#[derive(Debug)]
pub(super) struct Spotter {
    /// By first word; the longest first.
    by_first: HashMap<String, Vec<Wanted>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    name: usize,
    /// In lower case, without possessive.
    words: Vec<String>,
    /// What stands between two words, without spaces: `&`, and nothing as a rule.
    between: Vec<String>,
    capital: bool,
}

impl Spotter {
    pub(super) fn of(names: &[Name]) -> Self {
        let mut by_first: HashMap<String, Vec<Wanted>> = HashMap::new();
        for (number, name) in names.iter().enumerate().take(MAX_NAMES) {
            for wanted in variants(number, name) {
                let Some(first) = wanted.words.first() else { continue };
                let same_first = by_first.entry(first.clone()).or_default();
                if !same_first
                    .iter()
                    .any(|other| other.words == wanted.words && other.between == wanted.between)
                {
                    same_first.push(wanted);
                }
            }
        }
        for same_first in by_first.values_mut() {
            same_first.sort_by_key(|wanted| std::cmp::Reverse(wanted.words.len()));
        }
        Self { by_first }
    }

    pub(super) fn spot(&self, sentence: &str) -> Vec<Pattern> {
        let words: Vec<Word<'_>> = words(sentence).collect();
        let mut spotted = Vec::new();
        let mut at = 0;
        while let Some(first) = words.get(at) {
            let key = key(first.text);
            let found = self.by_first.get(&key).and_then(|same_first| {
                same_first.iter().find(|wanted| wanted.stands_at(sentence, &words[at..]))
            });
            match found {
                Some(wanted) => {
                    let last = &words[at + wanted.words.len() - 1];
                    let form = without_possessive(&sentence[first.start..last.end()]).to_owned();
                    spotted.push(Pattern { name: wanted.name, form });
                    at += wanted.words.len();
                }
                None => at += 1,
            }
        }
        spotted
    }
}

impl Wanted {
    /// From a name as it is written; nothing where it has no letters, or too many words.
    fn new(name: usize, written: &str) -> Option<Self> {
        let parts: Vec<Word<'_>> = words(written).take(MAX_WORDS + 1).collect();
        if parts.is_empty() || parts.len() > MAX_WORDS {
            return None;
        }
        let between =
            parts.windows(2).map(|pair| separator(&written[pair[0].end()..pair[1].start])).collect();
        let capital = parts.len() == 1 && written.trim().starts_with(char::is_uppercase);
        Some(Self { name, words: parts.iter().map(|part| key(part.text)).collect(), between, capital })
    }

    fn stands_at(&self, sentence: &str, words: &[Word<'_>]) -> bool {
        let Some(met) = words.get(..self.words.len()) else { return false };
        let same_words = met.iter().zip(&self.words).all(|(met, wanted)| key(met.text) == *wanted);
        let same_between = || {
            met.windows(2)
                .zip(&self.between)
                .all(|(pair, wanted)| separator(&sentence[pair[0].end()..pair[1].start]) == *wanted)
        };
        let has_capital = || {
            let marked = sentence[..met[0].start].ends_with(['@', '#']);
            marked || met[0].text.starts_with(char::is_uppercase)
        };
        same_words && same_between() && (!self.capital || has_capital())
    }
}

/// The ways a name is looked for.
fn variants(number: usize, name: &Name) -> Vec<Wanted> {
    let mut variants = Vec::new();
    for written in std::iter::once(&name.name).chain(name.aliases.iter().take(MAX_ALIASES)) {
        let Some(plain) = Wanted::new(number, written) else { continue };
        if plain.words.len() > 1 {
            variants.push(Wanted {
                name: number,
                words: vec![plain.words.concat()],
                between: Vec::new(),
                capital: false,
            });
        }
        variants.push(plain);
    }
    if let Some(host) = &name.host {
        variants.extend(Wanted::new(number, host).map(|host| Wanted { capital: false, ..host }));
    }
    variants
}

/// A word as it is compared.
fn key(word: &str) -> String {
    let word = folded(word);
    match word.strip_prefix("www.") {
        Some(host) => host.to_owned(),
        None => word,
    }
}

/// What parts two words of a name; a space and a hyphen are the same.
fn separator(between: &str) -> String {
    between.trim().trim_matches('-').to_owned()
}

fn without_possessive(form: &str) -> &str {
    form.strip_suffix("'s").or_else(|| form.strip_suffix("’s")).unwrap_or(form)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(name: &str, host: Option<&str>) -> Name {
        Name { name: name.to_owned(), host: host.map(str::to_owned), aliases: Vec::new() }
    }

    fn spotted(names: &[Name], sentence: &str) -> Vec<(usize, String)> {
        Spotter::of(names).spot(sentence).into_iter().map(|pattern| (pattern.name, pattern.form)).collect()
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let acme = [name("Acme Shoes", Some("www.acme-shoes.com"))];
        for (sentence, form) in [
            ("I like Acme Shoes.", "Acme Shoes"),
            ("acme-shoes, again", "acme-shoes"),
            ("#AcmeShoes rocks", "AcmeShoes"),
            ("Acme Shoes' and Acme Shoes’s", "Acme Shoes"),
            ("see https://www.acme-shoes.com/x", "www.acme-shoes.com"),
        ] {
            let spotted = spotted(&acme, sentence);
            assert_eq!(spotted.first(), Some(&(0, form.to_owned())), "{sentence}");
        }
        assert!(spotted(&acme, "Acme makes shoes. Acme, shoes").is_empty());
    }

    #[test]
    fn a_word_with_a_capital_is_not_the_word_without() {
        let target = [name("Target", Some("target.com"))];
        assert!(spotted(&target, "the target is clear").is_empty());
        assert_eq!(spotted(&target, "Target, @target and target.com, Target's").len(), 4);
        assert_eq!(spotted(&[name("adidas", None)], "Adidas and adidas").len(), 2);
    }

    #[test]
    fn the_longest_name_wins() {
        let names = [name("Acme", None), name("Acme Pro", None)];
        assert_eq!(
            spotted(&names, "Acme Pro beats Acme"),
            [(1, "Acme Pro".to_owned()), (0, "Acme".to_owned())]
        );
    }

    #[test]
    fn signs_in_a_name_are_part_of_it() {
        let names = [name("H&M", None), name("无印良品", None)];
        assert_eq!(
            spotted(&names, "H&M or h & m, not H M"),
            [(0, "H&M".to_owned()), (0, "h & m".to_owned())]
        );
        assert_eq!(spotted(&names, "我喜欢无印良品。"), [(1, "无印良品".to_owned())]);
    }

    #[test]
    fn a_name_without_letters_is_not_looked_for() {
        assert!(spotted(&[name("", None), name("!!!", None)], "!!! is here").is_empty());
    }

    proptest! {
        #[test]
        fn any_name_and_text_is_taken(given in "(\\PC|[ab &.-]){0,20}", text in "(\\PC|[ab &.-]){0,100}") {
            let names = [name(&given, Some(&given))];
            for (number, form) in spotted(&names, &text) {
                prop_assert_eq!(number, 0);
                prop_assert!(text.contains(&form));
            }
        }
    }
}

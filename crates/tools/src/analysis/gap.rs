//! What competitors write about and the brand does not: terms of one to three words that their pages have and the
//! brand's lack.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    chunks::{Kind, Token, chunks},
    source::{Source, shown_name},
    stems::StemNumbers,
    stop_words::StopWords,
    text::{as_f64, clip_to, rounded},
};

const LONGEST: usize = 3;
const SHORT_WORD: usize = 3;
const MAX_PAGES: usize = 200;
/// How much is read of all pages of a side together: it bounds the memory, whatever the number of pages.
const READ: usize = 2_000_000;
const MAX_TERMS: usize = 50;
const SHOWN_PAGES: usize = 3;
const LONGEST_TERM: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Gap {
    pub brand_pages: usize,
    pub competitor_pages: usize,
    /// Most promising first; the first 50.
    pub terms: Vec<GapTerm>,
    pub terms_total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GapTerm {
    pub term: String,
    /// How often competitors use it, in any of its forms.
    pub count: usize,
    /// How many of their pages have it.
    pub pages: usize,
    /// The pages that use it most; the first 3.
    pub on: Vec<String>,
    /// More pages, more uses and more words make a higher score. It has no upper end: compare it within one answer.
    pub score: f64,
}

/// The gap between pages in `language` (ISO 639-1). `names` are the competitors' own, which the brand lacks rightly.
///
/// A term has to be on two pages, or where there is only one page, twice on it: what is said once is chance.
pub fn gap(brand: &[Source<'_>], competitors: &[Source<'_>], names: &[String], language: &str) -> Gap {
    let mut reader = Reader::new(language);
    let brand = &brand[..brand.len().min(MAX_PAGES)];
    let competitors = &competitors[..competitors.len().min(MAX_PAGES)];
    let mut known = HashSet::new();
    for page in brand {
        reader.read(clip_to(page.text, READ / brand.len()), |key, _| {
            known.insert(key);
        });
    }
    let own: HashSet<u32> = names.iter().flat_map(|name| reader.numbers(name)).collect();
    let mut terms: HashMap<Key, Term<'_>> = HashMap::new();
    for (number, page) in competitors.iter().enumerate() {
        reader.read(clip_to(page.text, READ / competitors.len()), |key, tokens| {
            if !known.contains(&key) && !key.iter().flatten().any(|number| own.contains(number)) {
                terms.entry(key).or_default().add(number, tokens);
            }
        });
    }
    let needed = competitors.len().min(2);
    terms.retain(|_, term| term.count >= 2 && term.pages.len() >= needed);
    drop_parts(&mut terms);
    ranked(terms, brand.len(), competitors)
}

fn ranked(terms: HashMap<Key, Term<'_>>, brand_pages: usize, competitors: &[Source<'_>]) -> Gap {
    let mut ranked: Vec<(Key, GapTerm)> =
        terms.into_iter().map(|(key, term)| (key, term.shown(length(&key), competitors))).collect();
    ranked.sort_by(|(left_key, left), (right_key, right)| {
        right.score.total_cmp(&left.score).then_with(|| left_key.cmp(right_key))
    });
    let terms_total = ranked.len();
    let terms = ranked.into_iter().map(|(_, term)| term).take(MAX_TERMS).collect();
    Gap { brand_pages, competitor_pages: competitors.len(), terms, terms_total }
}

/// The numbers of a term's stems.
type Key = [Option<u32>; LONGEST];

fn key(numbers: &[u32]) -> Key {
    let mut key = Key::default();
    for (place, number) in key.iter_mut().zip(numbers) {
        *place = Some(*number);
    }
    key
}

fn length(key: &Key) -> usize {
    key.iter().flatten().count()
}

/// Leaves out a term that comes only within a longer one: `cold brew` says more than `brew`.
fn drop_parts(terms: &mut HashMap<Key, Term<'_>>) {
    let mut parts = HashSet::new();
    for (longer, term) in terms.iter() {
        let numbers: Vec<u32> = longer.iter().flatten().copied().collect();
        for shorter in 1..numbers.len() {
            for part in numbers.windows(shorter) {
                if terms.get(&key(part)).is_some_and(|part| part.count == term.count) {
                    parts.insert(key(part));
                }
            }
        }
    }
    terms.retain(|key, _| !parts.contains(key));
}

#[derive(Default)]
struct Term<'a> {
    count: usize,
    /// How often on which page.
    pages: HashMap<usize, usize>,
    /// How often written in which way, and when first.
    forms: HashMap<Vec<&'a str>, (usize, usize)>,
}

impl<'a> Term<'a> {
    fn add(&mut self, page: usize, tokens: &[Token<'a>]) {
        self.count += 1;
        *self.pages.entry(page).or_default() += 1;
        let first = self.count;
        self.forms.entry(tokens.iter().map(|token| token.text).collect()).or_insert((0, first)).0 += 1;
    }

    fn shown(&self, length: usize, competitors: &[Source<'_>]) -> GapTerm {
        let mut pages: Vec<(usize, usize)> = self.pages.iter().map(|(page, count)| (*page, *count)).collect();
        pages.sort_by_key(|(page, count)| (std::cmp::Reverse(*count), *page));
        let most = self.forms.iter().max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
        let term = most.map(|(words, _)| words.join(" ").to_lowercase()).unwrap_or_default();
        let spread = as_f64(self.pages.len()) / as_f64(competitors.len().max(1));
        GapTerm {
            term,
            count: self.count,
            pages: self.pages.len(),
            on: pages.iter().take(SHOWN_PAGES).map(|(page, _)| shown_name(competitors[*page].name)).collect(),
            score: rounded(spread * as_f64(1 + self.count).ln() * as_f64(length).sqrt(), 4),
        }
    }
}

/// Reads pages into terms.
struct Reader {
    stems: StemNumbers,
    stop_words: StopWords,
}

impl Reader {
    fn new(language: &str) -> Self {
        Self { stems: StemNumbers::of(language), stop_words: StopWords::of(language) }
    }

    fn numbers(&mut self, text: &str) -> Vec<u32> {
        let (chunks, _) = chunks(text);
        chunks.iter().flat_map(|chunk| &chunk.tokens).map(|token| self.stems.number(token.text)).collect()
    }

    /// Calls `met` for each term of a page, as often as it comes.
    fn read<'a>(&mut self, page: &'a str, mut met: impl FnMut(Key, &[Token<'a>])) {
        for chunk in chunks(page).0 {
            let numbers: Vec<u32> = chunk.tokens.iter().map(|token| self.stems.number(token.text)).collect();
            let can_end: Vec<bool> = chunk.tokens.iter().map(|token| self.can_end(token)).collect();
            for start in 0..numbers.len() {
                for end in start + 1..=numbers.len().min(start + LONGEST) {
                    let tokens = &chunk.tokens[start..end];
                    let bytes: usize = tokens.iter().map(|token| token.text.len()).sum();
                    if can_end[start] && can_end[end - 1] && bytes <= LONGEST_TERM {
                        met(key(&numbers[start..end]), tokens);
                    }
                }
            }
        }
    }

    /// Whether a term can start or end with it.
    fn can_end(&self, token: &Token<'_>) -> bool {
        let long = token.text.chars().nth(SHORT_WORD - 1).is_some() || token.kind == Kind::Acronym;
        long && token.kind.is_word() && !self.stop_words.contains(&token.text.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page<'a>(name: &'a str, text: &'a str) -> Source<'a> {
        Source { name, text }
    }

    #[test]
    fn what_only_competitors_have_is_found_with_its_pages() {
        let brand = [page("ours", "We roast coffee beans and sell mugs.")];
        let competitors = [
            page("a", "Our cold brew is strong. Cold brews need coffee beans."),
            page("b", "How to make cold brew: grind the beans."),
            page("c", "Grinding is fun, says Globex."),
            page("d", "Globex grinds."),
        ];
        let gap = gap(&brand, &competitors, &["Globex".to_owned()], "en");
        assert_eq!((gap.brand_pages, gap.competitor_pages), (1, 4));
        let found: Vec<(&str, usize, usize)> =
            gap.terms.iter().map(|term| (term.term.as_str(), term.count, term.pages)).collect();
        assert_eq!(found, [("grind", 3, 3), ("cold brew", 3, 2)]);
        assert_eq!(gap.terms[1].on, ["a", "b"]);
    }

    #[test]
    fn one_page_has_to_say_it_twice() {
        let gap = gap(&[], &[page("a", "Cold brew. Warm brew. Cold brew.")], &[], "en");
        let found: Vec<&str> = gap.terms.iter().map(|term| term.term.as_str()).collect();
        assert_eq!(found, ["cold brew", "brew"]);
    }

    #[test]
    fn nothing_against_nothing_is_nothing() {
        assert_eq!(gap(&[], &[], &[], "en").terms_total, 0);
    }

    proptest! {
        #[test]
        fn what_the_brand_has_is_no_gap(text in "(\\PC|[abc .\n]){0,200}") {
            let gap = gap(&[page("1", &text)], &[page("2", &text), page("3", &text)], &[], "en");
            prop_assert!(gap.terms.is_empty());
        }
    }
}

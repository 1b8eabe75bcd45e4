//! What competitors write about and the brand does not: terms of one to three words that their pages have and the
//! brand's lack.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    source::{Source, shown_name},
    terms::{Key, Term, TermReader, drop_parts, length},
    text::{as_f64, clip_to, rounded},
};

const LONGEST: usize = 3;
const MAX_PAGES: usize = 200;
/// How much is read of all pages of a side together: it bounds the memory, whatever the number of pages.
const READ: usize = 2_000_000;
const MAX_TERMS: usize = 50;
const SHOWN_PAGES: usize = 3;

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
    let mut reader = TermReader::new(language);
    let brand = &brand[..brand.len().min(MAX_PAGES)];
    let competitors = &competitors[..competitors.len().min(MAX_PAGES)];
    let mut known: HashSet<Key<LONGEST>> = HashSet::new();
    for page in brand {
        reader.read(clip_to(page.text, READ / brand.len()), |key, _| {
            known.insert(key);
        });
    }
    let own: HashSet<u32> = names.iter().flat_map(|name| reader.numbers(name)).collect();
    let mut terms: HashMap<Key<LONGEST>, Term<'_>> = HashMap::new();
    for (number, page) in competitors.iter().enumerate() {
        reader.read(clip_to(page.text, READ / competitors.len()), |key, tokens| {
            if !known.contains(&key) && !key.iter().flatten().any(|number| own.contains(number)) {
                terms.entry(key).or_default().add(number, tokens);
            }
        });
    }
    let needed = competitors.len().min(2);
    terms.retain(|_, term| term.count >= 2 && term.pages.len() >= needed);
    drop_parts(&mut terms, |term| term.count);
    ranked(terms, brand.len(), competitors)
}

fn ranked(terms: HashMap<Key<LONGEST>, Term<'_>>, brand_pages: usize, competitors: &[Source<'_>]) -> Gap {
    let mut ranked: Vec<(Key<LONGEST>, GapTerm)> =
        terms.into_iter().map(|(key, term)| (key, shown(&term, length(&key), competitors))).collect();
    ranked.sort_by(|(left_key, left), (right_key, right)| {
        right.score.total_cmp(&left.score).then_with(|| left_key.cmp(right_key))
    });
    let terms_total = ranked.len();
    let terms = ranked.into_iter().map(|(_, term)| term).take(MAX_TERMS).collect();
    Gap { brand_pages, competitor_pages: competitors.len(), terms, terms_total }
}

/// A term as it is shown.
fn shown(term: &Term<'_>, length: usize, competitors: &[Source<'_>]) -> GapTerm {
    let spread = as_f64(term.pages.len()) / as_f64(competitors.len().max(1));
    GapTerm {
        term: term.text(),
        count: term.count,
        pages: term.pages.len(),
        on: term.most_on().iter().take(SHOWN_PAGES).map(|page| shown_name(competitors[*page].name)).collect(),
        score: rounded(spread * as_f64(1 + term.count).ln() * as_f64(length).sqrt(), 4),
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

//! Content gap: terms of up to three words that competitors' pages have and the brand's pages lack.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    named_text::{NamedText, display_name},
    names::{NameStems, without_common_words},
    terms::{TermExtractor, TermKey, TermStats, is_specific, remove_subterms, term_score},
    text::{clip_to, round_to},
};
use crate::cpu_pool::checkpoint;

const MAX_TERM_WORDS: usize = 3;
const MAX_PAGES: usize = 200;
/// How much is read of all pages of one side together. It limits the memory.
const MAX_SIDE_BYTES: usize = 2_000_000;
const MAX_TERMS: usize = 30;
const MAX_SHOWN_PAGES: usize = 2;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Gap {
    pub brand_pages: usize,
    pub competitor_pages: usize,
    /// Most promising first; the first 30.
    pub terms: Vec<GapTerm>,
    pub terms_total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GapTerm {
    pub term: String,
    /// How often competitors use it, in any form.
    pub count: usize,
    /// The number of competitors' pages with it.
    pub pages: usize,
    /// The pages that use it most; the first 2.
    pub on: Vec<String>,
    /// Grows with the number of pages, uses and words. It has no upper limit: compare it only within one result.
    pub score: f64,
}

/// The gap between the two sides' pages in `language` (ISO 639-1). Terms with one of `names` (of the brand and its
/// competitors) are excluded, and so are single words, except compounds.
///
/// A term must be on two pages, or twice if there is only one page: a single use is chance.
pub fn content_gap(
    brand: &[NamedText<'_>],
    competitors: &[NamedText<'_>],
    names: &[String],
    language: &str,
) -> Gap {
    let mut extractor = TermExtractor::new(language);
    let brand = &brand[..brand.len().min(MAX_PAGES)];
    let competitors = &competitors[..competitors.len().min(MAX_PAGES)];
    let mut brand_terms: HashSet<TermKey<MAX_TERM_WORDS>> = HashSet::new();
    for page in brand {
        checkpoint();
        extractor.for_each_term(clip_to(page.text, MAX_SIDE_BYTES / brand.len()), |key, _| {
            brand_terms.insert(key);
        });
    }
    let names = without_common_words(names, brand.iter().chain(competitors).map(|page| page.text));
    let names = NameStems::new(&names, &mut extractor);
    let mut terms: HashMap<TermKey<MAX_TERM_WORDS>, TermStats<'_>> = HashMap::new();
    for (index, page) in competitors.iter().enumerate() {
        checkpoint();
        extractor.for_each_term(clip_to(page.text, MAX_SIDE_BYTES / competitors.len()), |key, tokens| {
            if !brand_terms.contains(&key) {
                terms.entry(key).or_default().add(index, tokens);
            }
        });
    }
    let min_pages = competitors.len().min(2);
    terms.retain(|_, term| term.count() >= 2 && term.pages.len() >= min_pages);
    remove_subterms(&mut terms, TermStats::count);

    terms.retain(|key, _| !names.any_within(&key.iter().flatten().copied().collect::<Vec<_>>()));
    let mut ranked: Vec<(TermKey<MAX_TERM_WORDS>, GapTerm)> =
        terms.into_iter().map(|(key, term)| (key, gap_term(&key, &term, competitors))).collect();
    ranked.retain(|(_, term)| is_specific(&term.term, language));
    ranked.sort_by(|(left_key, left), (right_key, right)| {
        right.score.total_cmp(&left.score).then_with(|| left_key.cmp(right_key))
    });
    Gap {
        brand_pages: brand.len(),
        competitor_pages: competitors.len(),
        terms_total: ranked.len(),
        terms: ranked.into_iter().map(|(_, term)| term).take(MAX_TERMS).collect(),
    }
}

fn gap_term(key: &TermKey<MAX_TERM_WORDS>, term: &TermStats<'_>, competitors: &[NamedText<'_>]) -> GapTerm {
    let words = key.iter().flatten().count();
    let shown_pages = term.pages_by_count().into_iter().take(MAX_SHOWN_PAGES);
    GapTerm {
        term: term.text(),
        count: term.count(),
        pages: term.pages.len(),
        on: shown_pages.map(|page| display_name(competitors[page].name)).collect(),
        score: round_to(term_score(words, term.count(), term.pages.len(), competitors.len()), 4),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page<'a>(name: &'a str, text: &'a str) -> NamedText<'a> {
        NamedText { name, text }
    }

    #[test]
    fn terms_only_competitors_use_are_found_with_their_pages() {
        let brand = [page("ours", "We roast coffee beans and sell mugs.")];
        let competitors = [
            page("a", "Our cold brew is strong. Cold brews need coffee beans."),
            page("b", "How to make cold brew: grind the beans."),
            page("c", "Grinding is fun, says Globex."),
            page("d", "Globex grinds."),
        ];
        let gap = content_gap(&brand, &competitors, &["Globex".to_owned()], "en");
        assert_eq!((gap.brand_pages, gap.competitor_pages), (1, 4));
        let found: Vec<(&str, usize, usize)> =
            gap.terms.iter().map(|term| (term.term.as_str(), term.count, term.pages)).collect();
        assert_eq!(found, [("cold brew", 3, 2)], "`grind` is a single word");
        assert_eq!(gap.terms[0].on, ["a", "b"]);
    }

    #[test]
    fn single_page_must_use_a_term_twice() {
        let gap = content_gap(&[], &[page("a", "Cold brew. Warm brew. Cold brew.")], &[], "en");
        let found: Vec<&str> = gap.terms.iter().map(|term| term.term.as_str()).collect();
        assert_eq!(found, ["cold brew"]);
    }

    #[test]
    fn compound_is_a_term_and_a_common_name_hides_none() {
        let pages =
            [page("a", "Die Kaffeebohnen und der Sack."), page("b", "Ein Sack Kaffeebohnen. Röster.")];
        let gap = content_gap(&[], &pages, &[], "de");
        assert_eq!(gap.terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["kaffeebohnen"]);
        let names = ["Acme Coffee".to_owned(), "Beans".to_owned()];
        let gap = content_gap(
            &[],
            &[page("a", "Green beans and iced coffee. Green beans, iced coffee.")],
            &names,
            "en",
        );
        let mut terms: Vec<&str> = gap.terms.iter().map(|term| term.term.as_str()).collect();
        terms.sort_unstable();
        assert!(
            terms.contains(&"green beans") && terms.iter().any(|term| term.contains("iced coffee")),
            "{terms:?}"
        );
    }

    #[test]
    fn no_pages_give_no_terms() {
        assert_eq!(content_gap(&[], &[], &[], "en").terms_total, 0);
    }

    proptest! {
        #[test]
        fn terms_the_brand_uses_are_not_a_gap(text in "(\\PC|[abc .\n]){0,200}") {
            let gap = content_gap(&[page("1", &text)], &[page("2", &text), page("3", &text)], &[], "en");
            prop_assert!(gap.terms.is_empty());
        }
    }
}

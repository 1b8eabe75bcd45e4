//! Extracts terms from texts: runs of words that can name a topic. Forms with the same stems are one term.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use super::{
    chunks::{Chunk, Token, TokenKind, chunks},
    stems::StemInterner,
    stop_words::StopWords,
    text::{as_f64, words},
};

const MIN_WORD_CHARS: usize = 3;
const MAX_TERM_BYTES: usize = 80;
/// Languages that write a phrase as one word, such as `Kaffeebohnen`.
const COMPOUNDING_LANGUAGES: [&str; 7] = ["da", "de", "fi", "hu", "nl", "no", "sv"];
const MIN_COMPOUND_CHARS: usize = 10;

/// The ids of a term's stems. Unused places are `None`.
pub(crate) type TermKey<const N: usize> = [Option<u32>; N];

pub(crate) fn term_key<const N: usize>(stem_ids: &[u32]) -> TermKey<N> {
    std::array::from_fn(|place| stem_ids.get(place).copied())
}

/// The written forms of a term.
#[derive(Debug, Default)]
pub(crate) struct Forms<'a> {
    /// The number of occurrences in all forms.
    pub(crate) count: usize,
    /// The count of each form, and the value of `count` when it first occurred.
    by_words: HashMap<Vec<&'a str>, (usize, usize)>,
}

impl<'a> Forms<'a> {
    pub(crate) fn add(&mut self, tokens: &[Token<'a>]) {
        self.count += 1;
        let first = self.count;
        self.by_words.entry(tokens.iter().map(|token| token.text).collect()).or_insert((0, first)).0 += 1;
    }

    /// The most frequent form. Of several, the one that occurred first.
    pub(crate) fn most_frequent(&self) -> String {
        let form = self.by_words.iter().max_by_key(|(_, (count, first))| (*count, Reverse(*first)));
        form.map(|(words, _)| words.join(" ")).unwrap_or_default()
    }
}

/// The occurrences of a term in several pages.
#[derive(Debug, Default)]
pub(crate) struct TermStats<'a> {
    pub(crate) forms: Forms<'a>,
    /// The count on each page, by the index of the page.
    pub(crate) pages: HashMap<usize, usize>,
}

impl<'a> TermStats<'a> {
    pub(crate) fn add(&mut self, page: usize, tokens: &[Token<'a>]) {
        self.forms.add(tokens);
        *self.pages.entry(page).or_default() += 1;
    }

    pub(crate) fn count(&self) -> usize {
        self.forms.count
    }

    /// The most frequent form in lower case.
    pub(crate) fn text(&self) -> String {
        self.forms.most_frequent().to_lowercase()
    }

    /// The pages with the term, highest count first.
    pub(crate) fn pages_by_count(&self) -> Vec<usize> {
        let mut pages: Vec<(usize, usize)> = self.pages.iter().map(|(page, count)| (*page, *count)).collect();
        pages.sort_by_key(|(page, count)| (Reverse(*count), *page));
        pages.into_iter().map(|(page, _)| page).collect()
    }
}

pub(crate) fn is_single_word(term: &str) -> bool {
    words(term).nth(1).is_none()
}

/// Whether a term says enough to be offered as a topic: a phrase or a compound. Single words such as `bag` and `sell` are
/// on many pages and say little about their topics.
pub(crate) fn is_specific(term: &str, language: &str) -> bool {
    let is_compound =
        || COMPOUNDING_LANGUAGES.contains(&language) && term.chars().nth(MIN_COMPOUND_CHARS - 1).is_some();
    !is_single_word(term) || is_compound()
}

/// Scores a term of `words` words that occurs `count` times, on `pages` of `total_pages` pages.
pub(crate) fn term_score(words: usize, count: usize, pages: usize, total_pages: usize) -> f64 {
    let spread = as_f64(pages) / as_f64(total_pages.max(1));
    spread * as_f64(1 + count).ln() * as_f64(words).sqrt()
}

/// Removes terms that occur only within a longer term: `cold brew` says more than `brew`.
pub(crate) fn remove_subterms<const N: usize, T>(
    terms: &mut HashMap<TermKey<N>, T>,
    count: impl Fn(&T) -> usize,
) {
    let mut subterms = HashSet::new();
    for (key, term) in terms.iter() {
        let stem_ids: Vec<u32> = key.iter().flatten().copied().collect();
        for length in 1..stem_ids.len() {
            for part in stem_ids.windows(length) {
                if terms.get(&term_key(part)).is_some_and(|part| count(part) == count(term)) {
                    subterms.insert(term_key(part));
                }
            }
        }
    }
    terms.retain(|key, _| !subterms.contains(key));
}

/// Extracts terms from texts in one language.
pub(crate) struct TermExtractor {
    stems: StemInterner,
    stop_words: StopWords,
}

impl TermExtractor {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn new(language: &str) -> Self {
        Self { stems: StemInterner::new(language), stop_words: StopWords::for_language(language) }
    }

    /// The stem ids of all words, in order.
    pub(crate) fn stem_ids(&mut self, text: &str) -> Vec<u32> {
        let (chunks, _) = chunks(text);
        chunks.iter().flat_map(|chunk| self.chunk_stem_ids(chunk)).collect()
    }

    /// The stem ids of the words that are not stop words. If all are stop words, the ids of all words.
    pub(crate) fn content_stem_ids(&mut self, text: &str) -> Vec<u32> {
        let (chunks, _) = chunks(text);
        let tokens = chunks.iter().flat_map(|chunk| &chunk.tokens);
        let ids: Vec<u32> = tokens
            .filter(|token| !self.stop_words.contains(&token.text.to_lowercase()))
            .map(|token| self.stems.intern(token.text))
            .collect();
        if ids.is_empty() { self.stem_ids(text) } else { ids }
    }

    pub(crate) fn chunk_stem_ids(&mut self, chunk: &Chunk<'_>) -> Vec<u32> {
        chunk.tokens.iter().map(|token| self.stems.intern(token.text)).collect()
    }

    /// Calls `visit` for each occurrence of a term of up to `N` words.
    pub(crate) fn for_each_term<'a, const N: usize>(
        &mut self,
        page: &'a str,
        mut visit: impl FnMut(TermKey<N>, &[Token<'a>]),
    ) {
        for chunk in chunks(page).0 {
            let stem_ids = self.chunk_stem_ids(&chunk);
            self.for_each_chunk_term(&chunk, &stem_ids, &mut visit);
        }
    }

    /// Calls `visit` for each occurrence of a term of up to `N` words in one chunk.
    pub(crate) fn for_each_chunk_term<'a, const N: usize>(
        &self,
        chunk: &Chunk<'a>,
        stem_ids: &[u32],
        mut visit: impl FnMut(TermKey<N>, &[Token<'a>]),
    ) {
        let can_bound: Vec<bool> = chunk.tokens.iter().map(|token| self.can_bound_term(token)).collect();
        for start in 0..stem_ids.len() {
            for end in start + 1..=stem_ids.len().min(start + N) {
                let tokens = &chunk.tokens[start..end];
                let bytes: usize = tokens.iter().map(|token| token.text.len()).sum();
                if can_bound[start] && can_bound[end - 1] && bytes <= MAX_TERM_BYTES {
                    visit(term_key(&stem_ids[start..end]), tokens);
                }
            }
        }
    }

    /// Whether a term can start or end with the token.
    fn can_bound_term(&self, token: &Token<'_>) -> bool {
        let long = token.text.chars().nth(MIN_WORD_CHARS - 1).is_some() || token.kind == TokenKind::Acronym;
        long && token.kind.is_word() && !self.stop_words.contains(&token.text.to_lowercase())
    }
}

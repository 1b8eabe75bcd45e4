//! Terms: runs of words that can stand for a subject, their forms taken together by their stems.

use std::collections::{HashMap, HashSet};

use super::{
    chunks::{Chunk, Kind, Token, chunks},
    stems::StemNumbers,
    stop_words::StopWords,
};

const SHORT_WORD: usize = 3;
const LONGEST_TERM: usize = 80;

/// The numbers of a term's stems; those beyond its length are `None`.
pub(crate) type Key<const LONGEST: usize> = [Option<u32>; LONGEST];

pub(crate) fn key<const LONGEST: usize>(numbers: &[u32]) -> Key<LONGEST> {
    let mut key = [None; LONGEST];
    for (place, number) in key.iter_mut().zip(numbers) {
        *place = Some(*number);
    }
    key
}

pub(crate) fn length<const LONGEST: usize>(key: &Key<LONGEST>) -> usize {
    key.iter().flatten().count()
}

/// A term, as often as it came.
#[derive(Debug, Default)]
pub(crate) struct Term<'a> {
    pub(crate) count: usize,
    /// How often on which page.
    pub(crate) pages: HashMap<usize, usize>,
    /// How often written in which way, and when first.
    forms: HashMap<Vec<&'a str>, (usize, usize)>,
}

impl<'a> Term<'a> {
    pub(crate) fn add(&mut self, page: usize, tokens: &[Token<'a>]) {
        self.count += 1;
        *self.pages.entry(page).or_default() += 1;
        let first = self.count;
        self.forms.entry(tokens.iter().map(|token| token.text).collect()).or_insert((0, first)).0 += 1;
    }

    /// The way it is written most often, in lower case; the earliest of those.
    pub(crate) fn text(&self) -> String {
        let most = self.forms.iter().max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
        most.map(|(words, _)| words.join(" ").to_lowercase()).unwrap_or_default()
    }

    /// The pages that use it, those that use it most first.
    pub(crate) fn most_on(&self) -> Vec<usize> {
        let mut pages: Vec<(usize, usize)> = self.pages.iter().map(|(page, count)| (*page, *count)).collect();
        pages.sort_by_key(|(page, count)| (std::cmp::Reverse(*count), *page));
        pages.into_iter().map(|(page, _)| page).collect()
    }
}

/// Leaves out a term that comes only within a longer one: `cold brew` says more than `brew`.
pub(crate) fn drop_parts<const LONGEST: usize, T>(
    terms: &mut HashMap<Key<LONGEST>, T>,
    count: impl Fn(&T) -> usize,
) {
    let mut parts = HashSet::new();
    for (longer, term) in terms.iter() {
        let numbers: Vec<u32> = longer.iter().flatten().copied().collect();
        for shorter in 1..numbers.len() {
            for part in numbers.windows(shorter) {
                if terms.get(&key(part)).is_some_and(|part| count(part) == count(term)) {
                    parts.insert(key(part));
                }
            }
        }
    }
    terms.retain(|key, _| !parts.contains(key));
}

/// Reads texts of one language into terms.
pub(crate) struct TermReader {
    stems: StemNumbers,
    stop_words: StopWords,
}

impl TermReader {
    /// `language` is an ISO 639-1 code.
    pub(crate) fn new(language: &str) -> Self {
        Self { stems: StemNumbers::of(language), stop_words: StopWords::of(language) }
    }

    /// The numbers of all words' stems, in order.
    pub(crate) fn numbers(&mut self, text: &str) -> Vec<u32> {
        let (chunks, _) = chunks(text);
        chunks.iter().flat_map(|chunk| self.chunk_numbers(chunk)).collect()
    }

    /// The numbers of those words that say what a text is about; where there are none, of all.
    pub(crate) fn meaningful_numbers(&mut self, text: &str) -> Vec<u32> {
        let (chunks, _) = chunks(text);
        let tokens = chunks.iter().flat_map(|chunk| &chunk.tokens);
        let meaningful: Vec<u32> = tokens
            .filter(|token| !self.stop_words.contains(&token.text.to_lowercase()))
            .map(|token| self.stems.number(token.text))
            .collect();
        if meaningful.is_empty() { self.numbers(text) } else { meaningful }
    }

    pub(crate) fn chunk_numbers(&mut self, chunk: &Chunk<'_>) -> Vec<u32> {
        chunk.tokens.iter().map(|token| self.stems.number(token.text)).collect()
    }

    /// Calls `met` for each term of a page, as often as it comes.
    pub(crate) fn read<'a, const LONGEST: usize>(
        &mut self,
        page: &'a str,
        mut met: impl FnMut(Key<LONGEST>, &[Token<'a>]),
    ) {
        for chunk in chunks(page).0 {
            let numbers = self.chunk_numbers(&chunk);
            self.read_chunk(&chunk, &numbers, &mut met);
        }
    }

    /// Calls `met` for each term of a run of words, whose numbers are known.
    pub(crate) fn read_chunk<'a, const LONGEST: usize>(
        &self,
        chunk: &Chunk<'a>,
        numbers: &[u32],
        mut met: impl FnMut(Key<LONGEST>, &[Token<'a>]),
    ) {
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

    /// Whether a term can start or end with it.
    fn can_end(&self, token: &Token<'_>) -> bool {
        let long = token.text.chars().nth(SHORT_WORD - 1).is_some() || token.kind == Kind::Acronym;
        long && token.kind.is_word() && !self.stop_words.contains(&token.text.to_lowercase())
    }
}

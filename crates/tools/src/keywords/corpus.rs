//! Keywords from texts: the brand's own pages and posts, and its competitors' pages. Terms of up to five words around
//! the seeds, questions about them, and what competitors write about and the brand does not.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    intent::IntentReader,
    model::tidy,
    seeds::{Seeds, as_searched, merge_key},
};
use crate::analysis::{
    self,
    chunks::{Chunk, chunks},
    terms::{Key, Term, TermReader, drop_parts, length},
    text::{as_f64, clip_to},
};

/// Searches are rarely longer, questions apart; a shorter bound would cut `coffee beans for cold brew` before its end.
const LONGEST: usize = 5;
/// How many texts of a side are read, and how much of them all together: it bounds time and memory.
const MOST_TEXTS: usize = 300;
const READ: usize = 2_000_000;
const MOST_CANDIDATES: usize = 1_000;
const SHOWN_PLACES: usize = 3;
const QUESTION_WORDS: std::ops::RangeInclusive<usize> = 3..=15;

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    OwnPages,
    OwnPosts,
    CompetitorPages,
}

/// A text that keywords are looked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusText {
    pub origin: Origin,
    /// The page's address, or the post's id.
    pub place: String,
    pub text: String,
}

/// A keyword that texts have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) keyword: String,
    pub(super) numbers: Vec<u32>,
    pub(super) origins: Vec<Origin>,
    /// Where it comes most often.
    pub(super) places: Vec<String>,
    /// How often it stands in one sentence with a seed, of all times; 1 where it has a seed in it.
    pub(super) nearness: f64,
    /// More texts, more uses and more words make a higher score. Compare it within one search.
    pub(super) score: f64,
    /// Competitors have it and the brand lacks it.
    pub(super) gap: bool,
}

/// The language most of the texts are in, the brand's own before the others'; English where nothing tells.
pub(super) fn language_of(texts: &[CorpusText], seeds: &[String]) -> String {
    let most_common = |own: bool| {
        let mut lengths: HashMap<&'static str, usize> = HashMap::new();
        for text in
            texts.iter().filter(|text| (text.origin != Origin::CompetitorPages) == own).take(MOST_TEXTS)
        {
            if let Some(language) = analysis::detect(&text.text).filter(|language| language.reliable) {
                *lengths.entry(language.code).or_default() += text.text.len();
            }
        }
        lengths
            .into_iter()
            .max_by_key(|(code, length)| (*length, std::cmp::Reverse(*code)))
            .map(|(code, _)| code)
    };
    let by_seeds = || analysis::detect(&seeds.join(". ")).filter(|language| language.reliable);
    most_common(true)
        .or_else(|| most_common(false))
        .or_else(|| by_seeds().map(|language| language.code))
        .unwrap_or("en")
        .to_owned()
}

/// The texts in this language; a text too short to tell counts as being in it.
pub(super) fn in_language<'a>(texts: &'a [CorpusText], language: &str) -> Vec<&'a CorpusText> {
    let is_other = |text: &CorpusText| {
        analysis::detect(&text.text).is_some_and(|found| found.reliable && found.code != language)
    };
    texts.iter().filter(|text| !is_other(text)).collect()
}

/// Reads texts for keywords near the seeds. `rivals` are the competitors' names: no gap has one of them in it.
pub(super) fn candidates(
    texts: &[&CorpusText],
    seeds: &Seeds,
    rivals: &[String],
    reader: &mut TermReader,
    intents: &IntentReader,
) -> Vec<Candidate> {
    let corpus = Corpus::of(texts);
    let rivals: HashSet<u32> = rivals.iter().flat_map(|name| reader.numbers(name)).collect();
    let mut found = corpus.terms(seeds, &rivals, reader);
    let questions = corpus.questions(seeds, reader, intents);
    let asked: HashSet<String> = questions.iter().map(|question| merge_key(&question.keyword)).collect();
    found.retain(|term| !asked.contains(&merge_key(&term.keyword)));
    found.extend(questions);
    found.sort_by(|left, right| {
        right.score.total_cmp(&left.score).then_with(|| left.keyword.cmp(&right.keyword))
    });
    found.truncate(MOST_CANDIDATES);
    found
}

/// Texts as searches spell them, cut to what is read.
struct Corpus<'c> {
    texts: Vec<(&'c CorpusText, String)>,
    competitor_texts: usize,
}

/// What was counted of one term.
#[derive(Default)]
struct Counted<'a> {
    term: Term<'a>,
    near: usize,
    own: usize,
    has_seed: bool,
}

impl<'c> Corpus<'c> {
    fn of(texts: &[&'c CorpusText]) -> Self {
        let side = |own: bool| {
            let of_side = texts.iter().filter(move |text| (text.origin != Origin::CompetitorPages) == own);
            let count = of_side.clone().count().clamp(1, MOST_TEXTS);
            of_side.take(MOST_TEXTS).map(move |text| (*text, as_searched(clip_to(&text.text, READ / count))))
        };
        let own: Vec<_> = side(true).collect();
        let competitors: Vec<_> = side(false).collect();
        let competitor_texts = competitors.len();
        Self { texts: own.into_iter().chain(competitors).collect(), competitor_texts }
    }

    fn terms(&self, seeds: &Seeds, rivals: &HashSet<u32>, reader: &mut TermReader) -> Vec<Candidate> {
        let wanted = self.wanted(seeds, reader);
        let mut counted: HashMap<Key<LONGEST>, Counted<'_>> = HashMap::new();
        for (number, (text, spelled)) in self.texts.iter().enumerate() {
            for sentence in Sentence::all(spelled, reader) {
                let about = seeds.are_among(&sentence.numbers());
                sentence.read(reader, |key, tokens| {
                    if wanted.contains(&key) {
                        let counted = counted.entry(key).or_default();
                        counted.term.add(number, tokens);
                        counted.near += usize::from(about);
                        counted.own += usize::from(text.origin != Origin::CompetitorPages);
                        counted.has_seed = seeds.are_among(&numbers_of(&key));
                    }
                });
            }
        }
        counted.retain(|key, term| term.is_kept(length(key)) && !seeds.hold(&numbers_of(key)));
        drop_parts(&mut counted, |counted| counted.term.count);
        counted.iter().map(|(key, counted)| self.candidate(key, counted, rivals)).collect()
    }

    /// The terms that have a seed in them or stand in one sentence with it. Only these are counted in all texts.
    fn wanted(&self, seeds: &Seeds, reader: &mut TermReader) -> HashSet<Key<LONGEST>> {
        let mut wanted = HashSet::new();
        for (_, spelled) in &self.texts {
            for sentence in Sentence::all(spelled, reader) {
                if seeds.are_among(&sentence.numbers()) {
                    sentence.read(reader, |key, _| {
                        wanted.insert(key);
                    });
                }
            }
        }
        wanted
    }

    fn candidate(&self, key: &Key<LONGEST>, counted: &Counted<'_>, rivals: &HashSet<u32>) -> Candidate {
        let term = &counted.term;
        let numbers = numbers_of(key);
        let spread = as_f64(term.pages.len()) / as_f64(self.texts.len().max(1));
        // As `analysis::gap` has it: said on two pages, or where there is only one, twice.
        let is_said = term.count >= 2 && term.pages.len() >= self.competitor_texts.min(2);
        let names_a_rival = numbers.iter().any(|number| rivals.contains(number));
        Candidate {
            keyword: term.text(),
            origins: self.origins(term.pages.keys()),
            places: self.places(&term.most_on()),
            nearness: if counted.has_seed { 1.0 } else { as_f64(counted.near) / as_f64(term.count.max(1)) },
            score: spread * as_f64(1 + term.count).ln() * as_f64(numbers.len()).sqrt(),
            gap: counted.own == 0 && is_said && !names_a_rival,
            numbers,
        }
    }

    /// Sentences that ask something about a seed: with a question mark, or as a heading that starts with a question word.
    fn questions(&self, seeds: &Seeds, reader: &mut TermReader, intents: &IntentReader) -> Vec<Candidate> {
        struct Asked {
            keyword: String,
            numbers: Vec<u32>,
            on: HashMap<usize, usize>,
        }
        let mut asked: HashMap<String, Asked> = HashMap::new();
        for (number, (_, spelled)) in self.texts.iter().enumerate() {
            for sentence in analysis::sentences(spelled) {
                let Some(keyword) = question(sentence, intents) else { continue };
                let numbers = reader.numbers(&keyword);
                if QUESTION_WORDS.contains(&numbers.len()) && seeds.are_among(&numbers) {
                    let fresh = || Asked { keyword: keyword.clone(), numbers, on: HashMap::new() };
                    *asked.entry(merge_key(&keyword)).or_insert_with(fresh).on.entry(number).or_default() +=
                        1;
                }
            }
        }
        let candidate = |asked: Asked| {
            let count: usize = asked.on.values().sum();
            let own = asked.on.keys().any(|text| self.texts[*text].0.origin != Origin::CompetitorPages);
            let mut on: Vec<usize> = asked.on.keys().copied().collect();
            on.sort_unstable();
            let spread = as_f64(on.len()) / as_f64(self.texts.len().max(1));
            Candidate {
                origins: self.origins(on.iter()),
                places: self.places(&on),
                nearness: 1.0,
                // As a term of four words.
                score: spread * as_f64(1 + count).ln() * 2.0,
                gap: !own,
                keyword: asked.keyword,
                numbers: asked.numbers,
            }
        };
        asked.into_values().map(candidate).collect()
    }

    fn origins<'n>(&self, texts: impl Iterator<Item = &'n usize>) -> Vec<Origin> {
        let mut origins: Vec<Origin> = texts.map(|number| self.texts[*number].0.origin).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }

    fn places(&self, texts: &[usize]) -> Vec<String> {
        let place = |number: &usize| self.texts[*number].0.place.chars().take(300).collect();
        texts.iter().take(SHOWN_PLACES).map(place).collect()
    }
}

impl Counted<'_> {
    /// What is said once is chance, unless it is short and has a seed in it. A single word has to come near one more
    /// often to belong to it.
    fn is_kept(&self, words: usize) -> bool {
        match (self.has_seed, words) {
            (true, 1 | 2) => true,
            (true, _) => self.term.count >= 2,
            (false, 1) => self.near >= 3,
            (false, _) => self.near >= 2,
        }
    }
}

fn numbers_of(key: &Key<LONGEST>) -> Vec<u32> {
    key.iter().flatten().copied().collect()
}

/// The runs of words of one sentence, with the numbers of their stems.
struct Sentence<'a> {
    chunks: Vec<(Chunk<'a>, Vec<u32>)>,
}

impl<'a> Sentence<'a> {
    fn all(text: &'a str, reader: &mut TermReader) -> Vec<Self> {
        let mut sentences: Vec<Self> = Vec::new();
        let mut last = None;
        for chunk in chunks(text).0 {
            let numbers = reader.chunk_numbers(&chunk);
            if last != Some(chunk.sentence) {
                last = Some(chunk.sentence);
                sentences.push(Self { chunks: Vec::new() });
            }
            if let Some(sentence) = sentences.last_mut() {
                sentence.chunks.push((chunk, numbers));
            }
        }
        sentences
    }

    fn numbers(&self) -> Vec<u32> {
        self.chunks.iter().flat_map(|(_, numbers)| numbers).copied().collect()
    }

    fn read(&self, reader: &TermReader, mut met: impl FnMut(Key<LONGEST>, &[analysis::chunks::Token<'a>])) {
        for (chunk, numbers) in &self.chunks {
            reader.read_chunk(chunk, numbers, &mut met);
        }
    }
}

/// A question as it would be typed into a search, if the sentence is one.
fn question(sentence: &str, intents: &IntentReader) -> Option<String> {
    let sentence = sentence.trim().trim_end_matches(['"', '”', '»', ')', '\'']);
    let has_mark = sentence.ends_with(['?', '？', '؟']);
    // A heading has no mark at its end; `When you visit us, …` is no question.
    let is_heading =
        sentence.ends_with(|c: char| c.is_alphanumeric()) && !sentence.contains(['.', '!', '\n']);
    let asks = has_mark || (is_heading && intents.question(sentence).is_some());
    if !asks {
        return None;
    }
    let bare = sentence.trim_matches(|c: char| c.is_whitespace() || "?？؟¿\"“”«»'".contains(c));
    tidy(&bare.to_lowercase())
}

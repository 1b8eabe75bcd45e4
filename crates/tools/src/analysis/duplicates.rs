//! Texts that say nearly the same.
//!
//! A text is the set of its four-word runs; two texts are as alike as their sets overlap (Jaccard). A sketch of 64
//! numbers (a min-hash) tells cheaply which pairs may be alike, and only those are compared in full. So a likeness
//! that is reported is exact; a pair right at the usual threshold is missed about three times in a hundred thousand.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    source::{Source, shown_name},
    text::{as_f64, clip_to, folded, rounded, words},
};

/// More texts than this are not compared.
pub const MAX_TEXTS: usize = 1_000;
/// From this on two texts are near-duplicates, unless the caller says otherwise.
pub const NEARLY_ALIKE: f64 = 0.8;

/// How much of each text is read. It bounds the memory of a thousand texts to some 40 MB.
const READ: usize = 50_000;
const SHINGLE: usize = 4;
const SKETCH: usize = 64;
/// Four standard deviations of what a sketch of 64 numbers estimates.
const SKETCH_ERROR: f64 = 0.2;
const MAX_GROUPS: usize = 25;
const MAX_SHOWN: usize = 8;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Duplicates {
    /// How many texts were compared.
    pub texts: usize,
    /// Texts without words, which are like nothing.
    pub empty: usize,
    /// Largest first; the first 25.
    pub groups: Vec<DuplicateGroup>,
    pub groups_total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DuplicateGroup {
    /// The text the others were found to be like: the first of them in the order given.
    pub name: String,
    /// The others, most alike first; the first 8.
    pub others: Vec<Duplicate>,
    /// How many texts are in the group, the first included.
    pub size: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Duplicate {
    pub name: String,
    /// 1: the same words in the same order.
    pub similarity: f64,
}

/// The groups of texts whose likeness is `threshold` (from 0 to 1) or more. Each text is in one group at most: the
/// first whose first text it is like.
pub fn near_duplicates(sources: &[Source<'_>], threshold: f64) -> Duplicates {
    let sources = &sources[..sources.len().min(MAX_TEXTS)];
    let mut firsts: Vec<(Shingles, Group<'_>)> = Vec::new();
    let mut empty = 0;
    for source in sources {
        let shingles = Shingles::of(source.text);
        if shingles.set.is_empty() {
            empty += 1;
            continue;
        }
        let found = firsts.iter_mut().find_map(|(first, group)| {
            let similarity = first.similarity(&shingles, threshold)?;
            Some((similarity, group))
        });
        match found {
            Some((similarity, group)) => group.others.push((similarity, source.name)),
            None => firsts.push((shingles, Group { name: source.name, others: Vec::new() })),
        }
    }
    let mut groups: Vec<Group<'_>> =
        firsts.into_iter().map(|(_, group)| group).filter(|group| !group.others.is_empty()).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.others.len()));
    Duplicates {
        texts: sources.len(),
        empty,
        groups_total: groups.len(),
        groups: groups.into_iter().take(MAX_GROUPS).map(Group::shown).collect(),
    }
}

struct Group<'a> {
    name: &'a str,
    others: Vec<(f64, &'a str)>,
}

impl Group<'_> {
    fn shown(mut self) -> DuplicateGroup {
        self.others.sort_by(|left, right| right.0.total_cmp(&left.0));
        let size = self.others.len() + 1;
        let shown = self.others.into_iter().take(MAX_SHOWN);
        let others = shown.map(|(similarity, name)| Duplicate {
            name: shown_name(name),
            similarity: rounded(similarity, 4),
        });
        DuplicateGroup { name: shown_name(self.name), others: others.collect(), size }
    }
}

struct Shingles {
    /// Sorted, each once.
    set: Vec<u32>,
    sketch: [u32; SKETCH],
}

impl Shingles {
    fn of(text: &str) -> Self {
        let mut known = HashMap::<&str, u64>::new();
        let words: Vec<u64> = words(clip_to(text, READ))
            .map(|word| *known.entry(word.text).or_insert_with(|| hash_word(&folded(word.text))))
            .collect();
        // A text shorter than a shingle is one shingle.
        let mut set: Vec<u32> = words
            .windows(SHINGLE.min(words.len()).max(1))
            .map(|window| mix(window.iter().copied().fold(0, join)))
            .collect();
        set.sort_unstable();
        set.dedup();
        let mut sketch = [u32::MAX; SKETCH];
        for shingle in &set {
            for (seed, least) in (1u64..).zip(&mut sketch) {
                *least = (*least).min(mix(join(seed, u64::from(*shingle))));
            }
        }
        Self { set, sketch }
    }

    /// How alike the two are, if that is `threshold` or more.
    fn similarity(&self, other: &Self, threshold: f64) -> Option<f64> {
        let equal = self.sketch.iter().zip(&other.sketch).filter(|(left, right)| left == right).count();
        if as_f64(equal) / as_f64(SKETCH) < threshold - SKETCH_ERROR {
            return None;
        }
        let shared = count_shared(&self.set, &other.set);
        let similarity = as_f64(shared) / as_f64(self.set.len() + other.set.len() - shared);
        (similarity >= threshold).then_some(similarity)
    }
}

/// How many numbers two sorted lists share.
fn count_shared(left: &[u32], right: &[u32]) -> usize {
    let (mut at_left, mut at_right, mut shared) = (0, 0, 0);
    while let (Some(one), Some(other)) = (left.get(at_left), right.get(at_right)) {
        at_left += usize::from(one <= other);
        at_right += usize::from(other <= one);
        shared += usize::from(one == other);
    }
    shared
}

/// FNV-1a.
fn hash_word(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn join(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(23) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The finish of `splitmix64`, so that every bit of the input reaches every bit of the answer.
fn mix(hash: u64) -> u32 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((hash ^ (hash >> 31)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbered(words: std::ops::Range<usize>) -> String {
        words.map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ")
    }

    fn groups(texts: &[String]) -> Vec<(String, Vec<Duplicate>)> {
        let names: Vec<String> = (0..texts.len()).map(|name| name.to_string()).collect();
        let sources: Vec<Source<'_>> =
            names.iter().zip(texts).map(|(name, text)| Source { name, text }).collect();
        let found = near_duplicates(&sources, NEARLY_ALIKE);
        found.groups.into_iter().map(|group| (group.name, group.others)).collect()
    }

    #[test]
    fn likeness_is_exact() {
        // 97 shingles each, 89 of them shared: 89 / 105.
        let found = groups(&[numbered(0..100), numbered(500..600), numbered(8..108), numbered(0..100)]);
        assert_eq!(
            found,
            [(
                "0".to_owned(),
                vec![
                    Duplicate { name: "3".to_owned(), similarity: 1.0 },
                    Duplicate { name: "2".to_owned(), similarity: 0.8476 },
                ]
            )]
        );
    }

    #[test]
    fn what_is_less_alike_is_apart() {
        assert!(groups(&[numbered(0..100), numbered(20..120)]).is_empty());
    }

    #[test]
    fn case_and_marks_make_no_difference_and_short_texts_are_compared_too() {
        let found =
            groups(&["Hello, World!".to_owned(), "hello world".to_owned(), String::new(), "…".to_owned()]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, [Duplicate { name: "1".to_owned(), similarity: 1.0 }]);
    }

    #[test]
    fn a_thousand_texts_are_compared_and_no_more() {
        let texts: Vec<String> = (0..1_200).map(|text| numbered(text / 2 * 50..text / 2 * 50 + 40)).collect();
        let names: Vec<String> = (0..texts.len()).map(|name| name.to_string()).collect();
        let sources: Vec<Source<'_>> =
            names.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
        let found = near_duplicates(&sources, NEARLY_ALIKE);
        assert_eq!((found.texts, found.groups_total, found.groups.len()), (1_000, 500, 25));
    }

    /// Copies with two words changed are all found, whichever words they are.
    #[test]
    fn the_sketch_misses_nothing() {
        let base = numbered(0..200);
        for edit in 0..40 {
            let edited = base.replacen(&format!("word{edit} "), "other ", 1).replacen("word150", "else", 1);
            assert_eq!(groups(&[base.clone(), edited]).len(), 1, "{edit}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_like_itself(text in "(\\PC|[ab ]){0,100}", threshold in 0.0f64..=1.0) {
            let sources = [Source { name: "1", text: &text }, Source { name: "2", text: &text }];
            let found = near_duplicates(&sources, threshold);
            prop_assert_eq!(found.groups.len(), usize::from(found.empty == 0));
        }
    }
}

//! Finds near-duplicate texts.
//!
//! A text is the set of its shingles (runs of four words). The similarity of two texts is the Jaccard index of their
//! sets. A min-hash sketch of 64 numbers selects the pairs that are compared in full, so a reported similarity is exact.
//! The sketch misses about 3 in 100,000 pairs that are exactly at the default threshold.

use std::{cmp::Reverse, collections::HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    named_text::{NamedText, display_name},
    text::{as_f64, clip_to, normalize_word, round_to, words},
};
use crate::cpu_pool::checkpoint;

/// Further texts are ignored.
const MAX_TEXTS: usize = 1_000;
/// Texts with at least this similarity are near-duplicates.
pub const DEFAULT_SIMILARITY: f64 = 0.8;

/// The part of each text that is read. It limits the memory for 1,000 texts to about 40 MB.
const MAX_READ_BYTES: usize = 50_000;
const SHINGLE_WORDS: usize = 4;
const SKETCH_SIZE: usize = 64;
/// Four standard deviations of the estimate from a sketch of 64 numbers.
const SKETCH_ERROR: f64 = 0.2;
const MAX_GROUPS: usize = 10;
const MAX_OTHERS: usize = 5;
/// How many pairs are compared in full to find the closest one.
const MAX_COMPARED_PAIRS: usize = 200;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Duplicates {
    /// The number of texts compared.
    pub texts: usize,
    /// The number of texts without words. They are in no group.
    pub empty: usize,
    /// Texts with at least this similarity are near-duplicates.
    pub threshold: f64,
    /// The most similar pair, also if it is below the threshold. Left out if there are fewer than two texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<ClosestPair>,
    /// Largest first; the first 10.
    pub groups: Vec<DuplicateGroup>,
    pub groups_total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DuplicateGroup {
    /// The first text of the group, in the given order. The others are similar to it.
    pub name: String,
    /// The others, most similar first; the first 5.
    pub others: Vec<Duplicate>,
    /// The number of texts in the group, including the first.
    pub size: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Duplicate {
    pub name: String,
    /// From 0 to 1. 1 means the same words in the same order.
    pub similarity: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClosestPair {
    pub first: String,
    pub second: String,
    /// From 0 to 1.
    pub similarity: f64,
}

/// Groups texts whose similarity is at least `threshold` (0 to 1). A text is compared with the first text of each group
/// and joins the first group that matches.
pub fn near_duplicates(sources: &[NamedText<'_>], threshold: f64) -> Duplicates {
    let sources = &sources[..sources.len().min(MAX_TEXTS)];
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    let mut empty = 0;
    for source in sources {
        checkpoint();
        let shingles = Shingles::from_text(source.text);
        if shingles.set.is_empty() {
            empty += 1;
            continue;
        }
        let found = clusters
            .iter_mut()
            .find_map(|cluster| Some((cluster.shingles.similarity(&shingles, threshold)?, cluster)));
        match found {
            Some((similarity, cluster)) => cluster.others.push((similarity, source.name)),
            None => clusters.push(Cluster { name: source.name, shingles, others: Vec::new() }),
        }
    }
    let closest = closest_pair(&clusters);
    clusters.retain(|cluster| !cluster.others.is_empty());
    clusters.sort_by_key(|cluster| Reverse(cluster.others.len()));
    Duplicates {
        texts: sources.len(),
        empty,
        threshold,
        closest,
        groups_total: clusters.len(),
        groups: clusters.into_iter().take(MAX_GROUPS).map(Cluster::into_group).collect(),
    }
}

/// A text and the others that are similar to it.
struct Cluster<'a> {
    name: &'a str,
    shingles: Shingles,
    others: Vec<(f64, &'a str)>,
}

impl Cluster<'_> {
    fn into_group(mut self) -> DuplicateGroup {
        self.others.sort_by(|left, right| right.0.total_cmp(&left.0));
        let size = self.others.len() + 1;
        let others = self.others.into_iter().take(MAX_OTHERS).map(|(similarity, name)| Duplicate {
            name: display_name(name),
            similarity: round_to(similarity, 4),
        });
        DuplicateGroup { name: display_name(self.name), others: others.collect(), size }
    }
}

/// The closest pair in a group. If there is no group, the closest of all texts: the sketches select the pairs that are
/// compared in full.
fn closest_pair(clusters: &[Cluster<'_>]) -> Option<ClosestPair> {
    let grouped = clusters.iter().flat_map(|cluster| {
        cluster.others.iter().map(|(similarity, other)| (*similarity, cluster.name, *other))
    });
    let closer = |best: (f64, _, _), next: (f64, _, _)| if next.0 > best.0 { next } else { best };
    let closest = grouped.reduce(closer).or_else(|| {
        let mut pairs: Vec<(Reverse<usize>, usize, usize)> = Vec::new();
        for (second, cluster) in clusters.iter().enumerate() {
            checkpoint();
            let earlier = clusters[..second].iter().enumerate();
            pairs.extend(earlier.map(|(first, other)| {
                (Reverse(other.shingles.sketch_matches(&cluster.shingles)), first, second)
            }));
        }
        pairs.sort_unstable();
        let compared = pairs.into_iter().take(MAX_COMPARED_PAIRS).map(|(_, first, second)| {
            let (first, second) = (&clusters[first], &clusters[second]);
            (first.shingles.jaccard(&second.shingles), first.name, second.name)
        });
        compared.reduce(closer)
    });
    closest.map(|(similarity, first, second)| ClosestPair {
        first: display_name(first),
        second: display_name(second),
        similarity: round_to(similarity, 4),
    })
}

struct Shingles {
    /// Sorted and without duplicates.
    set: Vec<u32>,
    sketch: [u32; SKETCH_SIZE],
}

impl Shingles {
    fn from_text(text: &str) -> Self {
        let mut word_hashes = HashMap::<&str, u64>::new();
        let words: Vec<u64> = words(clip_to(text, MAX_READ_BYTES))
            .map(|word| {
                *word_hashes.entry(word.text).or_insert_with(|| hash_word(&normalize_word(word.text)))
            })
            .collect();
        // A text shorter than a shingle is a single shingle.
        let mut set: Vec<u32> = words
            .windows(SHINGLE_WORDS.min(words.len()).max(1))
            .map(|window| mix(window.iter().copied().fold(0, combine)))
            .collect();
        set.sort_unstable();
        set.dedup();
        let mut sketch = [u32::MAX; SKETCH_SIZE];
        for shingle in &set {
            for (seed, min) in (1u64..).zip(&mut sketch) {
                *min = (*min).min(mix(combine(seed, u64::from(*shingle))));
            }
        }
        Self { set, sketch }
    }

    /// The similarity, if it is at least `threshold`.
    fn similarity(&self, other: &Self, threshold: f64) -> Option<f64> {
        if as_f64(self.sketch_matches(other)) / as_f64(SKETCH_SIZE) < threshold - SKETCH_ERROR {
            return None;
        }
        let similarity = self.jaccard(other);
        (similarity >= threshold).then_some(similarity)
    }

    /// How many numbers of the sketches are equal.
    fn sketch_matches(&self, other: &Self) -> usize {
        self.sketch.iter().zip(&other.sketch).filter(|(left, right)| left == right).count()
    }

    fn jaccard(&self, other: &Self) -> f64 {
        let shared = intersection_len(&self.set, &other.set);
        as_f64(shared) / as_f64(self.set.len() + other.set.len() - shared)
    }
}

/// The size of the intersection of two sorted lists.
fn intersection_len(left: &[u32], right: &[u32]) -> usize {
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

fn combine(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(23) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The finalizer of `splitmix64`: each input bit affects each output bit.
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
        let sources: Vec<NamedText<'_>> =
            names.iter().zip(texts).map(|(name, text)| NamedText { name, text }).collect();
        let found = near_duplicates(&sources, DEFAULT_SIMILARITY);
        found.groups.into_iter().map(|group| (group.name, group.others)).collect()
    }

    #[test]
    fn reported_similarity_is_exact() {
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
    fn texts_below_the_threshold_are_not_grouped() {
        assert!(groups(&[numbered(0..100), numbered(20..120)]).is_empty());
    }

    #[test]
    fn closest_pair_is_shown_with_and_without_groups() {
        let closest = |texts: &[String]| {
            let names: Vec<String> = (0..texts.len()).map(|name| name.to_string()).collect();
            let sources: Vec<NamedText<'_>> =
                names.iter().zip(texts).map(|(name, text)| NamedText { name, text }).collect();
            let found = near_duplicates(&sources, DEFAULT_SIMILARITY);
            assert!((found.threshold - DEFAULT_SIMILARITY).abs() < 1e-9);
            found.closest.map(|pair| (pair.first, pair.second, pair.similarity))
        };
        let pair =
            |first: &str, second: &str, similarity| Some((first.to_owned(), second.to_owned(), similarity));
        // 97 shingles each, 77 of them shared: 77 / 117.
        let below = [numbered(500..600), numbered(0..100), numbered(20..120), numbered(90..190)];
        assert_eq!(closest(&below), pair("1", "2", 0.6581));
        let above = [numbered(0..100), numbered(8..108), numbered(0..100)];
        assert_eq!(closest(&above), pair("0", "2", 1.0));
        assert_eq!(closest(&[numbered(0..9), numbered(50..59)]), pair("0", "1", 0.0));
        assert_eq!(closest(&[numbered(0..9), String::new()]), None);
    }

    #[test]
    fn case_and_punctuation_are_ignored_and_short_texts_are_compared() {
        let found =
            groups(&["Hello, World!".to_owned(), "hello world".to_owned(), String::new(), "…".to_owned()]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, [Duplicate { name: "1".to_owned(), similarity: 1.0 }]);
    }

    #[test]
    fn at_most_a_thousand_texts_are_compared() {
        let texts: Vec<String> = (0..1_200).map(|text| numbered(text / 2 * 50..text / 2 * 50 + 40)).collect();
        let names: Vec<String> = (0..texts.len()).map(|name| name.to_string()).collect();
        let sources: Vec<NamedText<'_>> =
            names.iter().zip(&texts).map(|(name, text)| NamedText { name, text }).collect();
        let found = near_duplicates(&sources, DEFAULT_SIMILARITY);
        assert_eq!((found.texts, found.groups_total, found.groups.len()), (1_000, 500, 10));
    }

    /// Copies with two changed words are found, whichever words changed.
    #[test]
    fn sketch_finds_every_edited_copy() {
        let base = numbered(0..200);
        for edit in 0..40 {
            let edited = base.replacen(&format!("word{edit} "), "other ", 1).replacen("word150", "else", 1);
            assert_eq!(groups(&[base.clone(), edited]).len(), 1, "{edit}");
        }
    }

    proptest! {
        #[test]
        fn text_is_a_duplicate_of_itself(text in "(\\PC|[ab ]){0,100}", threshold in 0.0f64..=1.0) {
            let sources = [NamedText { name: "1", text: &text }, NamedText { name: "2", text: &text }];
            let found = near_duplicates(&sources, threshold);
            prop_assert_eq!(found.groups.len(), usize::from(found.empty == 0));
        }
    }
}

use serde::Deserialize;
use svc_mcp_tools::analysis::{count_syllables, readability};

use crate::golden;

#[derive(Deserialize)]
struct Entry {
    name: String,
    text: String,
    words: usize,
    sentences: usize,
    syllables: usize,
    flesch_reading_ease: f64,
    flesch_kincaid_grade: f64,
    gunning_fog: f64,
    smog_index: f64,
    coleman_liau_index: f64,
    automated_readability_index: f64,
    lix: f64,
    differences: Vec<Difference>,
}

/// A word that textstat counts differently, with the reason.
#[derive(Deserialize)]
struct Difference {
    word: String,
    times: usize,
    textstat: usize,
    here: usize,
    why: String,
}

#[derive(Deserialize)]
struct Word {
    word: String,
    syllables: usize,
}

/// The measures without syllables are equal for every text. The others are equal if no word has a different count.
#[test]
fn measures_agree_with_textstat() {
    let entries: Vec<Entry> = golden("readability");
    let mut same = 0;
    for entry in &entries {
        let measured = readability(&entry.text, Some("en"));
        assert_eq!((measured.words, measured.sentences), (entry.words, entry.sentences), "{}", entry.name);
        let mut pairs = vec![
            (measured.coleman_liau_index, entry.coleman_liau_index),
            (measured.automated_readability_index, entry.automated_readability_index),
            (measured.lix, entry.lix),
        ];
        if entry.differences.is_empty() {
            same += 1;
            assert_eq!(measured.syllables, Some(entry.syllables), "{}", entry.name);
            pairs.extend([
                (measured.flesch_reading_ease, entry.flesch_reading_ease),
                (measured.flesch_kincaid_grade, entry.flesch_kincaid_grade),
                (measured.gunning_fog, entry.gunning_fog),
                (measured.smog_index, entry.smog_index),
            ]);
        }
        for (ours, theirs) in pairs {
            assert!(
                ours.is_some_and(|ours| (ours - theirs).abs() < 0.01),
                "{}: {ours:?}, {theirs}",
                entry.name
            );
        }
    }
    println!("{same} of {} texts have the same syllables throughout", entries.len());
    assert!(same >= 30, "only {same} texts");
}

/// If the syllables of a text differ, the golden file lists the words that cause it.
#[test]
fn every_difference_to_textstat_is_explained() {
    for entry in golden::<Entry>("readability") {
        let mut expected = entry.syllables;
        for Difference { word, times, textstat, here, why } in &entry.differences {
            assert_eq!(count_syllables(word), *here, "{word} of {}: {why}", entry.name);
            expected = expected + times * here - times * textstat;
        }
        assert_eq!(readability(&entry.text, Some("en")).syllables, Some(expected), "{}", entry.name);
    }
}

#[test]
fn syllables_agree_with_cmudict() {
    let words: Vec<Word> = golden("syllables");
    assert!(words.len() > 1_000);
    for Word { word, syllables: count } in words {
        assert_eq!(count_syllables(&word), count, "{word}");
    }
}

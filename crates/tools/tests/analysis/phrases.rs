use std::collections::HashSet;

use serde::Deserialize;
use svc_mcp_tools::analysis::key_phrases;

use crate::golden;

const COMPARED: usize = 10;

#[derive(Deserialize)]
struct Entry {
    name: String,
    language: String,
    text: String,
    oracle: Vec<String>,
}

/// Ours take the forms of a word together and show the most frequent, so a plural may stand for a singular.
fn folded(phrase: &str) -> String {
    let words = phrase.split(' ').map(str::to_lowercase);
    words.map(|word| word.trim_end_matches('s').to_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_first_phrases_are_nearly_those_of_yake() {
    let entries: Vec<Entry> = golden("phrases");
    let mut shared = 0;
    let mut all = 0;
    for Entry { name, language, text, oracle } in &entries {
        let wanted: HashSet<String> = oracle.iter().map(|phrase| folded(phrase)).collect();
        let ours: HashSet<String> =
            key_phrases(text, language, COMPARED).iter().map(|phrase| folded(&phrase.phrase)).collect();
        let in_both = wanted.intersection(&ours).count();
        println!("{name}: {in_both} of {}", wanted.len());
        assert!(in_both * 10 >= wanted.len() * 7, "{name}: yake has {wanted:?}, we have {ours:?}");
        shared += in_both;
        all += wanted.len();
    }
    println!("{shared} of {all} phrases of {} texts", entries.len());
    assert!(shared * 100 >= all * 92);
}

use std::collections::HashSet;

use serde::Deserialize;
use svc_mcp_tools::analysis::key_phrases;

use crate::golden;

const COMPARED_PHRASES: usize = 10;

#[derive(Deserialize)]
struct Entry {
    name: String,
    language: String,
    text: String,
    oracle: Vec<String>,
}

/// Our phrases show the most frequent form of a word, so a plural may replace a singular.
fn without_plurals(phrase: &str) -> String {
    let words = phrase.split(' ').map(str::to_lowercase);
    words.map(|word| word.trim_end_matches('s').to_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn first_phrases_nearly_agree_with_yake() {
    let entries: Vec<Entry> = golden("phrases");
    let mut shared = 0;
    let mut all = 0;
    for Entry { name, language, text, oracle } in &entries {
        let expected: HashSet<String> = oracle.iter().map(|phrase| without_plurals(phrase)).collect();
        let ours: HashSet<String> = key_phrases(text, language, COMPARED_PHRASES)
            .iter()
            .map(|phrase| without_plurals(&phrase.phrase))
            .collect();
        let in_both = expected.intersection(&ours).count();
        println!("{name}: {in_both} of {}", expected.len());
        assert!(in_both * 10 >= expected.len() * 7, "{name}: yake has {expected:?}, we have {ours:?}");
        shared += in_both;
        all += expected.len();
    }
    println!("{shared} of {all} phrases of {} texts", entries.len());
    assert!(shared * 100 >= all * 92);
}

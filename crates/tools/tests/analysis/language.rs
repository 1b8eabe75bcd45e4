use serde::Deserialize;
use svc_mcp_tools::analysis::detect;

use crate::golden;

#[derive(Deserialize)]
struct Entry {
    text: String,
    written_in: String,
    oracle: String,
}

#[test]
fn languages_agree_with_py3langid() {
    let entries: Vec<Entry> = golden("language");
    let mut languages: Vec<&str> = entries.iter().map(|entry| entry.written_in.as_str()).collect();
    languages.dedup();
    assert_eq!(languages.len(), 10);

    let mut agreed = 0;
    for Entry { text, oracle, .. } in &entries {
        let detected = detect(text).map(|language| language.code);
        if detected == Some(oracle.as_str()) {
            agreed += 1;
        } else {
            println!("{detected:?} instead of {oracle}: {text}");
        }
    }
    println!("{agreed} of {} texts", entries.len());
    assert!(agreed * 100 >= entries.len() * 98, "{agreed} of {} are too few", entries.len());
}

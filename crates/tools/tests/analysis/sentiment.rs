use serde::Deserialize;
use svc_mcp_tools::analysis::score;

use crate::golden;

#[derive(Deserialize)]
struct Entry {
    text: String,
    compound: f64,
    pos: f64,
    neu: f64,
    neg: f64,
}

#[test]
fn scores_agree_with_vader() {
    let entries: Vec<Entry> = golden("sentiment");
    assert!(entries.len() >= 200);
    for Entry { text, compound, pos, neu, neg } in entries {
        let scores = score(&text);
        let pairs = [
            (scores.compound, compound),
            (scores.positive, pos),
            (scores.neutral, neu),
            (scores.negative, neg),
        ];
        for (ours, theirs) in pairs {
            assert!((ours - theirs).abs() < 0.0001, "{text}: {scores:?}, {pairs:?}");
        }
    }
}

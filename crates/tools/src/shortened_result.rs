//! Cuts the texts and lists of an output that is too long for a result. So a call never fails because of what it returns.

use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::validate::shortened;

use crate::result::{ResultTooLarge, render_result};

/// The maximum length of texts and lists, tried one after the other until the output fits.
const CUTS: [(usize, usize); 7] =
    [(8_000, 100), (4_000, 50), (2_000, 25), (1_000, 12), (400, 6), (100, 3), (40, 1)];

/// Renders as much of the output as fits, with a note that says so.
pub(crate) fn render_shortened(output: &impl Serialize) -> Result<String, ResultTooLarge> {
    let mut output = serde_json::to_value(output).map_err(|_| ResultTooLarge)?;
    let notes = match output.get_mut("notes").map(Value::take) {
        Some(Value::Array(notes)) => notes,
        _ => Vec::new(),
    };
    for (max_chars, max_items) in CUTS {
        cut(&mut output, max_chars, max_items);
        if let Some(fields) = output.as_object_mut() {
            let mut notes = notes.clone();
            notes.truncate(max_items);
            for note in &mut notes {
                cut(note, max_chars, max_items);
            }
            let note = format!(
                "The result is too long for one answer: texts are cut after {max_chars} characters and end with …, lists \
                 end after {max_items} items."
            );
            notes.push(note.into());
            fields.insert("notes".to_owned(), notes.into());
        }
        if let Ok(rendered) = render_result(&output, false) {
            return Ok(rendered);
        }
    }
    Err(ResultTooLarge)
}

fn cut(value: &mut Value, max_chars: usize, max_items: usize) {
    match value {
        Value::String(text) => *text = shortened(std::mem::take(text), max_chars),
        Value::Array(items) => {
            items.truncate(max_items);
            for item in items {
                cut(item, max_chars, max_items);
            }
        }
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| cut(field, max_chars, max_items));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::result::MAX_TEXT_CHARS;

    fn shortened(output: &Value) -> Value {
        let result: Value = serde_json::from_str(&render_shortened(output).expect("it fits")).expect("JSON");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.chars().count() <= MAX_TEXT_CHARS, "{}", text.len());
        result["structuredContent"].clone()
    }

    #[test]
    fn long_texts_are_cut_before_lists() {
        let output = json!({
            "post": {"post_id": "post_1", "text": "x".repeat(20_000)},
            "previews": vec![json!({"channel": "feed", "text": "y".repeat(10_000)}); 8],
            "notes": ["It is a draft."],
        });
        let shown = shortened(&output);
        assert_eq!(shown["post"]["post_id"], "post_1");
        assert_eq!(shown["post"]["text"].as_str().expect("a text").chars().count(), 4_001);
        assert_eq!(shown["previews"].as_array().map(Vec::len), Some(8));
        assert_eq!(shown["notes"][0], "It is a draft.");
        let note = "The result is too long for one answer: texts are cut after 4000 characters and end with …, lists \
                    end after 50 items.";
        assert_eq!(shown["notes"][1], note);
    }

    #[test]
    fn any_object_fits_in_the_end() {
        let row = json!({"a": vec!["\"".repeat(300); 50], "b": vec![vec![1_000_000; 50]; 50]});
        let shown = shortened(&json!({"rows": vec![row; 50], "id": "audit_1"}));
        assert_eq!(shown["id"], "audit_1");
        assert_eq!(shown["notes"].as_array().map(Vec::len), Some(1));
    }
}

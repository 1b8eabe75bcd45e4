//! The full analysis of one text: `run_analysis` with kind `content`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    density::{KeywordDensity, keyword_densities},
    document::Document,
    language::{Language, detect},
    outline::{Outline, outline},
    phrases::{KeyPhrase, key_phrases},
    readability::{Readability, readability},
    sentiment::{Sentiment, sentiment},
    text::{MAX_TEXT_BYTES, words},
};
use crate::cpu_pool::checkpoint;

const MAX_KEY_PHRASES: usize = 20;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Content {
    /// Null if the text has no letters.
    pub language: Option<Language>,
    /// Words in headings and text.
    pub words: usize,
    pub readability: Readability,
    /// Null if the text is not in English, the only supported language, or has no sentences.
    pub sentiment: Option<Sentiment>,
    /// Most important first; at most 20.
    pub key_phrases: Vec<KeyPhrase>,
    /// One entry for each target keyword.
    pub keywords: Vec<KeywordDensity>,
    pub outline: Outline,
    /// True if the text is longer than 500 KB. The part after that was not read.
    pub truncated: bool,
}

pub fn analyse_content(document: &Document, target_keywords: &[String]) -> Content {
    let text = document.text();
    let prose = prose(document);
    let language = detect(if prose.is_empty() { &text } else { &prose });
    let code = language.as_ref().map(|language| language.code);
    checkpoint();
    let readability = readability(&prose, code);
    checkpoint();
    let sentiment = if code == Some("en") { sentiment(&text) } else { None };
    checkpoint();
    let key_phrases = key_phrases(&text, code.unwrap_or_default(), MAX_KEY_PHRASES);
    checkpoint();
    Content {
        words: words(&text).count(),
        readability,
        sentiment,
        key_phrases,
        keywords: keyword_densities(document, target_keywords, code.unwrap_or_default()),
        outline: outline(document),
        truncated: document.is_truncated(),
        language,
    }
}

/// The paragraphs only. Each ends with a punctuation mark, so that list items do not join into one long sentence.
fn prose(document: &Document) -> String {
    let mut prose = String::new();
    for paragraph in &document.paragraphs {
        let paragraph = paragraph.trim();
        if prose.len() >= MAX_TEXT_BYTES {
            break;
        }
        prose.push_str(paragraph);
        let ended = paragraph.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        if !paragraph[ended..].contains(['.', '!', '?']) {
            prose.push('.');
        }
        prose.push('\n');
    }
    prose
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn english_text_has_every_part() {
        let document = Document::from_markdown(
            "# Green tea\n\nGreen tea is wonderful. Everybody in our family drinks green tea after dinner.\n\n- one\n- two",
        );
        let content = analyse_content(&document, &["green teas".to_owned()]);
        assert_eq!(content.language.as_ref().map(|language| language.code), Some("en"));
        assert_eq!((content.words, content.readability.sentences), (17, 2));
        assert!(content.sentiment.is_some_and(|sentiment| sentiment.compound > 0.0));
        assert_eq!(content.key_phrases[0].phrase, "Green tea");
        assert_eq!(content.keywords[0].count, 3);
        assert_eq!(content.outline.headings.len(), 1);
        assert!(!content.truncated);
    }

    #[test]
    fn text_in_another_language_has_no_sentiment() {
        let document = Document::from_markdown("Der Tee ist gut und wird jeden Tag von uns allen getrunken.");
        let content = analyse_content(&document, &[]);
        assert_eq!(content.language.map(|language| language.code), Some("de"));
        assert_eq!(content.sentiment, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[-#*ab .!?\n]){0,300}", keyword in "\\PC{0,10}") {
            analyse_content(&Document::from_markdown(&text), &[keyword]);
        }
    }
}

//! The full analysis of one text: `run_analysis` with kind `content`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    density::{KeywordDensity, keyword_densities},
    document::Document,
    language::{Language, detect_or_brand},
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
    /// Left out if the text has no letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Words in headings and text.
    pub words: usize,
    pub readability: Readability,
    /// Left out if the text is not in English, the only supported language, or has no sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentiment: Option<Sentiment>,
    /// Most important first; at most 20.
    pub key_phrases: Vec<KeyPhrase>,
    /// One entry for each target keyword.
    pub keywords: Vec<KeywordDensity>,
    pub outline: Outline,
    /// True if the text is longer than 500 KB. The part after that was not read.
    pub truncated: bool,
}

/// `brand_language` (ISO 639-1) is used where the language cannot be detected.
pub fn analyse_content(
    document: &Document,
    target_keywords: &[String],
    brand_language: Option<&str>,
) -> Content {
    let Measures { language, words, readability, sentiment } = measure(document, brand_language);
    let code = language.as_ref().map_or("", |language| language.code);
    checkpoint();
    let key_phrases = key_phrases(&document.text(), code, MAX_KEY_PHRASES);
    checkpoint();
    Content {
        words,
        readability,
        sentiment,
        key_phrases,
        keywords: keyword_densities(document, target_keywords, code),
        outline: outline(document),
        truncated: document.is_truncated(),
        language,
    }
}

/// What is measured of every text.
pub(super) struct Measures {
    pub(super) language: Option<Language>,
    pub(super) words: usize,
    pub(super) readability: Readability,
    pub(super) sentiment: Option<Sentiment>,
}

pub(super) fn measure(document: &Document, brand_language: Option<&str>) -> Measures {
    let text = document.text();
    let prose = prose(document);
    let language = detect_or_brand(if prose.is_empty() { &text } else { &prose }, brand_language);
    let code = language.as_ref().map(|language| language.code);
    checkpoint();
    let readability = readability(&prose, code);
    checkpoint();
    let sentiment = if code == Some("en") { sentiment(&text) } else { None };
    Measures { language, words: words(&text).count(), readability, sentiment }
}

/// The paragraphs only. Each ends with a punctuation mark, so that list items do not join into one long sentence.
pub(crate) fn prose(document: &Document) -> String {
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
        let content = analyse_content(&document, &["green teas".to_owned()], None);
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
        let content = analyse_content(&document, &[], None);
        assert_eq!(content.language.map(|language| language.code), Some("de"));
        assert_eq!(content.sentiment, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[-#*ab .!?\n]){0,300}", keyword in "\\PC{0,10}") {
            analyse_content(&Document::from_markdown(&text), &[keyword], None);
        }
    }
}

//! All that is said of one text: `run_analysis` of kind `content`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    density::{self, KeywordDensity},
    document::Document,
    language::{self, Language},
    outline::{self, Outline},
    phrases::{self, KeyPhrase},
    readability::{self, Readability},
    sentiment::{self, Sentiment},
    text::{MAX_TEXT, words},
};

const KEY_PHRASES: usize = 20;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Content {
    /// Null: there are no letters to tell it from.
    pub language: Option<Language>,
    /// In headings and text.
    pub words: usize,
    pub readability: Readability,
    /// Null: the text is not in English, the only language this can be told for, or it has no sentences.
    pub sentiment: Option<Sentiment>,
    /// Most important first; at most 20.
    pub key_phrases: Vec<KeyPhrase>,
    /// One for each target keyword.
    pub keywords: Vec<KeywordDensity>,
    pub outline: Outline,
    /// True: the text is longer than 500 KB, and what follows was not read.
    pub truncated: bool,
}

pub fn content(document: &Document, target_keywords: &[String]) -> Content {
    let text = document.text();
    let prose = prose(document);
    let language = language::detect(if prose.is_empty() { &text } else { &prose });
    let code = language.as_ref().map(|language| language.code);
    Content {
        words: words(&text).count(),
        readability: readability::measure(&prose, code),
        sentiment: if code == Some("en") { sentiment::of_text(&text) } else { None },
        key_phrases: phrases::key_phrases(&text, code.unwrap_or_default(), KEY_PHRASES),
        keywords: density::density(document, target_keywords, code.unwrap_or_default()),
        outline: outline::outline(document),
        truncated: document.is_cut(),
        language,
    }
}

/// The paragraphs alone, each ended by a mark: headings and list items would else run into one endless sentence.
fn prose(document: &Document) -> String {
    let mut prose = String::new();
    for paragraph in &document.paragraphs {
        let paragraph = paragraph.trim();
        if prose.len() >= MAX_TEXT {
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
    fn an_english_text_gets_everything() {
        let document = Document::from_markdown(
            "# Green tea\n\nGreen tea is wonderful. Everybody in our family drinks green tea after dinner.\n\n- one\n- two",
        );
        let content = content(&document, &["green teas".to_owned()]);
        assert_eq!(content.language.as_ref().map(|language| language.code), Some("en"));
        assert_eq!((content.words, content.readability.sentences), (17, 2));
        assert!(content.sentiment.is_some_and(|sentiment| sentiment.compound > 0.0));
        assert_eq!(content.key_phrases[0].phrase, "Green tea");
        assert_eq!(content.keywords[0].count, 3);
        assert_eq!(content.outline.headings.len(), 1);
        assert!(!content.truncated);
    }

    #[test]
    fn another_language_has_no_sentiment() {
        let document = Document::from_markdown("Der Tee ist gut und wird jeden Tag von uns allen getrunken.");
        let content = content(&document, &[]);
        assert_eq!(content.language.map(|language| language.code), Some("de"));
        assert_eq!(content.sentiment, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_is_taken(text in "(\\PC|[-#*ab .!?\n]){0,300}", keyword in "\\PC{0,10}") {
            content(&Document::from_markdown(&text), &[keyword]);
        }
    }
}

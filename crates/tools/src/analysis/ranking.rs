//! Ranks many texts by how hard they are to read: `run_analysis` with a `scope`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    content::{Measures, measure},
    document::Document,
    named_text::{NamedText, display_name},
    text::{excerpt, round_to},
    verdict::{HARD_EASE, reading_ease, reading_verdict, tone},
};
use crate::cpu_pool::checkpoint;

const MAX_SHOWN: usize = 30;
const MAX_START_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TextRanking {
    /// The number of texts analysed.
    pub texts: usize,
    /// How many of them are hard to read.
    pub hard: usize,
    /// Hardest to read first; the first 30. Texts that cannot be measured are last.
    pub items: Vec<RankedText>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RankedText {
    /// The URL of the page or the id of the post.
    pub name: String,
    /// The start of its text.
    pub start: String,
    /// One sentence: how hard it is to read, what to do about it, and its tone.
    pub verdict: String,
    pub words: usize,
    /// ISO 639-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    /// From about 0 (very hard) to 100 (easy): Flesch Reading Ease; in other languages than English 140 − 2 × LIX.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ease: Option<f64>,
    /// From -1 (negative) to 1 (positive). Only for English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentiment: Option<f64>,
}

/// `brand_language` is used where the language of a text cannot be detected.
pub fn rank_texts(sources: &[NamedText<'_>], brand_language: Option<&str>) -> TextRanking {
    let mut items: Vec<RankedText> = sources.iter().map(|source| ranked(source, brand_language)).collect();
    let ease = |item: &RankedText| item.ease.unwrap_or(f64::INFINITY);
    items.sort_by(|left, right| ease(left).total_cmp(&ease(right)).then_with(|| left.name.cmp(&right.name)));
    let hard = items.iter().filter(|item| ease(item) < HARD_EASE).count();
    items.truncate(MAX_SHOWN);
    TextRanking { texts: sources.len(), hard, items }
}

fn ranked(source: &NamedText<'_>, brand_language: Option<&str>) -> RankedText {
    checkpoint();
    let Measures { language, words, readability, sentiment } =
        measure(&Document::from_markdown(source.text), brand_language);
    let sentiment = sentiment.map(|sentiment| sentiment.compound);
    let feeling = sentiment.map(|compound| (tone(compound), compound)).filter(|(tone, _)| *tone != "neutral");
    let feeling = feeling.map(|(tone, compound)| format!("; the tone is {tone} ({compound:.2})"));
    RankedText {
        name: display_name(source.name),
        start: excerpt(source.text, MAX_START_CHARS),
        verdict: format!("{}{}.", reading_verdict(&readability), feeling.unwrap_or_default()),
        words,
        language: language.map(|language| language.code),
        ease: reading_ease(&readability).map(|ease| round_to(ease, 1)),
        sentiment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardest_text_is_first_and_unmeasured_texts_are_last() {
        let texts = [
            NamedText { name: "short", text: "Home" },
            NamedText {
                name: "easy",
                text: "We love our new shop. You can come in and have a cup of tea with us.",
            },
            NamedText {
                name: "hard",
                text: "The administrative documentation of our organisational responsibilities necessitates considerable \
                       interdepartmental communication, which is a terrible and awful catastrophe for everybody.",
            },
        ];
        let ranking = rank_texts(&texts, Some("en"));
        let names: Vec<&str> = ranking.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!((names.as_slice(), ranking.texts, ranking.hard), (&["hard", "easy", "short"][..], 3, 1));
        let verdict = &ranking.items[0].verdict;
        assert!(verdict.contains("ard to read") && verdict.contains("tone is very negative"), "{verdict}");
        assert_eq!(ranking.items[2].verdict, "Too short to say how hard it is to read (1 words).");
    }

    #[test]
    fn number_of_shown_texts_is_limited() {
        let texts = [NamedText { name: "a", text: "One two three." }; 50];
        let ranking = rank_texts(&texts, None);
        assert_eq!((ranking.texts, ranking.items.len()), (50, MAX_SHOWN));
    }
}

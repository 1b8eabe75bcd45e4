//! The words of a text in runs that no mark interrupts: where phrases are looked for.

use super::{
    sentences,
    text::{clip, words},
};

/// A run of words within one sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'a> {
    /// Which sentence of the text, counted from 0.
    pub(crate) sentence: usize,
    pub(crate) tokens: Vec<Token<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    /// With one capital, at its start, and not because the sentence starts there.
    Capitalized,
    Acronym,
    /// A number, or letters and digits mixed.
    Number,
}

impl Kind {
    fn of(word: &str, starts_sentence: bool) -> Self {
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        if !word.contains(char::is_alphabetic) || word.contains(char::is_numeric) {
            Self::Number
        } else if capitals > 0 && !word.contains(char::is_lowercase) {
            Self::Acronym
        } else if capitals == 1 && !starts_sentence && word.starts_with(char::is_uppercase) {
            Self::Capitalized
        } else {
            Self::Plain
        }
    }

    pub(crate) fn is_word(self) -> bool {
        self != Self::Number
    }
}

/// The chunks of a text, and how many sentences it has.
pub(crate) fn chunks(text: &str) -> (Vec<Chunk<'_>>, usize) {
    let sentences = sentences::split(clip(text));
    let mut chunks = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let mut tokens: Vec<Token<'_>> = Vec::new();
        let mut end = 0;
        for (start, word) in joined(sentence) {
            if !sentence[end..start].chars().all(char::is_whitespace) && !tokens.is_empty() {
                chunks.push(Chunk { sentence: number, tokens: std::mem::take(&mut tokens) });
            }
            let bare = without_possessive(word);
            tokens.push(Token { text: bare, kind: Kind::of(bare, start == 0) });
            end = start + word.len();
        }
        if !tokens.is_empty() {
            chunks.push(Chunk { sentence: number, tokens });
        }
    }
    (chunks, sentences.len())
}

/// Words with where they start; parts joined by a single hyphen are one (`well-known`).
fn joined(sentence: &str) -> Vec<(usize, &str)> {
    let mut joined: Vec<(usize, &str)> = Vec::new();
    for word in words(sentence) {
        match joined.last_mut() {
            Some((start, last)) if sentence[*start + last.len()..word.start] == *"-" => {
                *last = &sentence[*start..word.end()];
            }
            _ => joined.push((word.start, word.text)),
        }
    }
    joined
}

fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_sentences_part_the_runs() {
        let (chunks, sentences) = chunks("Acme's well-known tea, from NASA in 2024. Good Tea");
        let texts: Vec<(usize, Vec<&str>)> = chunks
            .iter()
            .map(|chunk| (chunk.sentence, chunk.tokens.iter().map(|token| token.text).collect()))
            .collect();
        assert_eq!(sentences, 2);
        assert_eq!(
            texts,
            [
                (0, vec!["Acme", "well-known", "tea"]),
                (0, vec!["from", "NASA", "in", "2024"]),
                (1, vec!["Good", "Tea"]),
            ]
        );
    }

    #[test]
    fn a_capital_counts_unless_the_sentence_starts_with_it() {
        let kinds = [
            ("Tea", true, Kind::Plain),
            ("Tea", false, Kind::Capitalized),
            ("NASA", true, Kind::Acronym),
            ("iPhone", false, Kind::Plain),
            ("mp3", false, Kind::Number),
            ("1,000", false, Kind::Number),
        ];
        for (word, starts, kind) in kinds {
            assert_eq!(Kind::of(word, starts), kind, "{word}");
        }
    }
}

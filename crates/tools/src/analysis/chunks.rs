//! Splits a text into chunks: runs of words without punctuation between them. Phrases never cross a chunk.

use super::{
    sentences::split_sentences,
    text::{clip, without_possessive, words},
};

/// A run of words within one sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'a> {
    /// The index of the sentence in the text.
    pub(crate) sentence: usize,
    pub(crate) tokens: Vec<Token<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: TokenKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Plain,
    /// Starts with its only capital letter and is not the first word of the sentence.
    Capitalized,
    Acronym,
    /// Contains a digit, or has no letters.
    Number,
}

impl TokenKind {
    fn classify(word: &str, starts_sentence: bool) -> Self {
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

/// Returns the chunks of a text and its number of sentences.
pub(crate) fn chunks(text: &str) -> (Vec<Chunk<'_>>, usize) {
    let sentences = split_sentences(clip(text));
    let mut chunks = Vec::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let mut tokens: Vec<Token<'_>> = Vec::new();
        let mut end = 0;
        for (start, word) in hyphenated_words(sentence) {
            if !sentence[end..start].chars().all(char::is_whitespace) && !tokens.is_empty() {
                chunks.push(Chunk { sentence: index, tokens: std::mem::take(&mut tokens) });
            }
            let bare = without_possessive(word);
            tokens.push(Token { text: bare, kind: TokenKind::classify(bare, start == 0) });
            end = start + word.len();
        }
        if !tokens.is_empty() {
            chunks.push(Chunk { sentence: index, tokens });
        }
    }
    (chunks, sentences.len())
}

/// The words with their byte offsets. Parts joined by a single hyphen are one word (`well-known`).
fn hyphenated_words(sentence: &str) -> Vec<(usize, &str)> {
    let mut hyphenated_words: Vec<(usize, &str)> = Vec::new();
    for word in words(sentence) {
        match hyphenated_words.last_mut() {
            Some((start, last)) if sentence[*start + last.len()..word.start] == *"-" => {
                *last = &sentence[*start..word.end()];
            }
            _ => hyphenated_words.push((word.start, word.text)),
        }
    }
    hyphenated_words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_sentence_ends_split_chunks() {
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
    fn first_word_of_a_sentence_is_not_capitalized() {
        let kinds = [
            ("Tea", true, TokenKind::Plain),
            ("Tea", false, TokenKind::Capitalized),
            ("NASA", true, TokenKind::Acronym),
            ("iPhone", false, TokenKind::Plain),
            ("mp3", false, TokenKind::Number),
            ("1,000", false, TokenKind::Number),
        ];
        for (word, starts, kind) in kinds {
            assert_eq!(TokenKind::classify(word, starts), kind, "{word}");
        }
    }
}

//! Validation of input, field by field, so that a caller can fix all errors at once.

use serde::Serialize;

use crate::key::mentions_key;

/// One error in one field. `field` is a path such as `label` or `media[0].url`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    pub field: String,
    pub message: String,
}

impl Fault {
    pub fn new(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self { field: field.into(), message: message.to_string() }
    }
}

/// Why a text is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("must not be empty")]
    Empty,
    #[error("must be at most {max_chars} characters, and has {chars}")]
    TooLong { max_chars: usize, chars: usize },
    #[error("must not contain control characters")]
    ControlCharacter,
    #[error("holds what looks like an MCP key: it is exposed now, so revoke it and leave it out")]
    ContainsKey,
}

impl From<TextError> for String {
    fn from(error: TextError) -> Self {
        error.to_string()
    }
}

/// Text that a person typed: trimmed, at most `max_chars` characters, without control characters and without a key.
pub fn plain_text(text: &str, max_chars: usize) -> Result<String, TextError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(TextError::Empty);
    }
    let chars = text.chars().count();
    if chars > max_chars {
        return Err(TextError::TooLong { max_chars, chars });
    }
    if text.chars().any(char::is_control) {
        return Err(TextError::ControlCharacter);
    }
    without_key(text)?;
    Ok(text.to_owned())
}

/// Rejects a text that contains an MCP key, because it would be stored in clear text.
pub fn without_key(text: &str) -> Result<(), TextError> {
    if mentions_key(text) { Err(TextError::ContainsKey) } else { Ok(()) }
}

/// Input that is quoted in a message: cut to 64 characters, and never a key.
pub fn repeated(text: &str) -> String {
    if mentions_key(text) { "(a key)".to_owned() } else { text.chars().take(64).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_trimmed_and_limited_in_length() {
        assert_eq!(plain_text("  CI agent ", 100), Ok("CI agent".into()));
        assert!(plain_text(" \t ", 100).is_err());
        assert!(plain_text("a\u{0}b", 100).is_err());
        assert!(plain_text(&"é".repeat(100), 100).is_ok());
        assert!(plain_text(&"é".repeat(101), 100).is_err());
    }
}

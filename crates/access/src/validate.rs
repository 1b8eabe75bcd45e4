//! Validation of input, field by field, so that a caller can fix all errors at once.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::Serialize;

use crate::key::mentions_key;

/// An answer lists at most this many faults.
pub const MAX_FAULTS: usize = 100;
const MAX_FIELD_CHARS: usize = 200;
const MAX_MESSAGE_CHARS: usize = 2_000;

/// One error in one field. `field` is a path such as `label` or `media[0].url`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    pub field: String,
    pub message: String,
}

impl Fault {
    pub fn new(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self {
            field: shortened(field.into(), MAX_FIELD_CHARS),
            message: shortened(message.to_string(), MAX_MESSAGE_CHARS),
        }
    }
}

/// The faults of one input, in the order of their fields. It keeps the first fault of a field and at most [`MAX_FAULTS`]
/// faults; the others are only counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults {
    /// Messages by field.
    listed: BTreeMap<String, String>,
    /// Hashes of the other fields, so that each of them is counted once.
    left_out: BTreeSet<u64>,
}

impl Faults {
    pub fn push(&mut self, fault: Fault) {
        let is_full = self.listed.len() >= MAX_FAULTS;
        match self.listed.entry(fault.field) {
            btree_map::Entry::Occupied(_) => {}
            btree_map::Entry::Vacant(entry) if is_full => {
                let mut hasher = DefaultHasher::new();
                entry.key().hash(&mut hasher);
                self.left_out.insert(hasher.finish());
            }
            btree_map::Entry::Vacant(entry) => {
                entry.insert(fault.message);
            }
        }
    }

    /// Adds the faults of another check of the same input.
    pub fn append(&mut self, other: Self) {
        self.left_out.extend(&other.left_out);
        self.extend(other);
    }

    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The number of fields whose faults are not listed.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }
}

impl From<Vec<Fault>> for Faults {
    fn from(faults: Vec<Fault>) -> Self {
        let mut collected = Self::default();
        collected.extend(faults);
        collected
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        vec![fault].into()
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::iter::Map<btree_map::IntoIter<String, String>, fn((String, String)) -> Fault>;

    /// The listed faults.
    fn into_iter(self) -> Self::IntoIter {
        self.listed.into_iter().map(|(field, message)| Fault { field, message })
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

/// The text, cut after `max_chars` characters.
pub fn shortened(mut text: String, max_chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(max_chars) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_listed_once_per_field_up_to_the_limit_and_then_counted() {
        let mut faults = Faults::default();
        for index in (0..MAX_FAULTS + 20).rev() {
            faults.push(Fault::new(format!("items[{index:03}]"), "must be a string"));
            faults.push(Fault::new(format!("items[{index:03}]"), "must be longer"));
        }
        assert_eq!(faults.left_out(), 20);
        let listed: Vec<Fault> = faults.into_iter().collect();
        assert_eq!(listed.len(), MAX_FAULTS);
        assert!(listed.is_sorted_by(|one, other| one.field < other.field), "{listed:?}");
        assert!(listed.iter().all(|fault| fault.message == "must be a string"), "{listed:?}");
    }

    #[test]
    fn long_fields_and_messages_are_shortened() {
        let fault = Fault::new("é".repeat(5_000), "x".repeat(5_000));
        assert_eq!(fault.field.chars().count(), MAX_FIELD_CHARS + 1);
        assert_eq!(fault.message.chars().count(), MAX_MESSAGE_CHARS + 1);
        assert!(fault.field.ends_with("é…"));
        assert_eq!(Fault::new("label", "is required").field, "label");
    }

    #[test]
    fn text_is_trimmed_and_limited_in_length() {
        assert_eq!(plain_text("  CI agent ", 100), Ok("CI agent".into()));
        assert!(plain_text(" \t ", 100).is_err());
        assert!(plain_text("a\u{0}b", 100).is_err());
        assert!(plain_text(&"é".repeat(100), 100).is_ok());
        assert!(plain_text(&"é".repeat(101), 100).is_err());
    }
}

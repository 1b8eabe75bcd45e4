//! Pages of searches for the beginning of an id or of another text.
//!
//! A search has two parts: first the rows whose id begins with the text, then the others whose name or address does. Each
//! part is one range of an index.

use svc_mcp_access::Timestamp;

use super::statement::Statement;
use crate::Cursor;

/// The last character of Unicode. Every text that begins with `q` is less than `q` with this behind it.
const LAST_CHARACTER: &str = "\u{10FFFF}";

/// One page of an operator's list.
#[derive(Debug)]
pub struct SearchPage<T> {
    pub items: Vec<T>,
    pub next: Option<Cursor>,
}

impl<T> SearchPage<T> {
    /// From the rows of a query that has read one row more than `limit`.
    pub(super) fn cut(mut items: Vec<T>, limit: u32, cursor: impl Fn(&T) -> Cursor) -> Self {
        let next = crate::next_cursor(&mut items, limit, cursor);
        Self { items, next }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    ById,
    ByText,
}

/// A page begins after this row: its place in the order, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) part: Part,
    pub(super) text: String,
    pub(super) id: String,
}

impl Position {
    /// Above the first row.
    pub(super) fn start(part: Part) -> Self {
        Self { part, text: String::new(), id: String::new() }
    }

    /// The cursor holds the length of the text, because both texts may contain any character.
    pub(super) fn cursor(&self) -> Cursor {
        let length = i64::try_from(self.text.len()).unwrap_or(0);
        let number = length * 2 + i64::from(self.part == Part::ByText);
        Cursor { at: Timestamp::from_millis(number), id: format!("{}{}", self.text, self.id) }
    }

    /// Adds the condition that a row is after this one. The first page has no such condition: PostgreSQL begins to read an
    /// index at one lower bound only, and with this one it would read the whole index up to the text that is searched.
    pub(super) fn add_to(&self, statement: &mut Statement, column: &str, id_column: &str) {
        if self.text.is_empty() && self.id.is_empty() {
            return;
        }
        let (text, id) = (statement.text(&self.text), statement.text(&self.id));
        statement.and(&format!("({column}, {id_column}) > ({text}, {id})"));
    }

    /// A cursor of another list starts at the top.
    pub(super) fn decode(cursor: Option<&Cursor>) -> Self {
        let decoded = cursor.and_then(|cursor| {
            let number = usize::try_from(cursor.at.millis()).ok()?;
            let (text, id) = cursor.id.split_at_checked(number / 2)?;
            let part = if number % 2 == 0 { Part::ById } else { Part::ByText };
            Some(Self { part, text: text.to_owned(), id: id.to_owned() })
        });
        decoded.unwrap_or_else(|| Self::start(Part::ById))
    }
}

/// The condition that a column in lower case begins with `q`.
pub(super) fn begins_with(statement: &mut Statement, column: &str, q: &str) -> String {
    let (q, last) = (statement.text(q), statement.text(LAST_CHARACTER));
    format!("{column} >= lower({q}) AND {column} < lower({q}) || {last}")
}

/// The condition that a column begins with `prefix` as it is written.
pub(super) fn begins_exactly_with(statement: &mut Statement, column: &str, prefix: &str) -> String {
    let (prefix, end) = (statement.text(prefix), statement.text(&format!("{prefix}{LAST_CHARACTER}")));
    format!("{column} >= {prefix} AND {column} < {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_survives_a_round_trip() {
        for part in [Part::ById, Part::ByText] {
            for (text, id) in [("", ""), ("acme & co", "acme"), ("ä", "urn:x:1"), ("a", "")] {
                let position = Position { part, text: text.to_owned(), id: id.to_owned() };
                let encoded = Cursor::decode(&position.cursor().encode());
                assert_eq!(Position::decode(encoded.as_ref()), position);
            }
        }
        let newest = Cursor { at: Timestamp::from_millis(1_794_700_800_000), id: "key_1".into() };
        assert_eq!(Position::decode(Some(&newest)), Position::start(Part::ById));
        assert_eq!(Position::decode(None), Position::start(Part::ById));
    }
}

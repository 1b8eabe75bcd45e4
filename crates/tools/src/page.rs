//! Lists, a page at a time: `limit` and an opaque `cursor` in, `items`, `total` and `next_cursor` out.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, Timestamp};

pub const DEFAULT_LIMIT: u32 = 20;
pub const LARGEST_LIMIT: u32 = 100;

pub(crate) fn default_limit() -> u32 {
    DEFAULT_LIMIT
}

/// Where a page begins: after this row, in the order newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub at: Timestamp,
    pub id: String,
}

impl Cursor {
    pub fn encode(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{}.{}", self.at.millis(), self.id))
    }

    /// `None` where it is not one that `encode` made.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (at, id) = std::str::from_utf8(&bytes).ok()?.split_once('.')?;
        // No id holds such a character, and PostgreSQL takes no NUL even to look for it.
        if id.chars().any(char::is_control) {
            return None;
        }
        Some(Self { at: Timestamp::from_millis(at.parse().ok()?), id: id.to_owned() })
    }
}

impl Cursor {
    /// A place in a list that is numbered rather than dated.
    pub fn place(number: usize) -> Self {
        Self { at: Timestamp::from_millis(i64::try_from(number).unwrap_or(i64::MAX)), id: String::new() }
    }

    /// What is wrong with a cursor that came as an argument.
    pub(crate) fn fault(text: Option<&str>) -> Option<Fault> {
        let wrong = text.is_some_and(|text| Self::decode(text).is_none());
        wrong.then(|| Fault::new("cursor", "is not a `next_cursor` of this list"))
    }
}

/// The arguments of a list that has no others.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageArguments {
    /// How many at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_LIMIT))]
    pub(crate) limit: u32,
    /// The `next_cursor` of the page before.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl PageArguments {
    pub(crate) fn faults(&self) -> Vec<Fault> {
        Cursor::fault(self.cursor.as_deref()).into_iter().collect()
    }

    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().and_then(Cursor::decode)
    }
}

/// One page of a list as the store gives it.
#[derive(Debug)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
    pub next: Option<Cursor>,
}

/// One page of a list as a tool returns it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Listing<T> {
    pub items: Vec<T>,
    /// How many there are in all, on every page together.
    pub total: u64,
    /// Pass this as `cursor` to get the next page. Null on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Listing<T> {
    pub(crate) fn of<R>(page: Page<R>, view: impl FnMut(R) -> T) -> Self {
        Self {
            items: page.items.into_iter().map(view).collect(),
            total: page.total,
            next_cursor: page.next.map(|cursor| cursor.encode()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_nothing_else_is_one() {
        let cursor = Cursor { at: Timestamp::from_millis(12), id: "post_a.b".into() };
        assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        for bad in ["", "%%%", "YWJj", "MTIz"] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}

//! Paginated lists: `limit` and an opaque `cursor` in, `items`, `total` and `next_cursor` out.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, StoreError, Timestamp};

use crate::result::MAX_TEXT_CHARS;

pub const DEFAULT_LIMIT: u32 = 20;
pub const MAX_LIMIT: u32 = 100;
/// Long rows are read in steps of at most this many.
const MAX_ROWS_PER_STEP: u32 = 20;
/// Less than the maximum text of a result, to leave space for the fields around the items. No character takes less than one
/// byte.
pub(crate) const MAX_PAGE_BYTES: usize = MAX_TEXT_CHARS - 4 * 1024;

/// The bytes that `part` takes in the text of a result.
pub(crate) fn result_bytes(part: &impl Serialize) -> usize {
    serde_json::to_string(part).map_or(0, |json| json.len())
}

pub(crate) fn default_limit() -> u32 {
    DEFAULT_LIMIT
}

/// A page begins after this row. Rows are sorted newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub at: Timestamp,
    pub id: String,
}

impl Cursor {
    pub fn encode(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{}.{}", self.at.millis(), self.id))
    }

    /// `None`: the text was not made by `encode`.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (at, id) = std::str::from_utf8(&bytes).ok()?.split_once('.')?;
        // No id contains control characters, and PostgreSQL rejects U+0000 even in a search.
        if id.chars().any(char::is_control) {
            return None;
        }
        Some(Self { at: Timestamp::from_millis(at.parse().ok()?), id: id.to_owned() })
    }

    /// A position in a list that is ordered by number instead of time.
    pub fn at_position(position: usize) -> Self {
        Self { at: Timestamp::from_millis(i64::try_from(position).unwrap_or(i64::MAX)), id: String::new() }
    }

    /// Checks a cursor that was sent as an argument.
    pub(crate) fn check(text: Option<&str>) -> Option<Fault> {
        let is_invalid = text.is_some_and(|text| Self::decode(text).is_none());
        is_invalid.then(|| Fault::new("cursor", "is not a `next_cursor` of this list"))
    }
}

/// The arguments of a list without filters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageArguments {
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub(crate) limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl PageArguments {
    pub(crate) fn faults(&self) -> Vec<Fault> {
        Cursor::check(self.cursor.as_deref()).into_iter().collect()
    }

    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().and_then(Cursor::decode)
    }
}

/// One page of a list as the store returns it.
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
    /// The number of items on all pages together.
    pub total: u64,
    /// Pass this as `cursor` to get the next page. Null on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Listing<T> {
    pub(crate) fn from_page<R>(page: Page<R>, view: impl FnMut(R) -> T) -> Self {
        Self {
            items: page.items.into_iter().map(view).collect(),
            total: page.total,
            next_cursor: page.next.map(|cursor| cursor.encode()),
        }
    }
}

impl<T: Serialize> Listing<T> {
    /// Reads a list of long rows in steps, so that only a few of them are in memory at a time. A list of several steps ends
    /// before it is too large for a result.
    pub async fn read_in_steps<R, F: Future<Output = Result<Page<R>, StoreError>>>(
        limit: u32,
        mut after: Option<Cursor>,
        read: impl Fn(Option<Cursor>, u32) -> F,
        cursor_of: fn(&R) -> Cursor,
        view: fn(R) -> T,
    ) -> Result<Self, StoreError> {
        let mut listing = Self { items: Vec::new(), total: 0, next_cursor: None };
        let mut rows_left = limit;
        let mut bytes = 0;
        loop {
            let page = read(after, rows_left.min(MAX_ROWS_PER_STEP)).await?;
            listing.total = page.total;
            let mut last = None;
            for row in page.items {
                let cursor = cursor_of(&row);
                let item = view(row);
                if limit > MAX_ROWS_PER_STEP {
                    bytes += result_bytes(&item);
                    if bytes > MAX_PAGE_BYTES && !listing.items.is_empty() {
                        // Of an earlier step if this is the first row of its step.
                        listing.next_cursor = last.as_ref().map(Cursor::encode).or(listing.next_cursor);
                        return Ok(listing);
                    }
                }
                listing.items.push(item);
                last = Some(cursor);
                rows_left = rows_left.saturating_sub(1);
            }
            listing.next_cursor = page.next.as_ref().map(Cursor::encode);
            after = page.next;
            if after.is_none() || rows_left == 0 {
                return Ok(listing);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_a_round_trip_and_other_texts_are_rejected() {
        let cursor = Cursor { at: Timestamp::from_millis(12), id: "post_a.b".into() };
        assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        for bad in ["", "%%%", "YWJj", "MTIz"] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}

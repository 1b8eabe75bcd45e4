//! Pages of lists that are sorted newest first.
//!
//! A query reads one row more than the page has, to see whether there is a next page. Statements say `LIMIT $n + 0`:
//! SQLite makes a new plan for each value of a plain `LIMIT $n`.

use crate::{Cursor, Page};

/// The position after which a page starts: the cursor, or the top of the list.
pub(crate) fn start_after(cursor: Option<&Cursor>) -> (i64, &str) {
    cursor.map_or((i64::MAX, ""), |cursor| (cursor.at.millis(), &cursor.id))
}

/// A page from the rows of a query that has read one row more than `limit`.
pub(crate) fn cut_page<T>(
    mut items: Vec<T>,
    total: i64,
    limit: u32,
    cursor: impl Fn(&T) -> Cursor,
) -> Page<T> {
    let next = next_cursor(&mut items, limit, cursor);
    Page { items, total: u64::try_from(total).unwrap_or(0), next }
}

/// Cuts the rows to `limit`, and returns the cursor of the next page if there is one.
pub(crate) fn next_cursor<T>(
    items: &mut Vec<T>,
    limit: u32,
    cursor: impl Fn(&T) -> Cursor,
) -> Option<Cursor> {
    let limit = limit as usize;
    if items.len() <= limit {
        return None;
    }
    items.truncate(limit);
    items.last().map(cursor)
}

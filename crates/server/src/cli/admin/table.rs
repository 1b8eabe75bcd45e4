//! A table for people: aligned columns, readable times, and no control characters.

use std::fmt;

use svc_mcp_access::{Timestamp, validate::shortened};

/// A longer text is cut.
const MAX_CELL_CHARS: usize = 80;

#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|name| (*name).to_owned()).collect()] }
    }

    pub(super) fn add<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            let line = cells.join("  ");
            write!(f, "{}{}", if number > 0 { "\n" } else { "" }, line.trim_end())?;
        }
        Ok(())
    }
}

/// Texts of other servers may hold control characters, which a terminal would obey.
fn plain(cell: &str) -> String {
    let printable = cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(printable, MAX_CELL_CHARS)
}

/// `2026-11-15 09:00:00`, in UTC.
pub(super) fn time(at: Timestamp) -> String {
    let text = at.to_string();
    text.get(..19).unwrap_or(&text).replace('T', " ")
}

pub(super) fn optional(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

pub(super) fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_cells_are_printable() {
        let mut table = Table::new(&["A", "LONGER", "C"]);
        table.add(["äö".to_owned(), "x\u{1b}[31m".to_owned(), "last".to_owned()]);
        table.add(["1".to_owned(), "2".to_owned(), String::new()]);
        assert_eq!(table.to_string(), "A   LONGER  C\näö  x [31m  last\n1   2");
        assert_eq!(time(Timestamp::from_millis(1_794_700_800_000)), "2026-11-15 00:00:00");
    }
}

//! How far the search for a user's data has come.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{searched_tables, sql::Range};
use crate::brand_data::Cell;

/// Where the search goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) table: String,
    /// The identity of the last row that was searched. Empty: the table starts.
    pub(super) after: Vec<Value>,
}

impl Position {
    /// `None`: there are no tables.
    fn start_of(table: Option<&&'static str>) -> Option<Self> {
        table.map(|table| Self { table: (*table).to_owned(), after: Vec::new() })
    }

    pub(super) fn start() -> Self {
        Self::start_of(searched_tables().first()).expect("there are tables to search")
    }

    pub(super) fn is_start_of(&self, table: &str) -> bool {
        self.table == table && self.after.is_empty()
    }

    /// `None`: this was the last table.
    pub(super) fn next(&self, range: &Range) -> Option<Self> {
        if let Some(last) = &range.last {
            return Some(Self { table: self.table.clone(), after: last.iter().map(Cell::to_json).collect() });
        }
        let tables = searched_tables();
        let index = tables.iter().position(|table| *table == self.table)?;
        Self::start_of(tables.get(index + 1))
    }
}

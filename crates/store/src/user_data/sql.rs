//! A statement with values of any column, for tables that are named in a list.

use crate::brand_data::Cell;

/// A part of a table: the rows after one identity, up to and including another one.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) identity: Vec<&'static str>,
    /// Empty: from the first row.
    pub(super) after: Vec<Cell>,
    /// `None`: up to the last row.
    pub(super) last: Option<Vec<Cell>>,
}

#[derive(Debug, Default)]
pub(super) struct Sql {
    pub(super) text: String,
    pub(super) values: Vec<Cell>,
}

impl Sql {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), values: Vec::new() }
    }

    pub(super) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Binds a value, and returns its place in the statement.
    pub(super) fn bind(&mut self, value: Cell) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    pub(super) fn bind_text(&mut self, text: &str) -> String {
        self.bind(Cell::Text(text.to_owned()))
    }

    /// A list in brackets.
    pub(super) fn bind_all(&mut self, values: impl IntoIterator<Item = Cell>) -> String {
        let places: Vec<String> = values.into_iter().map(|value| self.bind(value)).collect();
        format!("({})", places.join(", "))
    }

    /// The condition that a row is in the range.
    pub(super) fn in_range(&mut self, range: &Range) -> String {
        let identity = range.identity.join(", ");
        let mut conditions = Vec::new();
        if !range.after.is_empty() {
            let after = self.bind_all(range.after.iter().cloned());
            conditions.push(format!("({identity}) > {after}"));
        }
        if let Some(last) = &range.last {
            let last = self.bind_all(last.iter().cloned());
            conditions.push(format!("({identity}) <= {last}"));
        }
        if conditions.is_empty() { "1 = 1".to_owned() } else { conditions.join(" AND ") }
    }

    /// The condition that a column contains one of these texts, in any case.
    pub(super) fn contains(&mut self, column: &str, needles: &[String]) -> String {
        let conditions: Vec<String> = needles
            .iter()
            .map(|needle| {
                let pattern = self.bind_text(&like_pattern(needle));
                format!("LOWER({column}) LIKE LOWER({pattern}) ESCAPE '!'")
            })
            .collect();
        format!("({})", conditions.join(" OR "))
    }
}

fn like_pattern(needle: &str) -> String {
    let escaped = needle.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

/// Reads the rows of a statement on an executor of either engine.
macro_rules! fetch_cells {
    ($db:expr, $sql:expr) => {{
        let mut query = sqlx::query(sqlx::AssertSqlSafe($sql.text.as_str()));
        for value in &$sql.values {
            query = value.bind(query);
        }
        query.fetch_all($db).await.and_then(|rows| {
            rows.iter().map($crate::brand_data::ReadCells::cells).collect::<Result<Vec<_>, _>>()
        })
    }};
}

pub(super) use fetch_cells;

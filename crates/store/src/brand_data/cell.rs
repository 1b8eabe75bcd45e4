//! One value of a row, of any table and engine.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, json};
use sqlx::{
    Column, Database, Decode, Encode, Row, Type, TypeInfo, ValueRef, postgres::PgRow, query::Query,
    sqlite::SqliteRow,
};

/// The three types of the tables. A row has no cell for NULL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Text(String),
    Number(i64),
    Bytes(Vec<u8>),
}

/// In JSON, bytes are an object with this field.
const BASE64: &str = "base64";

impl Cell {
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Number(number) => json!(number),
            Self::Bytes(bytes) => json!({BASE64: BASE64_STANDARD.encode(bytes)}),
        }
    }

    /// `None`: no value of a table is like this.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => number.as_i64().map(Self::Number),
            Value::Object(fields) if fields.len() == 1 => {
                BASE64_STANDARD.decode(fields.get(BASE64)?.as_str()?).ok().map(Self::Bytes)
            }
            _ => None,
        }
    }

    pub(crate) fn bind<'q, DB>(&'q self, query: Query<'q, DB, DB::Arguments>) -> Query<'q, DB, DB::Arguments>
    where
        DB: Database,
        &'q str: Encode<'q, DB> + Type<DB>,
        i64: Encode<'q, DB> + Type<DB>,
        &'q [u8]: Encode<'q, DB> + Type<DB>,
    {
        match self {
            Self::Text(text) => query.bind(text.as_str()),
            Self::Number(number) => query.bind(*number),
            Self::Bytes(bytes) => query.bind(bytes.as_slice()),
        }
    }
}

/// A row with the names of its columns, without those that are NULL.
pub(crate) type Cells = Vec<(String, Cell)>;

pub(super) fn to_json(cells: &Cells) -> Map<String, Value> {
    cells.iter().map(|(column, cell)| (column.clone(), cell.to_json())).collect()
}

/// `None`: a field is not a value of a table.
pub(super) fn from_json(fields: &Map<String, Value>) -> Option<Cells> {
    fields.iter().map(|(column, value)| Some((column.clone(), Cell::from_json(value)?))).collect()
}

/// A row of either engine.
pub(crate) trait ReadCells {
    fn cells(&self) -> Result<Cells, sqlx::Error>;
}

impl ReadCells for SqliteRow {
    fn cells(&self) -> Result<Cells, sqlx::Error> {
        cells(self)
    }
}

impl ReadCells for PgRow {
    fn cells(&self) -> Result<Cells, sqlx::Error> {
        cells(self)
    }
}

fn cells<'r, R: Row>(row: &'r R) -> Result<Cells, sqlx::Error>
where
    String: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
    usize: sqlx::ColumnIndex<R>,
{
    let mut cells = Vec::with_capacity(row.len());
    for column in row.columns() {
        let index = column.ordinal();
        let value = row.try_get_raw(index)?;
        if value.is_null() {
            continue;
        }
        let cell = match value.type_info().name() {
            "TEXT" => Cell::Text(row.try_get(index)?),
            "INTEGER" | "INT8" => Cell::Number(row.try_get(index)?),
            "BLOB" | "BYTEA" => Cell::Bytes(row.try_get(index)?),
            other => {
                let reason = format!("the column {} has the unexpected type {other}", column.name());
                return Err(sqlx::Error::Decode(reason.into()));
            }
        };
        cells.push((column.name().to_owned(), cell));
    }
    Ok(cells)
}

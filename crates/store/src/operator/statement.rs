//! A statement whose conditions depend on what is asked for, so that each engine can choose the right index.

use sqlx_macros::FromRow;
use svc_mcp_access::StoreError;

use crate::{Store, engine::Engine};

/// A value that is bound to a statement.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    Number(i64),
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
    has_condition: bool,
}

impl Statement {
    pub(super) fn new(sql: &str) -> Self {
        Self { sql: sql.to_owned(), values: Vec::new(), has_condition: false }
    }

    /// Binds a text, and returns its place in the statement.
    pub(super) fn text(&mut self, text: &str) -> String {
        self.bind(Value::Text(text.to_owned()))
    }

    /// Binds a number, and returns its place in the statement.
    pub(super) fn number(&mut self, number: i64) -> String {
        self.bind(Value::Number(number))
    }

    fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    /// Adds a condition to those that are there.
    pub(super) fn and(&mut self, condition: &str) {
        self.sql.push_str(if self.has_condition { " AND " } else { " WHERE " });
        self.has_condition = true;
        self.sql.push_str(condition);
    }

    pub(super) fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    /// Adds the limit. One row more is read, to see whether there is a next page.
    pub(super) fn limit(&mut self, limit: u32) {
        let limit = self.number(i64::from(limit) + 1);
        self.push(&format!(" LIMIT {limit} + 0"));
    }
}

/// Reads all rows of a statement on either engine.
macro_rules! fetch_all {
    ($engine:expr, $statement:expr) => {
        $crate::engine::query!($engine, |db| {
            let mut query = sqlx::query_as(sqlx::AssertSqlSafe($statement.sql.as_str()));
            for value in &$statement.values {
                query = match value {
                    $crate::operator::statement::Value::Text(text) => query.bind(text),
                    $crate::operator::statement::Value::Number(number) => query.bind(*number),
                };
            }
            query.fetch_all(db).await
        })
    };
}

/// Runs a statement within a transaction of either engine, and returns the number of changed rows.
macro_rules! execute {
    ($tx:expr, $statement:expr) => {
        $crate::engine::within!($tx, |db| {
            let mut query = sqlx::query(sqlx::AssertSqlSafe($statement.sql.as_str()));
            for value in &$statement.values {
                query = match value {
                    $crate::operator::statement::Value::Text(text) => query.bind(text),
                    $crate::operator::statement::Value::Number(number) => query.bind(*number),
                };
            }
            query.execute(db).await.map(|done| done.rows_affected())
        })
    };
}

pub(super) use {execute, fetch_all};

/// One line of `EXPLAIN QUERY PLAN`.
#[derive(FromRow)]
struct SqliteStep {
    detail: String,
}

/// One line of `EXPLAIN`.
#[derive(FromRow)]
struct PostgresStep {
    #[sqlx(rename = "QUERY PLAN")]
    line: String,
}

impl Store {
    /// How the engine would run a statement, line by line.
    pub(super) async fn explain(&self, statement: &Statement) -> Result<Vec<String>, StoreError> {
        self.run("explain", async {
            let explained = |keyword: &str| Statement {
                sql: format!("{keyword} {}", statement.sql),
                values: statement.values.clone(),
                has_condition: true,
            };
            match &self.engine {
                Engine::Sqlite { .. } => {
                    let statement = explained("EXPLAIN QUERY PLAN");
                    let rows: Vec<SqliteStep> = fetch_all!(&self.engine, statement)?;
                    Ok(rows.into_iter().map(|row| row.detail).collect())
                }
                Engine::Postgres { .. } => {
                    let statement = explained("EXPLAIN");
                    let rows: Vec<PostgresStep> = fetch_all!(&self.engine, statement)?;
                    Ok(rows.into_iter().map(|row| row.line).collect())
                }
            }
        })
        .await
    }
}

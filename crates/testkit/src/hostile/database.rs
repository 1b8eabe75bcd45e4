//! The database of the service, read beside it.

use std::{path::PathBuf, time::Duration};

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::eventually;

const BUSY_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) enum Database {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Database {
    pub(super) async fn execute(&self, sql: &str) {
        let statements = sqlx::raw_sql(AssertSqlSafe(sql));
        match self {
            Self::Sqlite(file) => {
                let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
                let mut connection = SqliteConnection::connect_with(&options).await.expect("a connection");
                statements.execute(&mut connection).await.expect("the SQL runs");
            }
            Self::Postgres(url) => {
                let mut connection = PgConnection::connect(url).await.expect("a connection");
                statements.execute(&mut connection).await.expect("the SQL runs");
            }
        }
    }

    pub(super) async fn number(&self, sql: &str) -> u64 {
        let number: i64 = match self {
            Self::Sqlite(file) => {
                let options = SqliteConnectOptions::new().filename(file).read_only(true);
                let mut connection = eventually("a connection to SQLite", async || {
                    SqliteConnection::connect_with(&options).await.ok()
                })
                .await;
                let number = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await;
                number.expect("the SQL runs")
            }
            Self::Postgres(url) => {
                let mut connection =
                    eventually("a connection to PostgreSQL", async || PgConnection::connect(url).await.ok())
                        .await;
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.expect("the SQL runs")
            }
        };
        u64::try_from(number).expect("a count")
    }
}

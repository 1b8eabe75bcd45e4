//! Every place where the service keeps something: tables, Redis and files.

use std::{fs, path::Path, process::Command};

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::support::Sandbox;

/// A connection to the database of a sandbox, beside the service.
pub(super) enum Database {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Database {
    pub(super) async fn open(sandbox: &Sandbox) -> Self {
        if let Some(url) = sandbox.variable("SVC_DATABASE_URL") {
            return Self::Postgres(PgConnection::connect(url).await.expect("a connection to the database"));
        }
        let options = SqliteConnectOptions::new()
            .filename(sandbox.data_dir().join("svc-mcp.db"))
            .busy_timeout(crate::support::WAIT_TIMEOUT);
        let connection = SqliteConnection::connect_with(&options).await;
        Self::Sqlite(connection.expect("a connection to the database"))
    }

    pub(super) async fn execute(&mut self, sql: &str) {
        let statement = sqlx::raw_sql(AssertSqlSafe(sql));
        let done = match self {
            Self::Sqlite(connection) => statement.execute(connection).await.map(|_| ()),
            Self::Postgres(connection) => statement.execute(connection).await.map(|_| ()),
        };
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    pub(super) async fn texts(&mut self, sql: &str) -> Vec<String> {
        let query = AssertSqlSafe(sql);
        let texts = match self {
            Self::Sqlite(connection) => sqlx::query_scalar(query).fetch_all(connection).await,
            Self::Postgres(connection) => sqlx::query_scalar(query).fetch_all(connection).await,
        };
        texts.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(super) async fn number(&mut self, sql: &str) -> i64 {
        let query = AssertSqlSafe(sql);
        let number = match self {
            Self::Sqlite(connection) => sqlx::query_scalar(query).fetch_one(connection).await,
            Self::Postgres(connection) => sqlx::query_scalar(query).fetch_one(connection).await,
        };
        number.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// The tables with this word in any column, in any case. The tables and columns are read from the catalogue.
    pub(super) async fn tables_that_mention(&mut self, word: &str) -> Vec<String> {
        let tables = match self {
            Self::Sqlite(_) => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
            }
            Self::Postgres(_) => {
                "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
            }
        };
        let mut found = Vec::new();
        for table in self.texts(tables).await {
            let columns = match self {
                Self::Sqlite(_) => {
                    let sql =
                        format!("SELECT 'CAST(' || name || ' AS TEXT)' FROM pragma_table_info('{table}')");
                    self.texts(&sql).await
                }
                Self::Postgres(_) => vec!["CAST(t AS TEXT)".to_owned()],
            };
            let contains = |column: &String| format!("LOWER(COALESCE({column}, '')) LIKE '%{word}%'");
            let condition = columns.iter().map(contains).collect::<Vec<_>>().join(" OR ");
            if self.number(&format!("SELECT COUNT(*) FROM {table} t WHERE {condition}")).await > 0 {
                found.push(table);
            }
        }
        found
    }
}

/// The names and values in Redis that contain this word. Without Redis there are none.
pub(super) fn in_redis(sandbox: &Sandbox, word: &str) -> Vec<String> {
    let Some(url) = sandbox.variable("SVC_REDIS_URL") else { return Vec::new() };
    let redis = |arguments: &[&str]| {
        let output = Command::new("redis-cli").args(["-u", url, "--raw"]).args(arguments).output();
        let output = output.expect("redis-cli runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).to_lowercase()
    };
    // Names with bytes that are not text are digests of keys.
    let names = redis(&["KEYS", "*"]);
    let mut found: Vec<String> =
        names.lines().filter(|name| name.contains(word)).map(str::to_owned).collect();
    for name in names.lines() {
        let value = match redis(&["TYPE", name]).trim() {
            "string" => redis(&["GET", name]),
            "hash" => redis(&["HGETALL", name]),
            "zset" => redis(&["ZRANGE", name, "0", "-1"]),
            "list" => redis(&["LRANGE", name, "0", "-1"]),
            "set" => redis(&["SMEMBERS", name]),
            _ => String::new(),
        };
        if value.contains(word) {
            found.push(format!("{name}: {value}"));
        }
    }
    found
}

/// The files of mails that contain this word. Long lines of a mail may be broken, so line ends are removed first.
pub(super) fn in_mails(directory: &Path, word: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).to_lowercase();
        if text.replace("=\r\n", "").contains(word) {
            found.push(path.display().to_string());
        }
    }
    found
}

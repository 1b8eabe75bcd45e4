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
                "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace \
                 AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
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

/// Finds a word in every name and value.
const SEARCH_REDIS: &str = "
    local found = {}
    for _, name in ipairs(redis.call('KEYS', '*')) do
        local kind = redis.call('TYPE', name).ok
        local values = {}
        if kind == 'string' then values = {redis.call('GET', name)} end
        if kind == 'hash' then values = redis.call('HGETALL', name) end
        if kind == 'zset' then values = redis.call('ZRANGE', name, 0, -1) end
        if kind == 'list' then values = redis.call('LRANGE', name, 0, -1) end
        if kind == 'set' then values = redis.call('SMEMBERS', name) end
        local text = name .. ' ' .. table.concat(values, ' ')
        if string.find(string.lower(text), ARGV[1], 1, true) then found[#found + 1] = name end
    end
    return found";

/// The names in Redis that contain this word, or whose values do. Without Redis there are none.
pub(super) fn in_redis(sandbox: &Sandbox, word: &str) -> Vec<String> {
    let Some(url) = sandbox.variable("SVC_REDIS_URL") else { return Vec::new() };
    let output =
        Command::new("redis-cli").args(["-u", url, "--raw", "EVAL", SEARCH_REDIS, "0", word]).output();
    let output = output.expect("redis-cli runs");
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !names.starts_with("ERR"), "{output:?}");
    names.lines().filter(|name| !name.is_empty()).map(str::to_owned).collect()
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

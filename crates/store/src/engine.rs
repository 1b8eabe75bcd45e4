//! The two database engines, SQLite and PostgreSQL, which run the same SQL.
//!
//! Each connection keeps its prepared statements. A statement with a varying number of rows is run with `persistent(false)`:
//! otherwise its variants would use megabytes and replace the statements that every request needs.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sqlx::{
    Connection, PgConnection, PgPool, SqliteConnection, SqlitePool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use svc_mcp_access::BrandId;
use svc_mcp_tools::private_files;

use crate::{
    OpenError, partitions, pending_restore::complete_restore, sqlite_writers::SqliteWriters,
    version_poller::VersionPoller, write_generations::WriteGenerations,
};

/// How long a request may wait for a connection or for SQLite's write lock. Shorter than the timeout of the whole query, so
/// that the error names the cause. A slow disk may take a second for each of several commits.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);
const SQLITE_READERS: u32 = 4;
/// How many requests may use SQLite or wait for one of its connections. Its queries are short.
const SQLITE_CONCURRENCY: usize = 64;
/// A connection that was used within this time is not tested before its next use.
const UNTESTED_IDLE: Duration = Duration::from_secs(1);
/// How long a connection may take to answer a ping when it is returned to the pool.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a start may wait for the writers of other processes.
const START_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug, Clone)]
pub(crate) enum Engine {
    Sqlite { writers: SqliteWriters, readers: SqlitePool, writes: Arc<WriteGenerations> },
    Postgres { pool: PgPool, writes: Arc<WriteGenerations> },
}

impl Engine {
    pub(crate) async fn sqlite(file: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A confirmed create or revoke must survive a power failure, so every commit is synced.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(ACQUIRE_TIMEOUT);
        // Two processes that switch to write-ahead logging or migrate at the same time can block each other for ever.
        // PostgreSQL has a lock for this. Here the folder is locked.
        let folder_lock = lock_folder(file.parent().unwrap_or(file)).await.map_err(sqlx::Error::Io)?;
        complete_restore(file).map_err(sqlx::Error::Io)?;
        restrict_files(file).map_err(sqlx::Error::Io)?;
        let start_options = options.clone().busy_timeout(START_TIMEOUT);
        let mut connection = SqliteConnection::connect_with(&start_options).await?;
        // All migrations run in one transaction that takes the write lock first, because another process may write.
        let mut tables = connection.begin_with("BEGIN IMMEDIATE").await?;
        ignore_newer(sqlite_migrations()).run_direct(None, &mut *tables, false).await?;
        tables.commit().await?;
        connection.close().await?;
        drop(folder_lock);

        let pool = |connections| {
            let pool = SqlitePoolOptions::new().acquire_timeout(ACQUIRE_TIMEOUT).max_connections(connections);
            // Without these two the pool starts no maintenance task. On a busy machine, the task of sqlx 0.9.0 can loop
            // for ever over a count of idle connections that changes meanwhile.
            let pool = pool.idle_timeout(None).max_lifetime(None);
            // A file cannot disconnect, so a test before each use would only cost time.
            pool.test_before_acquire(false)
        };
        Ok(Self::Sqlite {
            writers: SqliteWriters::new(&pool(1), options.clone()),
            readers: pool(SQLITE_READERS).connect_lazy_with(options),
            writes: Arc::default(),
        })
    }

    pub(crate) async fn postgres(url: &str, connections: u32) -> Result<Self, OpenError> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("svc-mcp").options([
            // Shorter than our own timeout, so that a lock ends the statement and not the connection.
            ("statement_timeout", "4s"),
            // An instance that hangs in a transaction must not keep its locks.
            ("idle_in_transaction_session_timeout", "5s"),
        ]);
        // Migrations may take longer than a request: a table may be large, or another process may migrate it now. A single
        // connection is used, because its error says why it failed; a pool would only time out.
        let start_options = options
            .clone()
            .options([("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")]);
        let mut connection = PgConnection::connect_with(&start_options).await?;
        ignore_newer(sqlx_macros::migrate!("migrations/postgres"))
            .run_direct(None, &mut connection, false)
            .await?;
        partitions::add_at_start(&mut connection).await?;
        connection.close().await?;

        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
        // No maintenance task, as above.
        let pool = pool.idle_timeout(None).max_lifetime(None);
        // A connection that was idle for a while is tested before its next use.
        let pool = pool.test_before_acquire(false).before_acquire(|connection, about| {
            Box::pin(async move {
                if about.idle_for > UNTESTED_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
        // A connection whose server has vanished is detected when it is returned. Without this limit the pool would wait
        // for the operating system's timeout, which is 15 minutes.
        let pool = pool.after_release(|connection, _| {
            Box::pin(async move {
                let pong = tokio::time::timeout(PING_TIMEOUT, connection.ping()).await;
                pong.map_err(|_| sqlx::Error::PoolTimedOut)?.map(|()| true)
            })
        });
        Ok(Self::Postgres { pool: pool.connect_lazy_with(options), writes: Arc::default() })
    }

    pub(crate) fn version_poller(&self) -> VersionPoller {
        match self {
            Self::Sqlite { readers, .. } => VersionPoller::Sqlite(readers.clone()),
            Self::Postgres { pool, .. } => VersionPoller::postgres(pool.clone()),
        }
    }

    /// How many requests may use the database at the same time.
    pub(crate) fn max_concurrency(&self) -> usize {
        match self {
            Self::Sqlite { .. } => SQLITE_CONCURRENCY,
            Self::Postgres { pool, .. } => pool.options().get_max_connections() as usize,
        }
    }

    /// Increases with every write transaction of this process that may concern the brand.
    pub(crate) fn write_generation(&self, brand: &BrandId) -> u64 {
        let (Self::Sqlite { writes, .. } | Self::Postgres { writes, .. }) = self;
        writes.of(brand)
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { writers, readers, .. } => {
                readers.close().await;
                writers.close().await;
            }
            Self::Postgres { pool, .. } => pool.close().await,
        }
    }
}

fn sqlite_migrations() -> Migrator {
    sqlx_macros::migrate!("migrations/sqlite")
}

/// The number of the last migration that this program has.
pub(crate) fn last_sqlite_migration() -> i64 {
    sqlite_migrations().iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// During an upgrade a newer version may have migrated already. Its migrations only add, so unknown ones are ignored.
fn ignore_newer(mut migrations: Migrator) -> Migrator {
    migrations.set_ignore_missing(true);
    migrations
}

/// Waits until no other process has locked the folder. The lock ends when the file is dropped or the process ends.
pub(crate) async fn lock_folder(folder: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() };
    let lock = move || {
        let file = File::open(&folder)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                tracing::info!(folder = %folder.display(), "another process is opening the database: waiting for it");
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(file)
    };
    tokio::task::spawn_blocking(lock).await.map_err(io::Error::other)?
}

/// Restricts the database to its owner. SQLite gives the files beside it the mode of the database, but only when it
/// creates them.
fn restrict_files(database: &Path) -> io::Result<()> {
    if !database.exists() {
        return private_files::open(database).map(|_| ());
    }
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut path = OsString::from(database);
        path.push(suffix);
        if let Err(error) = private_files::restrict(Path::new(&path)) {
            tracing::warn!(file = %path.display(), %error, "cannot restrict a file to its owner");
        }
    }
    Ok(())
}

/// Runs one query on either engine: `query!(engine, |db| sqlx::query(…).fetch_all(db).await)`.
/// The body is compiled for each engine, with different types and the same SQL.
macro_rules! query {
    ($engine:expr, |$db:ident| $body:expr) => {
        match $engine {
            $crate::engine::Engine::Sqlite { readers: $db, .. } => $body,
            $crate::engine::Engine::Postgres { pool: $db, .. } => $body,
        }
    };
}

/// Runs a transaction on either engine. Leaving the body with `?` or `return` rolls it back. Frequent transactions say which
/// brand they concern (`transaction!(engine, WriteScope::Brand(brand), |tx| { … })`), so that they leave the cached counts of
/// other brands valid.
macro_rules! transaction {
    ($engine:expr, |$tx:ident| $body:block) => {
        $crate::engine::transaction!($engine, $crate::write_generations::WriteScope::AllBrands, |$tx| $body)
    };
    ($engine:expr, $scope:expr, |$tx:ident| $body:block) => {
        match $engine {
            $crate::engine::Engine::Sqlite { writers, writes, .. } => {
                let (_turn, mut $tx) = writers.begin($scope).await?;
                let value = $body;
                let committed = $tx.commit().await;
                writes.count($scope);
                committed?;
                Ok(value)
            }
            $crate::engine::Engine::Postgres { pool, writes } => {
                let mut $tx = pool.begin().await?;
                let value = $body;
                let committed = $tx.commit().await;
                writes.count($scope);
                committed?;
                Ok(value)
            }
        }
    };
}

/// An open transaction of either engine.
pub(crate) enum Tx<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl<'c> From<&'c mut SqliteConnection> for Tx<'c> {
    fn from(connection: &'c mut SqliteConnection) -> Self {
        Self::Sqlite(connection)
    }
}

impl<'c> From<&'c mut PgConnection> for Tx<'c> {
    fn from(connection: &'c mut PgConnection) -> Self {
        Self::Postgres(connection)
    }
}

/// Runs one statement within a transaction of either engine: `within!(tx, |db| sqlx::query(…).execute(db).await)`.
macro_rules! within {
    ($tx:expr, |$db:ident| $body:expr) => {
        match $tx {
            $crate::engine::Tx::Sqlite(connection) => {
                let $db = &mut **connection;
                $body
            }
            $crate::engine::Tx::Postgres(connection) => {
                let $db = &mut **connection;
                $body
            }
        }
    };
}

pub(crate) use {query, transaction, within};

#[cfg(test)]
mod tests {
    use super::*;

    /// With a shared page cache, a large write would evict the pages of the readers.
    #[tokio::test]
    async fn every_sqlite_connection_has_its_own_page_cache() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.expect("SQLite opens");
        let options: Vec<String> =
            sqlx::query_scalar("PRAGMA compile_options").fetch_all(&mut connection).await.expect("a list");
        assert!(options.iter().any(|option| option == "DEFAULT_MEMSTATUS=0"), "{options:?}");
        let is_shared = options.iter().any(|option| option == "ENABLE_MEMORY_MANAGEMENT");
        assert!(!is_shared, "built without .cargo/config.toml");
    }
}

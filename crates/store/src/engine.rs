//! The two engines behind one SQL text: SQLite in the data directory, or PostgreSQL.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{
    Connection, PgConnection, PgPool, SqliteConnection, SqlitePool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{OpenError, watch::Watch};

/// How long a request may wait for a connection before it is told that the store is unavailable.
const PATIENCE: Duration = Duration::from_secs(2);
const SQLITE_READERS: u32 = 4;
/// How many may be at SQLite or before one of its connections: each takes next to no time.
const SQLITE_PLACES: usize = 64;
/// A connection that was in use so recently is there still.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);
/// How long a connection that is given back may take to show that it still works.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// How long a start may wait for the writers of the processes that run already.
const PATIENCE_OF_A_START: Duration = Duration::from_mins(1);

#[derive(Debug, Clone)]
pub(crate) enum Engine {
    Sqlite {
        /// One connection: SQLite has one writer at a time anyway, and queueing here is fair and quick.
        writer: SqlitePool,
        readers: SqlitePool,
    },
    Postgres(PgPool),
}

impl Engine {
    pub(crate) async fn sqlite(file: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged create or revoke must survive a power cut, so each commit is synced.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        // Two processes that turn to write-ahead logging, or bring the tables up to date, at once would meet each
        // other's locks in ways that no waiting resolves. PostgreSQL has a lock for this; here the folder is it.
        let alone = alone_in(file.parent().unwrap_or(file)).await.map_err(sqlx::Error::Io)?;
        let patient = options.clone().busy_timeout(PATIENCE_OF_A_START);
        let mut connection = SqliteConnection::connect_with(&patient).await?;
        // All of them in one transaction that begins as a writer: one that runs already may write meanwhile.
        let mut tables = connection.begin_with("BEGIN IMMEDIATE").await?;
        known_migrations(sqlx::migrate!("migrations/sqlite")).run_direct(None, &mut *tables, false).await?;
        tables.commit().await?;
        connection.close().await?;
        drop(alone);

        let pool = |connections| {
            let pool = SqlitePoolOptions::new().acquire_timeout(PATIENCE).max_connections(connections);
            // Without these the pool has no upkeep task. That one counts idle connections, and where it reads the
            // count in the middle of a change it can count for ever (seen in sqlx 0.9.0, on a busy machine).
            let pool = pool.idle_timeout(None).max_lifetime(None);
            // A file does not hang up: asking before each use whether it is there would only cost a trip to its thread.
            pool.test_before_acquire(false).connect_lazy_with(options.clone())
        };
        Ok(Self::Sqlite { writer: pool(1), readers: pool(SQLITE_READERS) })
    }

    pub(crate) async fn postgres(url: &str, connections: u32) -> Result<Self, OpenError> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("svc-mcp").options([
            // The server gives up before we do, so that a lock costs the statements that met it and no connection.
            ("statement_timeout", "4s"),
            // An instance that stands still in the middle of a transaction must not hold its locks.
            ("idle_in_transaction_session_timeout", "5s"),
        ]);
        // What bounds a request does not bound this: a large table takes its time, and so does waiting for another
        // process that is at it. And a pool would only say that it waited in vain; a connection says why.
        let patient = options
            .clone()
            .options([("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")]);
        let mut connection = PgConnection::connect_with(&patient).await?;
        known_migrations(sqlx::migrate!("migrations/postgres"))
            .run_direct(None, &mut connection, false)
            .await?;
        connection.close().await?;

        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE);
        // As above.
        let pool = pool.idle_timeout(None).max_lifetime(None);
        // One that was cut while nobody used it is noticed when it is taken; one that was in use just now is not asked.
        let pool = pool.test_before_acquire(false).before_acquire(|connection, about| {
            Box::pin(async move {
                if about.idle_for > TRUSTED_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
        // One whose other end has vanished without a word is noticed when it is given back: the pool itself would
        // wait for it until the operating system gives up, a quarter of an hour later.
        let pool = pool.after_release(|connection, _| {
            Box::pin(async move {
                let alive = tokio::time::timeout(SIGN_OF_LIFE, connection.ping()).await;
                alive.map_err(|_| sqlx::Error::PoolTimedOut)?.map(|()| true)
            })
        });
        Ok(Self::Postgres(pool.connect_lazy_with(options)))
    }

    pub(crate) fn watch(&self) -> Watch {
        match self {
            Self::Sqlite { readers, .. } => Watch::Sqlite(readers.clone()),
            Self::Postgres(pool) => Watch::postgres(pool.clone()),
        }
    }

    /// How many uses at a time make sense.
    pub(crate) fn places(&self) -> usize {
        match self {
            Self::Sqlite { .. } => SQLITE_PLACES,
            Self::Postgres(pool) => pool.options().get_max_connections() as usize,
        }
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// Migrations that we do not know are those of a newer version, which has begun to replace us. They only add.
fn known_migrations(mut migrations: Migrator) -> Migrator {
    migrations.set_ignore_missing(true);
    migrations
}

/// Waits until no other process holds the folder. The lock goes with the file, and with the process.
async fn alone_in(folder: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() };
    let lock = move || {
        let held = File::open(&folder)?;
        match held.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                tracing::info!(folder = %folder.display(), "another process is opening the database: waiting for it");
                held.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(held)
    };
    tokio::task::spawn_blocking(lock).await.map_err(io::Error::other)?
}

/// Runs one query on either engine: `query!(engine, |db| sqlx::query(…).fetch_all(db).await)`.
/// The body is compiled once for each engine, so its types may differ and its text does not.
macro_rules! query {
    ($engine:expr, |$db:ident| $body:expr) => {
        match $engine {
            $crate::engine::Engine::Sqlite { readers: $db, .. } => $body,
            $crate::engine::Engine::Postgres($db) => $body,
        }
    };
}

/// Runs a transaction on either engine. `?` inside the body leaves it, and rolls back.
macro_rules! transaction {
    ($engine:expr, |$tx:ident| $body:block) => {
        match $engine {
            $crate::engine::Engine::Sqlite { writer, .. } => {
                // Taking the write lock at the start: a transaction that began as a reader cannot wait for it.
                let mut $tx = writer.begin_with("BEGIN IMMEDIATE").await?;
                let value = $body;
                $tx.commit().await?;
                Ok(value)
            }
            $crate::engine::Engine::Postgres(pool) => {
                let mut $tx = pool.begin().await?;
                let value = $body;
                $tx.commit().await?;
                Ok(value)
            }
        }
    };
}

/// A transaction that is under way, for what several files do within one.
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

    /// With one cache for all, a large batch of the writer leaves the readers without any.
    #[tokio::test]
    async fn sqlite_is_compiled_with_a_cache_for_each_connection() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.expect("SQLite opens");
        let options: Vec<String> =
            sqlx::query_scalar("PRAGMA compile_options").fetch_all(&mut connection).await.expect("a list");
        assert!(options.iter().any(|option| option == "DEFAULT_MEMSTATUS=0"), "{options:?}");
        let is_shared = options.iter().any(|option| option == "ENABLE_MEMORY_MANAGEMENT");
        assert!(!is_shared, "built without .cargo/config.toml");
    }
}

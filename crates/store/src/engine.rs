//! The two engines behind one SQL text: SQLite in the data directory, or PostgreSQL.

use std::{path::Path, time::Duration};

use sqlx::{
    Connection, PgConnection, PgPool, SqliteConnection, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::watch::Watch;

/// How long a request may wait for a connection before it is told that the store is unavailable.
const PATIENCE: Duration = Duration::from_secs(2);
const SQLITE_READERS: u32 = 4;
/// How many may be at SQLite or before one of its connections: each takes next to no time.
const SQLITE_PLACES: usize = 64;
/// A connection that was in use so recently is there still.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);
/// How long a connection that is given back may take to show that it still works.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// How often the tables are tried to be brought up to date before an error counts.
const TRIES: u64 = 8;

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
    pub(crate) async fn sqlite(file: &Path) -> Result<Self, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged create or revoke must survive a power cut, so each commit is synced.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let pool = || {
            let pool = SqlitePoolOptions::new().acquire_timeout(PATIENCE);
            // Without these the pool has no upkeep task. That one counts idle connections, and where it reads the
            // count in the middle of a change it can count for ever (seen in sqlx 0.9.0, on a busy machine).
            pool.idle_timeout(None).max_lifetime(None)
        };
        let writer = pool().max_connections(1).connect_with(options.clone()).await?;
        let readers = pool().max_connections(SQLITE_READERS).connect_lazy_with(options);
        Ok(Self::Sqlite { writer, readers })
    }

    pub(crate) async fn postgres(url: &str, connections: u32) -> Result<Self, sqlx::Error> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("svc-mcp").options([
            // The server gives up before we do, so that a lock costs the statements that met it and no connection.
            ("statement_timeout", "4s"),
            // An instance that stands still in the middle of a transaction must not hold its locks.
            ("idle_in_transaction_session_timeout", "5s"),
        ]);
        // A pool would only say that it waited in vain; a connection says why.
        PgConnection::connect_with(&options).await?.close().await?;
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

    pub(crate) async fn migrate(&self) -> Result<(), sqlx::migrate::MigrateError> {
        // Migrations that we do not know are those of a newer version, which has begun to replace us. They only add.
        match self {
            Self::Sqlite { writer, .. } => {
                // Two processes that start at once may both begin. One of them fails, and finds the work done when it
                // looks again; PostgreSQL has a lock for this.
                let mut tried = 0;
                let mut migrations = sqlx::migrate!("migrations/sqlite");
                migrations.set_ignore_missing(true);
                loop {
                    let done = migrations.run(writer).await;
                    if done.is_ok() || tried == TRIES {
                        return done;
                    }
                    tried += 1;
                    tokio::time::sleep(Duration::from_millis(50 * tried)).await;
                }
            }
            Self::Postgres(pool) => {
                // What bounds a request does not bound this: a large table takes its time, and so does waiting for
                // another process that is at it.
                let options = PgConnectOptions::clone(&pool.connect_options())
                    .options([("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")]);
                let patient = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
                let mut migrations = sqlx::migrate!("migrations/postgres");
                let done = migrations.set_ignore_missing(true).run(&patient).await;
                patient.close().await;
                done
            }
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

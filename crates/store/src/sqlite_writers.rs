//! The connections that write to SQLite: one for requests and jobs, and one for the uses of keys, whose thread has a low priority.
//!
//! Requests of a busy service do not wait for the writing of uses on the same core. Measured on one core at half of its maximum
//! load, the median p99 of the list of tools was 2.3 ms instead of 15.8.

use std::sync::Arc;

use sqlx::{
    Sqlite, SqlitePool, Transaction,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use svc_mcp_tools::low_priority::lower_priority;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::timeout,
};

use crate::write_generations::WriteScope;

/// The thread of the connection that writes uses.
const USES_THREAD: &str = "svc-mcp-uses";
/// How many steps of a statement SQLite runs before it calls the progress handler. The handler is the only code of ours that runs
/// on the thread of a connection, so it lowers the priority of that thread.
const STEPS_OF_PROGRESS: i32 = 100;

#[derive(Debug, Clone)]
pub(crate) struct SqliteWriters {
    requests: SqlitePool,
    uses: SqlitePool,
    /// SQLite has one writer at a time. Waiting for the turn here is fair and fast. SQLite itself would poll.
    turn: Arc<Mutex<()>>,
}

impl SqliteWriters {
    /// `pool_options`: for pools of one connection.
    pub(crate) fn new(pool_options: &SqlitePoolOptions, options: SqliteConnectOptions) -> Self {
        let requests = pool_options.clone().connect_lazy_with(options.clone());
        let uses = pool_options.clone().after_connect(|connection, _| {
            Box::pin(async move {
                let keep_going = || {
                    lower_priority();
                    true
                };
                connection.lock_handle().await?.set_progress_handler(STEPS_OF_PROGRESS, keep_going);
                Ok(())
            })
        });
        let uses = uses.connect_lazy_with(options.thread_name(|_| USES_THREAD.to_owned()));
        Self { requests, uses, turn: Arc::default() }
    }

    /// The connection of requests and jobs.
    pub(crate) fn requests(&self) -> &SqlitePool {
        &self.requests
    }

    /// Begins a transaction, and takes the turn that it needs until its end.
    pub(crate) async fn begin(
        &self,
        scope: WriteScope<'_>,
    ) -> Result<(MutexGuard<'_, ()>, Transaction<'static, Sqlite>), sqlx::Error> {
        let max_wait = self.requests.options().get_acquire_timeout();
        let turn = timeout(max_wait, self.turn.lock()).await;
        let turn = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let pool = match scope {
            WriteScope::Uses => &self.uses,
            WriteScope::AllBrands | WriteScope::Brand(_) | WriteScope::NoBrand => &self.requests,
        };
        // The write lock is taken first: a transaction that starts as a reader cannot wait for it later.
        Ok((turn, pool.begin_with("BEGIN IMMEDIATE").await?))
    }

    pub(crate) async fn close(&self) {
        self.uses.close().await;
        self.requests.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writers(folder: &tempfile::TempDir) -> SqliteWriters {
        let options =
            SqliteConnectOptions::new().filename(folder.path().join("test.db")).create_if_missing(true);
        SqliteWriters::new(&SqlitePoolOptions::new().max_connections(1), options)
    }

    async fn write(writers: &SqliteWriters, scope: WriteScope<'_>) {
        let (_turn, mut tx) = writers.begin(scope).await.expect("the database is free");
        for sql in ["CREATE TABLE IF NOT EXISTS numbers (number)", "INSERT INTO numbers VALUES (1)"] {
            sqlx::query(sql).execute(&mut *tx).await.expect("it writes");
        }
        // Enough steps to call the progress handler.
        let count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT COUNT(*) FROM n";
        sqlx::query(count).execute(&mut *tx).await.expect("it counts");
        tx.commit().await.expect("it commits");
    }

    #[tokio::test]
    async fn requests_and_uses_are_written_in_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let writers = writers(&folder);
        write(&writers, WriteScope::AllBrands).await;
        let tasks = (0..40).map(|number| {
            let writers = writers.clone();
            tokio::spawn(async move {
                write(&writers, if number % 2 == 0 { WriteScope::AllBrands } else { WriteScope::Uses }).await;
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.expect("each gets its turn");
        }
        let count = sqlx::query_scalar("SELECT COUNT(*) FROM numbers");
        let written: i64 = count.fetch_one(writers.requests()).await.expect("a number");
        assert_eq!(written, 41);
    }

    #[tokio::test]
    async fn transaction_that_is_dropped_ends_its_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let writers = writers(&folder);
        for scope in [WriteScope::Uses, WriteScope::AllBrands, WriteScope::Uses] {
            drop(writers.begin(scope).await.expect("the database is free"));
        }
        write(&writers, WriteScope::AllBrands).await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_the_thread_that_writes_uses_has_a_low_priority() {
        /// The name and the niceness of a thread.
        fn read(stat: &std::path::Path) -> Option<(String, i32)> {
            let stat = std::fs::read_to_string(stat).ok()?;
            let (start, rest) = stat.rsplit_once(')')?;
            let (_, name) = start.split_once('(')?;
            Some((name.to_owned(), rest.split_whitespace().nth(16)?.parse().ok()?))
        }
        let folder = tempfile::tempdir().expect("a folder");
        let writers = writers(&folder);
        for scope in [WriteScope::AllBrands, WriteScope::Uses] {
            write(&writers, scope).await;
        }
        let (_, usual) = read("/proc/self/stat".as_ref()).expect("the main thread");
        let threads = std::fs::read_dir("/proc/self/task").expect("the threads").flatten();
        let (of_uses, others): (Vec<_>, Vec<_>) = threads
            .filter_map(|thread| read(&thread.path().join("stat")))
            .filter(|(name, _)| name == USES_THREAD || name.starts_with("sqlx-sqlite"))
            .partition(|(name, _)| name == USES_THREAD);
        // Threads of other tests may not have run a statement yet.
        assert!(of_uses.iter().any(|(_, niceness)| *niceness > usual), "{of_uses:?}");
        assert!(!others.is_empty() && others.iter().all(|(_, niceness)| *niceness == usual), "{others:?}");
    }
}

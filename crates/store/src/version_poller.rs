//! Reads the access version, which also shows whether the database answers.
//!
//! With PostgreSQL it uses a connection of its own, outside the pool: a busy pool is then not mistaken for a database that
//! does not answer, and cached keys are served while other queries wait.

use sqlx::{Connection, PgConnection, PgPool, SqlitePool};
use tokio::sync::Mutex;

#[derive(Debug)]
pub(crate) enum VersionPoller {
    Sqlite(SqlitePool),
    Postgres {
        /// Gives the connection options, and shows when the store is closed.
        pool: PgPool,
        connection: Mutex<Option<PgConnection>>,
    },
}

const VERSION: &str = "SELECT version FROM access_version WHERE only_row = 1";

impl VersionPoller {
    pub(crate) fn postgres(pool: PgPool) -> Self {
        Self::Postgres { pool, connection: Mutex::default() }
    }

    /// The counter that every change of access moves.
    pub(crate) async fn access_version(&self) -> Result<i64, sqlx::Error> {
        match self {
            Self::Sqlite(readers) => sqlx::query_scalar(VERSION).fetch_one(readers).await,
            Self::Postgres { pool, .. } if pool.is_closed() => Err(sqlx::Error::PoolClosed),
            Self::Postgres { pool, connection } => {
                let mut slot = connection.lock().await;
                // Taken out of the slot, so that a connection is not used again after a timeout.
                if let Some(mut open) = slot.take()
                    && let Ok(version) = sqlx::query_scalar(VERSION).fetch_one(&mut open).await
                {
                    *slot = Some(open);
                    return Ok(version);
                }
                // There is no connection, or it was closed. Only a failed new connection means that the database is away.
                let mut fresh = PgConnection::connect_with(&pool.connect_options()).await?;
                let version = sqlx::query_scalar(VERSION).fetch_one(&mut fresh).await?;
                *slot = Some(fresh);
                Ok(version)
            }
        }
    }

    pub(crate) async fn close(&self) {
        if let Self::Postgres { connection, .. } = self
            && let Some(connection) = connection.lock().await.take()
        {
            let _ = connection.close().await;
        }
    }
}

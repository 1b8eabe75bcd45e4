//! Looking whether somebody has changed who may do what, and whether the store answers at all.
//!
//! With PostgreSQL over a connection of its own: no queue stands before it, so that much to do is not taken for a store
//! that is away, and a key that is known is served while others wait.

use sqlx::{Connection, PgConnection, PgPool, SqlitePool};
use tokio::sync::Mutex;

#[derive(Debug)]
pub(crate) enum Watch {
    Sqlite(SqlitePool),
    Postgres {
        /// Only to connect in the same way, and to end with it.
        pool: PgPool,
        connection: Mutex<Option<PgConnection>>,
    },
}

const VERSION: &str = "SELECT version FROM access_version WHERE only_row = 1";

impl Watch {
    pub(crate) fn postgres(pool: PgPool) -> Self {
        Self::Postgres { pool, connection: Mutex::default() }
    }

    /// The number that moves on with every change of access.
    pub(crate) async fn access_version(&self) -> Result<i64, sqlx::Error> {
        match self {
            Self::Sqlite(readers) => sqlx::query_scalar(VERSION).fetch_one(readers).await,
            Self::Postgres { pool, .. } if pool.is_closed() => Err(sqlx::Error::PoolClosed),
            Self::Postgres { pool, connection } => {
                let mut kept = connection.lock().await;
                // Taken out, so that one whose answer never came is not asked again.
                if let Some(mut known) = kept.take()
                    && let Ok(version) = sqlx::query_scalar(VERSION).fetch_one(&mut known).await
                {
                    *kept = Some(known);
                    return Ok(version);
                }
                // There was none, or it was cut: that alone does not mean that the store is away.
                let mut fresh = PgConnection::connect_with(&pool.connect_options()).await?;
                let version = sqlx::query_scalar(VERSION).fetch_one(&mut fresh).await?;
                *kept = Some(fresh);
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

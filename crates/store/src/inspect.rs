//! Looks at a database without changing it.

use std::path::Path;

use sqlx::{
    Connection, PgConnection, SqliteConnection, migrate::Migrator, postgres::PgConnectOptions,
    sqlite::SqliteConnectOptions,
};

use crate::{Location, OpenError};

/// What a database needs before the service can use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseState {
    /// There is no SQLite file yet.
    Missing,
    /// It has no tables of the service yet.
    Empty,
    /// `serve` and `migrate` add what these migrations need.
    Outdated {
        missing: usize,
    },
    Current,
}

const APPLIED: &str = "SELECT version FROM _sqlx_migrations";
/// PostgreSQL's code for a table that does not exist.
const UNDEFINED_TABLE: &str = "42P01";

/// Connects to the database and compares its tables with those of this version.
pub async fn inspect_database(location: &Location) -> Result<DatabaseState, OpenError> {
    match location {
        Location::Sqlite { file } if !file.exists() => Ok(DatabaseState::Missing),
        Location::Sqlite { file } => inspect_sqlite(file).await,
        Location::Postgres { url, .. } => inspect_postgres(url.expose()).await,
    }
}

async fn inspect_sqlite(file: &Path) -> Result<DatabaseState, OpenError> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let applied = sqlx::query_scalar(APPLIED).fetch_all(&mut connection).await;
    connection.close().await?;
    state(applied, &sqlx_macros::migrate!("migrations/sqlite"))
}

async fn inspect_postgres(url: &str) -> Result<DatabaseState, OpenError> {
    let options: PgConnectOptions = url.parse()?;
    let mut connection = PgConnection::connect_with(&options.application_name("svc-mcp")).await?;
    let applied = sqlx::query_scalar(APPLIED).fetch_all(&mut connection).await;
    connection.close().await?;
    state(applied, &sqlx_macros::migrate!("migrations/postgres"))
}

fn state(applied: Result<Vec<i64>, sqlx::Error>, migrations: &Migrator) -> Result<DatabaseState, OpenError> {
    let applied = match applied {
        Ok(applied) => applied,
        Err(sqlx::Error::Database(error))
            if error.code().as_deref() == Some(UNDEFINED_TABLE)
                || error.message().contains("no such table") =>
        {
            return Ok(DatabaseState::Empty);
        }
        Err(error) => return Err(error.into()),
    };
    let missing = migrations.iter().filter(|migration| !applied.contains(&migration.version)).count();
    Ok(if missing == 0 { DatabaseState::Current } else { DatabaseState::Outdated { missing } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[tokio::test]
    async fn database_is_inspected_without_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::Sqlite { file: dir.path().join("svc-mcp.db") };
        assert_eq!(inspect_database(&location).await.unwrap(), DatabaseState::Missing);
        assert!(!dir.path().join("svc-mcp.db").exists());
        std::fs::write(dir.path().join("svc-mcp.db"), "").unwrap();
        assert_eq!(inspect_database(&location).await.unwrap(), DatabaseState::Empty);
        Store::open(&location, None).await.unwrap().close().await;
        assert_eq!(inspect_database(&location).await.unwrap(), DatabaseState::Current);
        std::fs::write(dir.path().join("other.db"), "this is not a database, but a text of some length")
            .unwrap();
        let location = Location::Sqlite { file: dir.path().join("other.db") };
        assert!(inspect_database(&location).await.is_err());
    }
}

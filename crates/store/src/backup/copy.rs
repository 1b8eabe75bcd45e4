//! The SQL of a backup: the copy of a database that is in use, and what is checked in it.

use std::{collections::BTreeMap, path::Path, time::Duration};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::BackupError;

/// How long the copy waits for another process, such as one that repairs the database after a crash.
const BUSY_TIMEOUT: Duration = Duration::from_mins(1);

/// What is in a database.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) schema: i64,
    /// The number of rows of each table.
    pub(super) tables: BTreeMap<String, i64>,
}

/// Copies the database into an empty file. It reads one snapshot, so writers never wait for it, however long it takes. Until it ends,
/// the write-ahead log grows.
pub(super) async fn copy_database(database: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |error| BackupError::Sql(database.to_owned(), error);
    // An absolute path is never taken for a URI.
    let target = std::path::absolute(to).map_err(|error| BackupError::File(to.to_owned(), error))?;
    let Some(target) = target.to_str() else {
        let error = sqlx::Error::Configuration("the path of the backup is not UTF-8".into());
        return Err(failed(error));
    };
    // Read-only: it migrates nothing, also if the service that runs is older than this program.
    let options = SqliteConnectOptions::new().filename(database).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    sqlx::query("VACUUM INTO $1").bind(target).execute(&mut connection).await.map_err(failed)?;
    connection.close().await.map_err(failed)
}

/// Checks every page of a database that nobody changes, and counts its rows.
pub(super) async fn inspect(database: &Path) -> Result<Contents, BackupError> {
    // Immutable: nothing is created beside the file.
    let options = SqliteConnectOptions::new().filename(database).read_only(true).immutable(true);
    let failed = |error: sqlx::Error| match &error {
        // CORRUPT and NOTADB
        sqlx::Error::Database(cause) if matches!(cause.code().as_deref(), Some("11" | "26")) => {
            BackupError::Damaged { file: database.to_owned(), fault: cause.message().to_owned() }
        }
        _ => BackupError::Sql(database.to_owned(), error),
    };
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    let faults: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_all(&mut connection).await.map_err(failed)?;
    if faults != ["ok"] {
        return Err(BackupError::Damaged { file: database.to_owned(), fault: faults.join(", ") });
    }
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let names: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut connection).await.map_err(failed)?;
    if !["_sqlx_migrations", "keys", "jobs"].iter().all(|table| names.iter().any(|name| name == table)) {
        return Err(BackupError::OtherDatabase(database.to_owned()));
    }
    let sql = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations WHERE success";
    let schema: i64 = sqlx::query_scalar(sql).fetch_one(&mut connection).await.map_err(failed)?;
    let mut tables = BTreeMap::new();
    for name in names {
        let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{}\"", name.replace('"', "\"\"")));
        let rows: i64 = sqlx::query_scalar(sql).fetch_one(&mut connection).await.map_err(failed)?;
        tables.insert(name, rows);
    }
    connection.close().await.map_err(failed)?;
    Ok(Contents { schema, tables })
}

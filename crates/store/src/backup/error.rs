use std::{io, path::PathBuf};

use crate::{LockError, OpenError};

/// Why there is no backup, or nothing is restored. The messages are for the operator.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("cannot use {}", .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error("{} is not an empty directory: choose a new one for each backup", .0.display())]
    NotEmpty(PathBuf),
    #[error("the directory {} does not exist: create it first, or choose another place", .0.display())]
    NoParent(PathBuf),
    #[error("another backup to {} is being written", .0.display())]
    BeingWritten(PathBuf),
    #[error("there is no database {}: set SVC_DATA_DIR as for the service", .0.display())]
    NoDatabase(PathBuf),
    #[error("cannot read the database {}", .0.display())]
    Sql(PathBuf, #[source] sqlx::Error),
    #[error("the database {} is damaged: {fault}", .file.display())]
    Damaged { file: PathBuf, fault: String },
    #[error("{} is not a database of svc-mcp", .0.display())]
    OtherDatabase(PathBuf),
    #[error("{} is not a complete backup: it has no manifest.json", .0.display())]
    NoManifest(PathBuf),
    #[error("the backup {} is damaged: {fault}", .dir.display())]
    DamagedBackup { dir: PathBuf, fault: String },
    #[error(
        "the backup has the tables of a newer version (schema {backup}, this program has {known}): restore it with \
         svc-mcp {version} or newer"
    )]
    Newer { backup: i64, known: i64, version: String },
    #[error(
        "there is already a database {}: add --replace to replace it. What it holds is then lost; `svc-mcp backup` saves it",
        .0.display()
    )]
    DatabaseExists(PathBuf),
    #[error(
        "{} exists and differs from the secret in the backup: add --replace to replace it. What it has encrypted or signed is \
         then of no use; keep a copy",
        .0.display()
    )]
    SecretExists(PathBuf),
    #[error(transparent)]
    Locked(#[from] LockError),
    #[error("cannot open the restored database")]
    Open(#[source] OpenError),
    #[error("cannot hold the jobs of the restored database")]
    Hold(#[source] svc_mcp_access::StoreError),
}

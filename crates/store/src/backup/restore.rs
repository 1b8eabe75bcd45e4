//! Restores a backup.
//!
//! Everything is prepared in a directory beside the database. Renaming that directory is the commit: before it the old
//! state counts, and after it the new one, even if the process is killed. `pending_restore.rs` then moves the files to their
//! places.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use svc_mcp_access::{Secret, Timestamp};
use svc_mcp_tools::private_files;

use super::{
    BackupError, DATABASE, Manifest, NamedSecret,
    files::{blocking, copy, failed},
    verify::{VerifiedBackup, verify},
};
use crate::{
    ChangedBy, DatabaseLock, HoldCause, JobHold, Location, Store,
    durable_files::{parent, remove_dir, rename, sync_dir, with_ending, write},
    engine::lock_folder,
    pending_restore::{
        COMMITTED_ENDING, FILES_OF_SQLITE, PARTIAL_ENDING, SECRETS_DIR, STAGED_SECRETS, complete_restore,
        place_of,
    },
};

/// A backup to restore.
#[derive(Debug)]
pub struct NewRestore {
    pub backup: PathBuf,
    pub database: PathBuf,
    /// Where the generated secrets are.
    pub data_dir: PathBuf,
    /// Replace a database and secrets that are there.
    pub replace: bool,
    pub by: ChangedBy,
    pub at: Timestamp,
}

/// What was restored.
#[derive(Debug)]
pub struct Restored {
    pub manifest: Manifest,
    /// The names of the restored secrets.
    pub secrets: Vec<String>,
}

/// Restores a backup for a service that does not run. Its jobs are held.
pub async fn restore_backup(new: NewRestore) -> Result<Restored, BackupError> {
    let backup = verify(&new.backup).await?;
    for dir in [parent(&new.database), new.data_dir.clone()] {
        private_files::create_dir(&dir).map_err(failed(&dir))?;
    }
    // A service would go on with the old database. The lock also excludes another restore.
    let _lock = DatabaseLock::acquire(&new.database)?;
    let database = place_of(&new.database);
    finish_pending(&database).await?;
    check_places(&new, &backup, &database)?;
    let partial = with_ending(&database, PARTIAL_ENDING);
    let staged = stage(&new, &backup, &partial).await;
    if let Err(error) = staged {
        let _ = remove_dir(&partial);
        return Err(error);
    }
    rename(&partial, &with_ending(&database, COMMITTED_ENDING)).map_err(failed(&database))?;
    finish_pending(&database).await?;
    let secrets = backup.secrets.into_iter().map(|secret| secret.name).collect();
    Ok(Restored { manifest: backup.manifest, secrets })
}

async fn finish_pending(database: &Path) -> Result<(), BackupError> {
    let folder = parent(database);
    let _opening = lock_folder(&folder).await.map_err(failed(&folder))?;
    let database = database.to_owned();
    blocking(move || complete_restore(&database).map_err(failed(&database))).await
}

/// Nothing that is there is lost without consent.
fn check_places(new: &NewRestore, backup: &VerifiedBackup, database: &Path) -> Result<(), BackupError> {
    if new.replace {
        return Ok(());
    }
    let is_there = |ending: &&str| with_ending(database, ending).exists();
    if database.exists() || FILES_OF_SQLITE.iter().any(is_there) {
        return Err(BackupError::DatabaseExists(database.to_owned()));
    }
    for NamedSecret { name, value } in &backup.secrets {
        let path = new.data_dir.join(name);
        match fs::read_to_string(&path).map(Secret::new) {
            Ok(text) if text.expose().trim() == value.expose().trim() => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            _ => return Err(BackupError::SecretExists(path)),
        }
    }
    Ok(())
}

/// Prepares all files in a directory of their own.
async fn stage(new: &NewRestore, backup: &VerifiedBackup, dir: &Path) -> Result<(), BackupError> {
    // A restore that was broken off has left it.
    remove_dir(dir).map_err(failed(dir))?;
    for dir in [dir, &dir.join(STAGED_SECRETS)] {
        DirBuilder::new().mode(0o700).create(dir).map_err(failed(dir))?;
    }
    let (from, file) = (backup.dir.join(DATABASE), dir.join(DATABASE));
    let (expected, target) = (backup.manifest.files[DATABASE].clone(), file.clone());
    let copied = blocking(move || copy(&from, &target).map_err(failed(&from))).await?;
    if copied != expected {
        let fault = format!("{DATABASE} has changed while it was restored");
        return Err(BackupError::DamagedBackup { dir: backup.dir.clone(), fault });
    }
    prepare(new, &backup.manifest, &file).await?;
    let data_dir = std::path::absolute(&new.data_dir).map_err(failed(&new.data_dir))?;
    let Some(data_dir) = data_dir.to_str() else {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "the path is not UTF-8");
        return Err(BackupError::File(data_dir, error));
    };
    let (dir, data_dir, secrets) = (dir.to_owned(), data_dir.to_owned(), backup.secrets.clone());
    blocking(move || {
        let path = dir.join(SECRETS_DIR);
        write(&path, &data_dir).map_err(failed(&path))?;
        for secret in &secrets {
            let path = dir.join(STAGED_SECRETS).join(&secret.name);
            write(&path, secret.value.expose()).map_err(failed(&path))?;
        }
        for dir in [&dir.join(STAGED_SECRETS), &dir] {
            sync_dir(dir).map_err(failed(dir))?;
        }
        Ok(())
    })
    .await
}

/// Brings the tables up to date, holds the jobs and ends the sessions, before anybody can open the database at its place.
async fn prepare(new: &NewRestore, manifest: &Manifest, file: &Path) -> Result<(), BackupError> {
    let location = Location::Sqlite { file: file.to_owned() };
    let store = Store::open(&location, None).await.map_err(BackupError::Open)?;
    let cause = HoldCause::Restore { backup_at: manifest.created_at };
    let held = store.by(new.by.clone()).hold_jobs(&JobHold { since: new.at, cause }).await;
    let ended = store.end_all_sessions().await;
    // The last connection writes everything into the file and removes the write-ahead log.
    store.close().await;
    held.and(ended).map_err(BackupError::Hold)?;
    match FILES_OF_SQLITE.iter().map(|ending| with_ending(file, ending)).find(|path| path.exists()) {
        None => Ok(()),
        Some(path) => Err(BackupError::File(path, io::ErrorKind::ResourceBusy.into())),
    }
}

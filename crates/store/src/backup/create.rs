//! Makes a backup while the service runs.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, TryLockError},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use svc_mcp_access::{Secret, Timestamp};
use svc_mcp_tools::private_files;

use super::{
    BackupError, DATABASE, MANIFEST, NamedSecret, SECRETS,
    copy::{Contents, copy_database, inspect},
    files::{blocking, checksum, failed},
    manifest::{FORMAT, Manifest},
};
use crate::durable_files::{parent, remove_dir, rename, sync_dir, with_ending, write};

/// A backup to make.
#[derive(Debug)]
pub struct NewBackup {
    pub database: PathBuf,
    /// A new or empty directory.
    pub target: PathBuf,
    /// Empty: no secret leaves the data directory.
    pub secrets: Vec<NamedSecret>,
    pub at: Timestamp,
    /// The version of this program.
    pub version: String,
}

/// Makes a backup. Until it is complete it has another name, so that neither an error nor a kill leaves half a backup at the
/// target.
pub async fn create_backup(new: NewBackup) -> Result<Manifest, BackupError> {
    if !new.database.is_file() {
        return Err(BackupError::NoDatabase(new.database));
    }
    check_target(&new.target)?;
    let partial = PartialBackup::begin(&new.target)?;
    let written = write_backup(&new, &partial.path).await;
    let renamed = written.and_then(|manifest| {
        rename(&partial.path, &new.target).map_err(failed(&new.target))?;
        Ok(manifest)
    });
    if renamed.is_err() {
        let _ = remove_dir(&partial.path);
    }
    renamed
}

/// The target is the operator's choice, so nothing in it is ever deleted.
fn check_target(target: &Path) -> Result<(), BackupError> {
    let parent = parent(target);
    if !parent.is_dir() {
        return Err(BackupError::NoParent(parent));
    }
    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(false) => Err(BackupError::NotEmpty(target.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(BackupError::NotEmpty(target.to_owned()))
        }
        Err(error) => Err(BackupError::File(target.to_owned(), error)),
    }
}

/// The directory beside the target in which the backup is written.
struct PartialBackup {
    path: PathBuf,
    /// The lock ends with the process. So a directory without a lock was left by a process that was killed.
    _lock: File,
}

impl PartialBackup {
    fn begin(target: &Path) -> Result<Self, BackupError> {
        let path = with_ending(&without_trailing_slash(target), ".partial");
        let is_new = match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(BackupError::File(path, error)),
        };
        let lock = File::open(&path).map_err(failed(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::BeingWritten(target.to_owned())),
            Err(TryLockError::Error(error)) => return Err(BackupError::File(path, error)),
        }
        if !is_new {
            remove_leftovers(&path)?;
        }
        Ok(Self { path, _lock: lock })
    }
}

/// Deletes the files of a backup that was broken off, and nothing else.
fn remove_leftovers(partial: &Path) -> Result<(), BackupError> {
    for entry in fs::read_dir(partial).map_err(failed(partial))? {
        let path = entry.map_err(failed(partial))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with(DATABASE) && ![SECRETS, MANIFEST].contains(&name) {
            return Err(BackupError::NotEmpty(partial.to_owned()));
        }
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    Ok(())
}

fn without_trailing_slash(path: &Path) -> PathBuf {
    path.components().collect()
}

async fn write_backup(new: &NewBackup, dir: &Path) -> Result<Manifest, BackupError> {
    let database = dir.join(DATABASE);
    // SQLite copies into an existing file if it is empty, and keeps its mode.
    private_files::create(&database).map_err(failed(&database))?;
    copy_database(&new.database, &database).await?;
    let contents = inspect(&database).await.map_err(|error| match error {
        // The copy is deleted again.
        BackupError::Damaged { fault, .. } => BackupError::Damaged { file: new.database.clone(), fault },
        BackupError::OtherDatabase(_) => BackupError::OtherDatabase(new.database.clone()),
        other => other,
    })?;
    let (dir, secrets) = (dir.to_owned(), new.secrets.clone());
    let (created_at, version) = (new.at, new.version.clone());
    blocking(move || {
        let manifest = describe(&dir, contents, &secrets, created_at, version)?;
        let text = serde_json::to_string_pretty(&manifest).expect("texts and numbers are JSON");
        let path = dir.join(MANIFEST);
        write(&path, &(text + "\n")).map_err(failed(&path))?;
        sync_dir(&dir).map_err(failed(&dir))?;
        Ok(manifest)
    })
    .await
}

fn describe(
    dir: &Path,
    contents: Contents,
    secrets: &[NamedSecret],
    created_at: Timestamp,
    version: String,
) -> Result<Manifest, BackupError> {
    let mut names = vec![DATABASE];
    if !secrets.is_empty() {
        let path = dir.join(SECRETS);
        write(&path, secrets_text(secrets).expose()).map_err(failed(&path))?;
        names.push(SECRETS);
    }
    let mut files = BTreeMap::new();
    for name in names {
        let path = dir.join(name);
        // SQLite leaves it to the caller to wait for the disk.
        File::open(&path).and_then(|file| file.sync_all()).map_err(failed(&path))?;
        files.insert(name.to_owned(), checksum(&path).map_err(failed(&path))?);
    }
    let Contents { schema, tables } = contents;
    let secrets = secrets.iter().map(|secret| secret.name.clone()).collect();
    Ok(Manifest { format: FORMAT, created_at, version, schema, files, tables, secrets })
}

fn secrets_text(secrets: &[NamedSecret]) -> Secret {
    let map: BTreeMap<&str, &str> =
        secrets.iter().map(|secret| (secret.name.as_str(), secret.value.expose())).collect();
    Secret::new(serde_json::to_string(&map).expect("texts are JSON"))
}

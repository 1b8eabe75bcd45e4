//! Checks a backup without changing anything.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use svc_mcp_access::Secret;

use super::{
    BackupError, DATABASE, MANIFEST, NamedSecret, SECRET_FILES, SECRETS,
    copy::{Contents, inspect},
    files::{blocking, checksum, failed},
    manifest::{FORMAT, Manifest},
};
use crate::engine::last_sqlite_migration;

/// The manifest names a few files and a few dozen tables.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// A backup whose files are as its manifest says.
#[derive(Debug)]
pub(super) struct VerifiedBackup {
    pub(super) dir: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) secrets: Vec<NamedSecret>,
}

pub(super) async fn verify(dir: &Path) -> Result<VerifiedBackup, BackupError> {
    let damaged = |fault: String| BackupError::DamagedBackup { dir: dir.to_owned(), fault };
    let manifest = read_manifest(dir)?;
    let (owned, entries) = (dir.to_owned(), manifest.clone());
    let secrets = blocking(move || check_files(&owned, &entries)).await?;
    let contents = match inspect(&dir.join(DATABASE)).await {
        Err(BackupError::Damaged { fault, .. }) => return Err(damaged(fault)),
        other => other?,
    };
    if contents != (Contents { schema: manifest.schema, tables: manifest.tables.clone() }) {
        return Err(damaged("its database has other tables or rows than manifest.json says".into()));
    }
    let known = last_sqlite_migration();
    if manifest.schema > known {
        return Err(BackupError::Newer { backup: manifest.schema, known, version: manifest.version });
    }
    Ok(VerifiedBackup { dir: dir.to_owned(), manifest, secrets })
}

fn read_manifest(dir: &Path) -> Result<Manifest, BackupError> {
    let damaged = |fault: String| BackupError::DamagedBackup { dir: dir.to_owned(), fault };
    let path = dir.join(MANIFEST);
    let metadata = fs::metadata(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => BackupError::NoManifest(dir.to_owned()),
        _ => BackupError::File(path.clone(), error),
    })?;
    if metadata.len() > MAX_MANIFEST_BYTES {
        return Err(damaged("manifest.json is too large".into()));
    }
    let text = fs::read(&path).map_err(failed(&path))?;
    let value: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| damaged(format!("manifest.json: {error}")))?;
    if value["format"] != FORMAT {
        return Err(damaged(format!("manifest.json has the format {}, not {FORMAT}", value["format"])));
    }
    serde_json::from_value(value).map_err(|error| damaged(format!("manifest.json: {error}")))
}

/// Compares sizes and checksums, and returns the secrets.
fn check_files(dir: &Path, manifest: &Manifest) -> Result<Vec<NamedSecret>, BackupError> {
    let damaged = |fault: String| BackupError::DamagedBackup { dir: dir.to_owned(), fault };
    let names: Vec<&str> = manifest.files.keys().map(String::as_str).collect();
    let has_secrets = match names[..] {
        [SECRETS, DATABASE] => true,
        [DATABASE] => false,
        _ => return Err(damaged("manifest.json names other files than a backup has".into())),
    };
    for (name, entry) in &manifest.files {
        let path = dir.join(name);
        let found = match checksum(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged(format!("{name} is missing")));
            }
            other => other.map_err(failed(&path))?,
        };
        if found != *entry {
            return Err(damaged(format!("{name} has another size or checksum than manifest.json says")));
        }
    }
    if !has_secrets {
        return Ok(Vec::new());
    }
    let path = dir.join(SECRETS);
    let text = Secret::new(fs::read_to_string(&path).map_err(failed(&path))?);
    let map: BTreeMap<String, String> =
        serde_json::from_str(text.expose()).map_err(|_| damaged("secrets.json is unreadable".into()))?;
    let secrets = map.into_iter().map(|(name, value)| NamedSecret { name, value: Secret::new(value) });
    let secrets: Vec<NamedSecret> = secrets.collect();
    let is_known = |name: &String| SECRET_FILES.contains(&name.as_str()) && manifest.secrets.contains(name);
    // The names become names of files, so others are refused.
    if secrets.len() != manifest.secrets.len() || !secrets.iter().all(|secret| is_known(&secret.name)) {
        return Err(damaged("secrets.json has other secrets than manifest.json says".into()));
    }
    Ok(secrets)
}

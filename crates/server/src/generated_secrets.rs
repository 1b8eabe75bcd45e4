//! Secrets that the service generates itself with the embedded database. They lie in the data directory, mode 0600.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use svc_mcp_access::Secret;

#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretFileError {
    #[error("cannot create the data directory {}", .0.display())]
    Directory(PathBuf, #[source] io::Error),
    #[error("cannot use {}", .0.display())]
    File(PathBuf, #[source] io::Error),
}

/// Reads the secret in this file, and generates it first if there is none. Two processes that start at the same time
/// use the same secret.
pub(crate) fn load_or_generate(
    dir: &Path,
    name: &str,
    generate: impl FnOnce() -> Secret,
) -> Result<Secret, SecretFileError> {
    let file = dir.join(name);
    let failed = |error| SecretFileError::File(file.clone(), error);
    create_data_dir(dir)?;
    // The secret is written to a temporary file first, so that no reader sees half of it.
    let temporary = dir.join(format!(".{name}.{}", std::process::id()));
    if !file.exists() {
        let mut opened = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(failed)?;
        opened.write_all(generate().expose().as_bytes()).and_then(|()| opened.sync_all()).map_err(failed)?;
        let linked = fs::hard_link(&temporary, &file);
        let _ = fs::remove_file(&temporary);
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
    }
    let text = fs::read_to_string(&file).map_err(failed)?;
    Ok(Secret::new(text.trim().to_owned()))
}

pub(crate) fn create_data_dir(dir: &Path) -> Result<(), SecretFileError> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    created.map_err(|error| SecretFileError::Directory(dir.to_owned(), error))
}

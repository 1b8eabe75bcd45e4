//! Secrets that the service generates itself with the embedded database. They lie in the data directory, mode 0600.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use svc_mcp_access::Secret;
use svc_mcp_tools::private_files;

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
        let mut opened = private_files::create(&temporary).map_err(failed)?;
        opened.write_all(generate().expose().as_bytes()).and_then(|()| opened.sync_all()).map_err(failed)?;
        let linked = fs::hard_link(&temporary, &file);
        let _ = fs::remove_file(&temporary);
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
    }
    if let Err(error) = private_files::restrict(&file) {
        tracing::warn!(file = %file.display(), %error, "cannot restrict a file to its owner");
    }
    let text = fs::read_to_string(&file).map_err(failed)?;
    Ok(Secret::new(text.trim().to_owned()))
}

pub(crate) fn create_data_dir(dir: &Path) -> Result<(), SecretFileError> {
    private_files::create_dir(dir).map_err(|error| SecretFileError::Directory(dir.to_owned(), error))
}

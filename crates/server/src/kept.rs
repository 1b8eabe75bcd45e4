//! Secrets that the embedded default makes for itself and keeps in the data directory, readable by its owner alone.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use svc_mcp_access::Secret;

/// The secret in this file, made if there is none. Two processes that start at once agree on one.
pub(crate) fn kept_secret(dir: &Path, name: &str, make: impl FnOnce() -> Secret) -> Result<Secret, String> {
    let file = dir.join(name);
    let told = |error: io::Error| format!("cannot use {}: {error}", file.display());
    prepare_dir(dir)?;
    // Written whole under another name first: a reader never sees half a secret.
    let fresh = dir.join(format!(".{name}.{}", std::process::id()));
    if !file.exists() {
        let mut opened = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&fresh)
            .map_err(told)?;
        opened.write_all(make().expose().as_bytes()).and_then(|()| opened.sync_all()).map_err(told)?;
        let linked = fs::hard_link(&fresh, &file);
        let _ = fs::remove_file(&fresh);
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(told(error)),
            _ => {}
        }
    }
    let text = fs::read_to_string(&file).map_err(told)?;
    Ok(Secret::new(text.trim().to_owned()))
}

pub(crate) fn prepare_dir(dir: &Path) -> Result<(), String> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|error| format!("cannot make the data directory {}: {error}", dir.display()))
}

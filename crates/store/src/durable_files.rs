//! Changes of files that are on the disk when they return.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use svc_mcp_tools::private_files;

/// The path with an ending after its name.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// The directory that holds the path.
pub(crate) fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Writes a file that only its owner can use.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private_files::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Replaces a file in one step: a reader finds the old or the new text.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = with_ending(path, ".new");
    write(&new, text)?;
    rename(&new, path)
}

/// Renames a file or directory.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_dir(&parent(to))
}

pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// A missing file is not an error.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A missing directory is not an error.
pub(crate) fn remove_dir(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

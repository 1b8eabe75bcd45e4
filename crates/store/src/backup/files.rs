//! Copies and checksums of files.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use aws_lc_rs::digest::{Context, SHA256};
use svc_mcp_tools::private_files;

use super::{BackupError, manifest::FileEntry};

const BLOCK_BYTES: usize = 1 << 20;

/// Makes an error that names the file.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    |error| BackupError::File(path, error)
}

/// Reads a file and returns its size and checksum.
pub(super) fn checksum(path: &Path) -> io::Result<FileEntry> {
    copy_to(path, &mut io::sink())
}

/// Copies a file into a new one that only its owner can use. Returns the size and the checksum of what was copied.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<FileEntry> {
    let mut file = private_files::create(to)?;
    let entry = copy_to(from, &mut file)?;
    file.sync_all()?;
    Ok(entry)
}

fn copy_to(from: &Path, to: &mut dyn Write) -> io::Result<FileEntry> {
    let (mut file, mut context) = (File::open(from)?, Context::new(&SHA256));
    let (mut block, mut bytes) = (vec![0; BLOCK_BYTES], 0);
    loop {
        let count = match file.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        context.update(&block[..count]);
        to.write_all(&block[..count])?;
        bytes += count as u64;
    }
    let mut sha256 = String::with_capacity(64);
    for byte in context.finish().as_ref() {
        let _ = write!(sha256, "{byte:02x}");
    }
    Ok(FileEntry { bytes, sha256 })
}

/// Runs work on files outside the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    tokio::task::spawn_blocking(work).await.expect("work on files does not panic")
}

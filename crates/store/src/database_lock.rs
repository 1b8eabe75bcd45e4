//! One service at a time uses a SQLite file.
//!
//! Rate windows and cached keys are in the process. A second service on the same file would count for itself and would
//! trust keys that the first one has revoked.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use svc_mcp_tools::private_files;

/// Held as long as the service runs. The operating system releases it when the process ends, also after `kill -9`.
#[derive(Debug)]
pub struct DatabaseLock {
    _file: File,
}

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error(
        "another process{} already serves the database {}: stop it first, or choose another directory with SVC_DATA_DIR; \
         several instances need PostgreSQL (SVC_DATABASE_URL)",
        .holder.map_or_else(String::new, |pid| format!(" (pid {pid})")),
        .database.display()
    )]
    Held { database: PathBuf, holder: Option<u32> },
    #[error("cannot lock {}", .0.display())]
    File(PathBuf, #[source] io::Error),
}

impl DatabaseLock {
    /// Locks `svc-mcp.db.lock` beside the database `svc-mcp.db`, and writes the process id into it.
    pub fn acquire(database: &Path) -> Result<Self, LockError> {
        let path = lock_path(database);
        let failed = |error| LockError::File(path.clone(), error);
        let mut file = private_files::open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = holder.trim().parse().ok();
                return Err(LockError::Held { database: database.to_owned(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

/// Two links to one database have the same lock.
fn lock_path(database: &Path) -> PathBuf {
    let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut path = OsString::from(database);
    path.push(".lock");
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_lock_is_refused_until_the_first_is_dropped() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let database = dir.path().join("svc-mcp.db");
        let first = DatabaseLock::acquire(&database).expect("the lock is free");
        let refused = DatabaseLock::acquire(&database).expect_err("the lock is held");
        assert!(refused.to_string().contains(&format!("(pid {})", std::process::id())), "{refused}");
        drop(first);
        DatabaseLock::acquire(&database).expect("the lock is free again");
    }

    #[test]
    fn link_to_the_database_has_the_same_lock() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (database, link) = (dir.path().join("svc-mcp.db"), dir.path().join("link.db"));
        std::fs::write(&database, "").expect("a file");
        std::os::unix::fs::symlink(&database, &link).expect("a link");
        let _first = DatabaseLock::acquire(&database).expect("the lock is free");
        DatabaseLock::acquire(&link).expect_err("the lock is held");
    }
}

//! A restore that is committed, and whose files are not all at their places yet.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use svc_mcp_access::Secret;

use crate::durable_files::{parent, remove_dir, remove_file, rename, replace, sync_dir, with_ending};

/// The database in the directory of a restore.
pub(crate) const DATABASE: &str = "svc-mcp.db";

/// The directory in which a restore is prepared, after the name of the database.
pub(crate) const PARTIAL_ENDING: &str = ".restore.partial";
/// Its name from the commit until all files are at their places.
pub(crate) const COMMITTED_ENDING: &str = ".restore";
/// The file in it that says where the secrets belong.
pub(crate) const SECRETS_DIR: &str = "secrets-dir";
/// The directory in it with the secrets.
pub(crate) const STAGED_SECRETS: &str = "secrets";
/// What SQLite writes beside a database. With another database they would destroy it.
pub(crate) const FILES_OF_SQLITE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Where the database really is, if its name is a link.
pub(crate) fn place_of(database: &Path) -> PathBuf {
    database.canonicalize().unwrap_or_else(|_| database.to_owned())
}

/// Whether the next process that opens this database finds a restored one.
pub fn has_pending_restore(database: &Path) -> bool {
    with_ending(&place_of(database), COMMITTED_ENDING).is_dir()
}

/// Moves the files of a committed restore to their places. Every step can be repeated, so a process that is killed leaves
/// nothing that the next one cannot complete. Nobody may have the database open.
pub(crate) fn complete_restore(database: &Path) -> io::Result<()> {
    let database = place_of(database);
    let staged = with_ending(&database, COMMITTED_ENDING);
    if !staged.is_dir() {
        return Ok(());
    }
    place_secrets(&staged)?;
    let file = staged.join(DATABASE);
    if file.exists() {
        for ending in FILES_OF_SQLITE {
            remove_file(&with_ending(&database, ending))?;
        }
        rename(&file, &database)?;
    }
    // The database is gone from here, so what is left counts no more. The new name keeps half a directory from being found.
    let done = with_ending(&database, PARTIAL_ENDING);
    remove_dir(&done)?;
    rename(&staged, &done)?;
    remove_dir(&done)?;
    sync_dir(&parent(&database))
}

fn place_secrets(staged: &Path) -> io::Result<()> {
    let data_dir = PathBuf::from(fs::read_to_string(staged.join(SECRETS_DIR))?);
    for entry in fs::read_dir(staged.join(STAGED_SECRETS))? {
        let entry = entry?;
        let text = Secret::new(fs::read_to_string(entry.path())?);
        replace(&data_dir.join(entry.file_name()), text.expose())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A committed restore over an old database with a write-ahead log.
    fn committed(dir: &Path) -> PathBuf {
        let database = dir.join("svc-mcp.db");
        for (name, text) in
            [("svc-mcp.db", "old"), ("svc-mcp.db-wal", "old log"), ("reveal.keys", "old keys")]
        {
            fs::write(dir.join(name), text).expect("a file");
        }
        let staged = with_ending(&database, COMMITTED_ENDING);
        fs::create_dir_all(staged.join(STAGED_SECRETS)).expect("a directory");
        fs::write(staged.join(DATABASE), "new").expect("a file");
        fs::write(staged.join(SECRETS_DIR), dir.to_str().expect("UTF-8")).expect("a file");
        fs::write(staged.join(STAGED_SECRETS).join("reveal.keys"), "new keys").expect("a file");
        database
    }

    fn assert_new(dir: &Path) {
        let mut found: Vec<(String, String)> = fs::read_dir(dir)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(&path).expect("a file"))
            })
            .collect();
        found.sort();
        let expected = [("reveal.keys", "new keys"), ("svc-mcp.db", "new")];
        assert_eq!(found, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }

    /// What the steps of a process have done until it is killed.
    #[test]
    fn restore_is_completed_wherever_it_was_broken_off() {
        type Steps = fn(&Path, &Path);
        let steps: [Steps; 6] = [
            |_, _| {},
            |dir, _| fs::write(dir.join("reveal.keys.new"), "half").expect("a file"),
            |dir, _| fs::write(dir.join("reveal.keys"), "new keys").expect("a file"),
            |dir, _| fs::remove_file(dir.join("svc-mcp.db-wal")).expect("a file"),
            |dir, staged| {
                fs::remove_file(dir.join("svc-mcp.db-wal")).expect("a file");
                fs::rename(staged.join(DATABASE), dir.join("svc-mcp.db")).expect("a file");
            },
            |dir, staged| {
                fs::remove_file(dir.join("svc-mcp.db-wal")).expect("a file");
                fs::rename(staged.join(DATABASE), dir.join("svc-mcp.db")).expect("a file");
                fs::create_dir(with_ending(&dir.join("svc-mcp.db"), PARTIAL_ENDING)).expect("a directory");
            },
        ];
        for killed_after in steps {
            let dir = tempfile::tempdir().expect("a directory");
            let database = committed(dir.path());
            killed_after(dir.path(), &with_ending(&database, COMMITTED_ENDING));
            assert!(has_pending_restore(&database));
            complete_restore(&database).expect("it is completed");
            assert!(!has_pending_restore(&database));
            assert_new(dir.path());
            complete_restore(&database).expect("there is nothing to do");
            assert_new(dir.path());
        }
    }

    #[test]
    fn restore_that_is_not_committed_changes_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let database = committed(dir.path());
        let (staged, partial) =
            (with_ending(&database, COMMITTED_ENDING), with_ending(&database, PARTIAL_ENDING));
        fs::rename(staged, &partial).expect("a directory");
        complete_restore(&database).expect("there is nothing to do");
        assert_eq!(fs::read_to_string(&database).expect("a file"), "old");
        assert_eq!(fs::read_to_string(dir.path().join("svc-mcp.db-wal")).expect("a file"), "old log");
        assert!(partial.is_dir());
    }
}

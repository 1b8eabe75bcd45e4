//! Files and directories that only their owner can use, whatever the umask is.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

const DIR_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// Creates a directory and its missing parents. An existing directory keeps its mode.
pub fn create_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(DIR_MODE).create(dir)?;
    fs::set_permissions(dir, Permissions::from_mode(DIR_MODE))
}

/// Whether files can be created in a directory, or the directory can be created. Nothing stays behind.
pub fn check_dir(dir: &Path) -> io::Result<()> {
    let mut existing = dir;
    while !existing.exists() {
        existing = match existing.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
    }
    let file = existing.join(format!(".check.{}", std::process::id()));
    OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&file)?;
    fs::remove_file(&file)
}

/// Opens a file to read and write it. A missing file is created, an existing one is restricted.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).mode(FILE_MODE).open(path)?;
    if mode(&file.metadata()?) != FILE_MODE {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    }
    Ok(file)
}

/// Creates an empty file, or empties an existing one.
pub fn create(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    file.set_len(0)?;
    Ok(file)
}

/// Takes the permissions of an existing file away from everybody but its owner. A missing file is not an error.
pub fn restrict(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if mode(&metadata) == FILE_MODE => Ok(()),
        Ok(_) => fs::set_permissions(path, Permissions::from_mode(FILE_MODE)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn mode(metadata: &fs::Metadata) -> u32 {
    metadata.permissions().mode() & 0o777
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_restricted_to_their_owner() {
        let dir = tempfile::tempdir().unwrap();
        let (new, old) = (dir.path().join("new"), dir.path().join("old"));
        fs::write(&old, "kept").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o644)).unwrap();
        open(&new).unwrap();
        open(&old).unwrap();
        for path in [&new, &old] {
            assert_eq!(mode(&fs::metadata(path).unwrap()), 0o600, "{}", path.display());
        }
        assert_eq!(fs::read_to_string(&old).unwrap(), "kept");
        fs::set_permissions(&old, Permissions::from_mode(0o666)).unwrap();
        restrict(&old).unwrap();
        assert_eq!(mode(&fs::metadata(&old).unwrap()), 0o600);
        restrict(&dir.path().join("missing")).unwrap();
    }

    #[test]
    fn directory_is_checked_without_a_trace() {
        let dir = tempfile::tempdir().unwrap();
        check_dir(dir.path()).unwrap();
        check_dir(&dir.path().join("a/b")).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(check_dir(&dir.path().join("file/data")).is_err());
    }

    #[test]
    fn only_new_directories_get_a_mode() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        create_dir(dir.path()).unwrap();
        assert_eq!(mode(&fs::metadata(dir.path()).unwrap()), 0o755);
        let new = dir.path().join("a/b");
        create_dir(&new).unwrap();
        assert_eq!(mode(&fs::metadata(&new).unwrap()), 0o700);
    }
}

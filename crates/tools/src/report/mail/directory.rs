//! Writes emails as `.eml` files into a directory: for tests and for services without a mail server.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use super::MailError;
use crate::private_files;

#[derive(Debug)]
pub(super) struct Directory(pub(super) PathBuf);

/// The file of one email, before it is written.
#[derive(Debug)]
pub(super) struct PendingFile {
    temporary: PathBuf,
    file: PathBuf,
    name: String,
}

impl Directory {
    pub(super) async fn prepare(&self, id: &str) -> Result<PendingFile, MailError> {
        let dir = self.0.clone();
        blocking(move || private_files::create_dir(&dir)).await?;
        let name = format!("{id}.eml");
        Ok(PendingFile { temporary: self.0.join(format!(".{name}.part")), file: self.0.join(&name), name })
    }

    pub(super) fn check(&self) -> Result<String, MailError> {
        private_files::check_dir(&self.0).map_err(|error| write_error(&error))?;
        Ok(self.0.display().to_string())
    }

    pub(super) async fn delete_files(&self, ids: Vec<String>) -> io::Result<()> {
        let directory = self.0.clone();
        let delete = move || {
            for id in ids {
                match fs::remove_file(directory.join(format!("{id}.eml"))) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            Ok(())
        };
        tokio::task::spawn_blocking(delete).await.map_err(io::Error::other)?
    }

    /// Restricts the files of older versions, which had the mode of the umask.
    pub(super) fn restrict_files(&self) -> io::Result<()> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if name.ends_with(b".eml") || name.ends_with(b".eml.part") {
                private_files::restrict(&path)?;
            }
        }
        Ok(())
    }
}

impl PendingFile {
    /// Renames a temporary file, so the file is never incomplete. Writing it again changes nothing.
    pub(super) async fn write(self, email: Vec<u8>) -> Result<String, MailError> {
        let Self { temporary, file, name } = self;
        blocking(move || {
            let mut opened = private_files::create(&temporary)?;
            opened.write_all(&email)?;
            opened.sync_all()?;
            fs::rename(&temporary, &file)
        })
        .await?;
        Ok(format!("written to {name}"))
    }
}

async fn blocking(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<(), MailError> {
    let done = tokio::task::spawn_blocking(work).await.map_err(io::Error::other);
    done.flatten().map_err(|error| write_error(&error))
}

fn write_error(error: &io::Error) -> MailError {
    MailError::Retry(format!("the mail directory cannot be written to: {error}"))
}

//! Writes emails as `.eml` files into a directory: for tests and for services without a mail server.

use std::{io, path::PathBuf};

use tokio::{fs, io::AsyncWriteExt};

use super::MailError;

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
        fs::create_dir_all(&self.0).await.map_err(|error| write_error(&error))?;
        let name = format!("{id}.eml");
        Ok(PendingFile { temporary: self.0.join(format!(".{name}.part")), file: self.0.join(&name), name })
    }
}

impl PendingFile {
    /// Renames a temporary file, so the file is never incomplete. Writing it again changes nothing.
    pub(super) async fn write(&self, email: &[u8]) -> Result<String, MailError> {
        let write = async {
            let mut file = fs::File::create(&self.temporary).await?;
            file.write_all(email).await?;
            file.sync_all().await?;
            fs::rename(&self.temporary, &self.file).await
        };
        write.await.map_err(|error: io::Error| write_error(&error))?;
        Ok(format!("written to {}", self.name))
    }
}

fn write_error(error: &io::Error) -> MailError {
    MailError::Retry(format!("the mail directory cannot be written to: {error}"))
}

//! A directory that mails are written into as `.eml` files: for trying things out, and for who has no mail server.

use std::{io, path::PathBuf};

use tokio::{fs, io::AsyncWriteExt};

use super::MailFault;

#[derive(Debug)]
pub(super) struct Directory(pub(super) PathBuf);

/// Where one mail will be.
#[derive(Debug)]
pub(super) struct Place {
    unfinished: PathBuf,
    file: PathBuf,
    name: String,
}

impl Directory {
    pub(super) async fn prepare(&self, id: &str) -> Result<Place, MailFault> {
        fs::create_dir_all(&self.0).await.map_err(|error| unwritable(&error))?;
        let name = format!("{id}.eml");
        Ok(Place { unfinished: self.0.join(format!(".{name}.part")), file: self.0.join(&name), name })
    }
}

impl Place {
    /// A file of that name is there whole or not at all, and only once however often this is done.
    pub(super) async fn hand_over(&self, mail: &[u8]) -> Result<String, MailFault> {
        let write = async {
            let mut file = fs::File::create(&self.unfinished).await?;
            file.write_all(mail).await?;
            file.sync_all().await?;
            fs::rename(&self.unfinished, &self.file).await
        };
        write.await.map_err(|error: io::Error| unwritable(&error))?;
        Ok(format!("written to {}", self.name))
    }
}

fn unwritable(error: &io::Error) -> MailFault {
    MailFault::Later(format!("the mail directory cannot be written to: {error}"))
}

//! Backup and restore of a SQLite database. PostgreSQL has its own tools for it.
//!
//! A backup is a directory with a copy of the database, the generated secrets if they are asked for, and a manifest with
//! checksums. It gets its name when it is complete, so an incomplete one is never taken for a backup.

mod copy;
mod create;
mod error;
mod files;
mod manifest;
mod restore;
mod verify;

pub use create::{NewBackup, create_backup};
pub use error::BackupError;
pub use manifest::Manifest;
pub use restore::{NewRestore, Restored, restore_backup};
use svc_mcp_access::Secret;

use crate::pending_restore::DATABASE;

/// A secret that the service has generated, and the name of its file in the data directory.
#[derive(Debug, Clone)]
pub struct NamedSecret {
    pub name: String,
    pub value: Secret,
}

/// The files of the generated secrets in the data directory, in the order of the alphabet.
pub const SECRET_FILES: [&str; 2] = ["jwt.secret", "reveal.keys"];

const SECRETS: &str = "secrets.json";
const MANIFEST: &str = "manifest.json";

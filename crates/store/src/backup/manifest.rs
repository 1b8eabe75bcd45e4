//! What a backup consists of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

/// Another number means that this program cannot read the backup.
pub(super) const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: u32,
    pub created_at: Timestamp,
    /// The version of the program that made the backup.
    pub version: String,
    /// The number of the last migration of the database.
    pub schema: i64,
    /// Every file of the backup, except this one.
    pub files: BTreeMap<String, FileEntry>,
    /// The number of rows of each table.
    pub tables: BTreeMap<String, i64>,
    /// The names of the generated secrets in the backup.
    pub secrets: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    /// The number of rows of all tables.
    pub fn rows(&self) -> i64 {
        self.tables.values().sum()
    }

    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum()
    }
}

//! Why the settings cannot be read. Messages name the variable, the key or the file, and never a value.

use std::{io, path::PathBuf};

use clap::error::{Error as ClapError, ErrorKind};

#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error(
        "{}\nCorrect the names or remove the variables. SVC_ALLOW_UNKNOWN=1 ignores variables that are not settings.",
        .0.join("\n")
    )]
    UnknownVariables(Vec<String>),
    #[error("{0} is not UTF-8")]
    NotUtf8(String),
    #[error("{0} must be 1 or 0")]
    AllowUnknown(&'static str),
    #[error("set either {0} or {1}, not both")]
    Both(String, String),
    #[error("cannot read {}, which {name} names: {source}", .path.display())]
    SecretFile { name: String, path: PathBuf, source: io::Error },
    #[error("{}, which {name} names, is empty", .path.display())]
    EmptySecretFile { name: String, path: PathBuf },
    #[error("cannot read the configuration file {}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: {message}", .path.display())]
    Syntax { path: PathBuf, line: usize, message: String },
    #[error("the configuration file {} has wrong keys:\n{}", .path.display(), .faults.join("\n"))]
    Keys { path: PathBuf, faults: Vec<String> },
}

impl SourceError {
    /// A usage error, as for a wrong flag: exit code 2.
    pub(super) fn into_clap(self) -> ClapError {
        ClapError::raw(ErrorKind::ValueValidation, format!("{self}\n"))
    }
}

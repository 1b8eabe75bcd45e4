//! The scope of a key, and the access that a tool needs.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A key's scope, from the narrowest. `full` allows the same as `write`; it is stored and shown as `full`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    #[default]
    Read,
    Write,
    Full,
}

/// The kind of access that a tool needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolAccess {
    Read,
    Write,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of read, write, full")]
pub struct InvalidScope;

impl Scope {
    pub fn covers(self, access: ToolAccess) -> bool {
        match access {
            ToolAccess::Read => true,
            ToolAccess::Write => matches!(self, Self::Write | Self::Full),
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = InvalidScope;

    fn from_str(text: &str) -> Result<Self, InvalidScope> {
        match text {
            "read" => Ok(Self::Read),
            "write" => Ok(Self::Write),
            "full" => Ok(Self::Full),
            _ => Err(InvalidScope),
        }
    }
}

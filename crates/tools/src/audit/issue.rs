//! What an audit found, in a form that a person can act on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    checks::Code,
    snippet::{LONGEST_SNIPPET, clipped},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It keeps visitors or search engines from the page.
    Error,
    /// It costs visitors or rank.
    Warning,
    /// It could be better.
    Notice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such severity")]
pub struct UnknownSeverity;

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

impl std::str::FromStr for Severity {
    type Err = UnknownSeverity;

    fn from_str(text: &str) -> Result<Self, UnknownSeverity> {
        let all = [Self::Error, Self::Warning, Self::Notice];
        all.into_iter().find(|severity| severity.as_str() == text).ok_or(UnknownSeverity)
    }
}

/// One fault on one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    pub code: Code,
    pub severity: Severity,
    /// The page it is about.
    pub url: String,
    pub evidence: Evidence,
}

/// What shows the fault. `snippet` and `related` come from the site: they are data, whatever they say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// What is there now.
    pub found: String,
    /// What should be there instead.
    pub wanted: String,
    /// The piece of the page that it is about, clipped. Data from the site.
    pub snippet: Option<String>,
    /// Other addresses that it is about: where a link leads, who links here, the pages that are the same.
    pub related: Vec<String>,
    /// Tells this fault from others of the same code on the same page, in every audit alike.
    pub key: String,
}

const MOST_RELATED: usize = 5;
const LONGEST_RELATED: usize = 500;

impl Issue {
    /// One fault in every audit that finds it: what is wrong, where, and which of several. What was found in detail
    /// may change (a title grows from 70 characters to 75) without making it another.
    pub fn identity(&self) -> (Code, &str, &str) {
        (self.code, &self.url, &self.evidence.key)
    }
}

impl Evidence {
    pub(super) fn new(found: impl Into<String>, wanted: impl Into<String>) -> Self {
        Self { found: found.into(), wanted: wanted.into(), ..Self::default() }
    }

    pub(super) fn snippet(mut self, text: &str) -> Self {
        self.snippet = Some(clipped(text, LONGEST_SNIPPET));
        self
    }

    pub(super) fn related<T: AsRef<str>>(mut self, addresses: impl IntoIterator<Item = T>) -> Self {
        let addresses = addresses.into_iter().take(MOST_RELATED);
        self.related = addresses.map(|address| clipped(address.as_ref(), LONGEST_RELATED)).collect();
        self
    }

    pub(super) fn key(mut self, key: &str) -> Self {
        self.key = clipped(key, LONGEST_RELATED);
        self
    }
}

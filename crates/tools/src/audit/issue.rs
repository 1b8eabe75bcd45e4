use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    checks::Code,
    snippet::{MAX_SNIPPET_CHARS, clip},
};

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// Visitors or search engines cannot use the page.
    Error,
    /// The page loses visitors or ranking.
    Warning,
    /// The page could be improved.
    Notice,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// One problem on one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    pub code: Code,
    pub severity: Severity,
    /// The affected page.
    pub url: String,
    pub evidence: Evidence,
}

/// What shows the problem. `snippet` and `related` come from the site and are untrusted data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The current state.
    pub found: String,
    /// The expected state.
    pub wanted: String,
    /// The part of the page that shows the problem, clipped.
    pub snippet: Option<String>,
    /// Related URLs: the target of a link, linking pages, or duplicates.
    pub related: Vec<String>,
    /// Distinguishes issues of the same code on the same page. It is the same in every audit.
    pub key: String,
}

const MAX_RELATED: usize = 5;
const MAX_RELATED_CHARS: usize = 500;

impl Issue {
    /// The same in every audit that finds this problem, even if details differ (a title grows from 70 to 75
    /// characters).
    pub fn identity(&self) -> (Code, &str, &str) {
        (self.code, &self.url, &self.evidence.key)
    }
}

impl Evidence {
    pub(super) fn new(found: impl Into<String>, wanted: impl Into<String>) -> Self {
        Self { found: found.into(), wanted: wanted.into(), ..Self::default() }
    }

    pub(super) fn snippet(mut self, text: &str) -> Self {
        self.snippet = Some(clip(text, MAX_SNIPPET_CHARS));
        self
    }

    pub(super) fn related<T: AsRef<str>>(mut self, urls: impl IntoIterator<Item = T>) -> Self {
        let urls = urls.into_iter().take(MAX_RELATED);
        self.related = urls.map(|url| clip(url.as_ref(), MAX_RELATED_CHARS)).collect();
        self
    }

    pub(super) fn key(mut self, key: &str) -> Self {
        self.key = clip(key, MAX_RELATED_CHARS);
        self
    }
}

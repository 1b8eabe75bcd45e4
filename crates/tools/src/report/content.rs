//! A report as it is stored, with the figures of that moment: an email that is sent hours later has the same content as
//! one that is sent at once.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DateRange, Figures};

/// The sections of a report, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// The score of the last full audit, issues by severity, new and fixed issues, and the most important ones.
    Audit,
    /// Published, failed and scheduled posts by channel.
    Posts,
    /// Analyses by kind.
    Analyses,
    /// Keyword searches.
    Keywords,
    /// Tool calls with the brand's keys.
    Usage,
}

impl Section {
    pub const ALL: [Self; 5] = [Self::Audit, Self::Posts, Self::Analyses, Self::Keywords, Self::Usage];
}

pub const MAX_NOTE_CHARS: usize = 2000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportContent {
    pub brand: String,
    pub website: String,
    pub span: DateRange,
    pub before: DateRange,
    pub sections: BTreeSet<Section>,
    /// A plain-text note from the sender.
    pub note: Option<String>,
    pub figures: Figures,
}

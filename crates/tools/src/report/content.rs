//! A report as it is kept: what was asked for, and the figures at that moment. A mail that is sent hours later tells
//! the same as one that left at once.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Figures, Span};

/// The parts a report can have, in the order in which they stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// The site's score, its issues by severity, what is new and what was fixed, the worst ones.
    Audit,
    /// Posts published, failed and waiting, by channel.
    Posts,
    /// Analyses that were run, by kind.
    Analyses,
    /// Keyword searches.
    Keywords,
    /// What agents did with the brand's keys.
    Usage,
}

impl Section {
    pub const ALL: [Self; 5] = [Self::Audit, Self::Posts, Self::Analyses, Self::Keywords, Self::Usage];
}

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 2000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    pub brand: String,
    pub website: String,
    pub span: Span,
    pub before: Span,
    pub sections: BTreeSet<Section>,
    /// What the sender adds, plain text.
    pub note: Option<String>,
    pub figures: Figures,
}

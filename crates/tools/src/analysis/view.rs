use schemars::JsonSchema;
use serde::Serialize;

use super::{Analysis, AnalysisKind, Kept, Measured};
use crate::{
    audit::{DATA_NOTICE, snippet::clipped},
    jobs::WorkStatus,
};

const SHOWN_OF_TEXT: usize = 80;

/// An analysis in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalysisLine {
    pub analysis_id: String,
    pub kind: AnalysisKind,
    pub status: WorkStatus,
    /// The address, or the beginning of the text, that it is about. Null: the brand's site and posts.
    pub about: Option<String>,
    pub created_at: String,
    pub finished_at: Option<String>,
    /// Why it failed. Null unless the status is `failed`.
    pub failure: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalysisView {
    #[serde(flatten)]
    pub line: AnalysisLine,
    /// Null until the status is `done`.
    pub result: Option<Kept<Measured>>,
    pub notice: &'static str,
}

impl From<Analysis> for AnalysisLine {
    fn from(analysis: Analysis) -> Self {
        let text = analysis.request.text.map(|text| clipped(&text, SHOWN_OF_TEXT));
        Self {
            analysis_id: analysis.analysis_id,
            kind: analysis.request.kind,
            status: analysis.status,
            about: analysis.request.url.or(text),
            created_at: analysis.created_at.to_string(),
            finished_at: analysis.finished_at.map(|at| at.to_string()),
            failure: analysis.failure,
        }
    }
}

impl From<Analysis> for AnalysisView {
    fn from(mut analysis: Analysis) -> Self {
        let result = analysis.result.take().map(Kept::new);
        Self { line: analysis.into(), result, notice: DATA_NOTICE }
    }
}

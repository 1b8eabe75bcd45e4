//! Analyses as tools return them.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Analysis, AnalysisKind, AnalysisResult, AnalysisSummary, StoredJson};
use crate::{audit::DATA_NOTICE, jobs::WorkStatus};

#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalysisListItem {
    pub analysis_id: String,
    pub kind: AnalysisKind,
    pub status: WorkStatus,
    /// The analysed URL, the start of the analysed text, or the scope. Left out: the brand's site and posts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<String>,
    /// Why it failed or was cancelled. Only if the status is `failed` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AnalysisView {
    #[serde(flatten)]
    pub item: AnalysisListItem,
    /// Left out until the status is `done`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<StoredJson<AnalysisResult>>,
    pub notice: &'static str,
}

impl From<AnalysisSummary> for AnalysisListItem {
    fn from(analysis: AnalysisSummary) -> Self {
        Self {
            analysis_id: analysis.analysis_id,
            kind: analysis.kind,
            status: analysis.status,
            about: analysis.about,
            created_at: analysis.created_at.to_string(),
            finished_at: analysis.finished_at.map(|at| at.to_string()),
            failure: analysis.failure,
        }
    }
}

impl From<Analysis> for AnalysisView {
    fn from(mut analysis: Analysis) -> Self {
        let result = analysis.result.take().map(StoredJson::new);
        Self { item: AnalysisSummary::from(analysis).into(), result, notice: DATA_NOTICE }
    }
}

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::ToolAccess;

use super::AnalysisView;
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure};

#[derive(Debug)]
pub struct GetAnalysis;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// From `run_analysis` or `list_analyses`.
    #[schemars(length(min = 1, max = 64))]
    analysis_id: String,
}

impl Tool for GetAnalysis {
    type Arguments = Arguments;
    type Output = AnalysisView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_analysis",
        title: "One analysis",
        description: "Returns one analysis: its status and, once `done`, its `result` with the figures of its kind and \
            `findings`, sentences that say what matters and what to improve.",
        example: r#"{"analysis_id": "analysis_7Hq2pXw9sLk3mNb5vTcR"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<AnalysisView>, ToolError> {
        let found = call.context.records.analysis(call.brand_id(), &arguments.analysis_id).await?;
        let analysis = found.ok_or_else(|| {
            ToolFailure::new(
                "analysis_not_found",
                "The brand has no analysis with this id.",
                "Call list_analyses to get the ids of the brand's analyses.",
            )
        })?;
        Ok(Outcome::new(analysis.into()))
    }
}

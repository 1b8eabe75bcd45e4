use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{AnalysisKind, AnalysisListItem};
use crate::{
    page::{Cursor, Listing, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListAnalyses;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only analyses of this kind.
    kind: Option<AnalysisKind>,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl Tool for ListAnalyses {
    type Arguments = Arguments;
    type Output = Listing<AnalysisListItem>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_analyses",
        title: "Analyses",
        description: "Lists the brand's analyses, newest first, with kind, status and subject. `get_analysis` returns the \
            figures of one.",
        example: r#"{"kind": "content"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let (records, brand, kind) = (&call.context.records, call.brand_id(), arguments.kind);
        let page = records.analyses(brand, kind, after.as_ref(), arguments.limit).await?;
        let listing = Listing::from_page(page, AnalysisListItem::from);
        Ok(Outcome::new(listing))
    }
}

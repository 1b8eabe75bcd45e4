use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{AnalysisKind, AnalysisLine};
use crate::{
    page::{Cursor, LARGEST_LIMIT, Listing, default_limit},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct ListAnalyses;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only analyses of this kind.
    kind: Option<AnalysisKind>,
    /// How many at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the page before.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl Tool for ListAnalyses {
    type Arguments = Arguments;
    type Output = Listing<AnalysisLine>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_analyses",
        title: "Analyses",
        description: "Lists the analyses that were run for the brand, newest first, with their kind, status and what each \
            was about. Use `get_analysis` for the figures of one. Returns `items`, `total` and `next_cursor`.",
        example: r#"{"kind": "content"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::fault(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, Stopped> {
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let brand = call.brand_id();
        let page =
            call.means.records.analyses(brand, arguments.kind, after.as_ref(), arguments.limit).await?;
        Ok(Outcome::of(Listing::of(page, AnalysisLine::from)))
    }
}

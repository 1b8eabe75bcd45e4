use svc_mcp_access::{Fault, ToolAccess};

use super::view::{SearchListItem, listing};
use crate::{
    page::{Listing, PageArguments},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListKeywordSearches;

impl Tool for ListKeywordSearches {
    type Arguments = PageArguments;
    type Output = Listing<SearchListItem>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_keyword_searches",
        title: "Keyword searches",
        description: "Lists the brand's keyword searches, newest first, with seeds, number of keywords and first gaps. Look \
            here before a new `keyword_research_search`.",
        example: r#"{"limit": 5}"#,
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PageArguments) -> Result<Outcome<Self::Output>, ToolError> {
        let after = arguments.cursor();
        let page =
            call.context.records.keyword_searches(call.brand_id(), after.as_ref(), arguments.limit).await?;
        Ok(Outcome::new(listing(page)))
    }
}

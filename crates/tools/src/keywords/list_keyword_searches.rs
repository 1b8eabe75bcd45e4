use svc_mcp_access::{Fault, ToolAccess};

use super::view::{ListedSearch, listing};
use crate::{
    page::{Listing, PageArguments},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct ListKeywordSearches;

impl Tool for ListKeywordSearches {
    type Arguments = PageArguments;
    type Output = Listing<ListedSearch>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_keyword_searches",
        title: "Keyword searches",
        description: "Lists the keyword searches that were made for the brand, newest first, each with its seeds, how many \
            keywords it found, and the first gaps against competitors. Use it before a new keyword_research_search: the \
            answer may be there already; get_keyword_search returns the keywords of one. Returns `items`, `total` and \
            `next_cursor`.",
        example: r#"{"limit": 5}"#,
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PageArguments) -> Result<Outcome<Self::Output>, Stopped> {
        let after = arguments.cursor();
        let page =
            call.means.records.keyword_searches(call.brand_id(), after.as_ref(), arguments.limit).await?;
        Ok(Outcome::of(listing(page)))
    }
}

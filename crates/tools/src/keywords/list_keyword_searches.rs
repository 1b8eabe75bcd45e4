use svc_mcp_access::{Fault, ToolAccess};

use super::view::SearchView;
use crate::{
    page::{Listing, PageArguments},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct ListKeywordSearches;

/// A search with its groups and questions is long: this many of the longest stay below 100 KB.
const MOST_AT_ONCE: u32 = 10;

impl Tool for ListKeywordSearches {
    type Arguments = PageArguments;
    type Output = Listing<SearchView>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_keyword_searches",
        title: "Keyword searches",
        description: "Lists the keyword searches that were made for the brand, newest first, each with its seeds, how many \
            keywords it found, the largest groups, the questions and the gaps against competitors. Use it before a new \
            keyword_research_search: the answer may be there already. get_keyword_search returns the keywords of one. \
            Returns `items` (at most 10 at a time), `total` and `next_cursor`.",
        example: r#"{"limit": 5}"#,
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PageArguments) -> Result<Outcome<Self::Output>, Stopped> {
        let limit = arguments.limit.min(MOST_AT_ONCE);
        let page = call.records.keyword_searches(call.brand_id(), arguments.cursor().as_ref(), limit).await?;
        Ok(Outcome::of(Listing::of(page, SearchView::from)))
    }
}

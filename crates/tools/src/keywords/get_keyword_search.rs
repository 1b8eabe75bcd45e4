use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, ToolAccess, validate::repeated};

use super::{search::KeywordRow, view::SearchPage};
use crate::{
    page::{MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct GetKeywordSearch;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// From `keyword_research_search` or `list_keyword_searches`.
    #[schemars(length(min = 1, max = 64))]
    search_id: String,
    /// The sort order.
    #[serde(default)]
    sort: Sort,
    /// Only keywords with at least this monthly volume. Keywords with an unknown volume are excluded.
    #[schemars(range(min = 0, max = 1_000_000_000_000_u64))]
    min_volume: Option<u64>,
    /// The maximum number of keywords.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page, with the same `sort` and `min_volume`.
    #[schemars(length(max = 20))]
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sort {
    /// Most relevant to the seeds first; of gaps, phrases before single words.
    #[default]
    Relevance,
    /// Highest volume first; unknown volumes last.
    Volume,
    /// Lowest difficulty first; unknown difficulties last.
    Difficulty,
    /// Alphabetical.
    Keyword,
}

impl Arguments {
    fn start(&self) -> Option<usize> {
        self.cursor.as_deref().map_or(Some(0), |cursor| cursor.parse().ok())
    }
}

impl Tool for GetKeywordSearch {
    type Arguments = Arguments;
    type Output = SearchPage;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_keyword_search",
        title: "One keyword search",
        description: "Returns the keywords of one search, page by page, sorted by `sort`. Each row has the keyword, its \
            `sources`, volume with country, difficulty, cpc with currency, intent, and whether it is a gap: \
            competitors have it and the brand's published texts lack it. What is unknown or false is left out: a \
            missing volume means unknown, not zero.",
        example: r#"{"search_id": "search_4fT9aZ0kQw3LmN8xYb2C", "sort": "volume", "min_volume": 100}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let is_wrong = arguments.start().is_none();
        is_wrong.then(|| Fault::new("cursor", "is not a `next_cursor` of this search")).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<SearchPage>, ToolError> {
        let found = call.context.records.keyword_search(call.brand_id(), &arguments.search_id).await?;
        let (search, mut rows) = found.ok_or_else(|| {
            ToolFailure::new(
                "keyword_search_not_found",
                format!("The brand has no keyword search `{}`.", repeated(&arguments.search_id)),
                "Call list_keyword_searches to get the ids. Only the newest 200 searches are stored.",
            )
        })?;
        if let Some(min_volume) = arguments.min_volume {
            rows.retain(|row| row.figures.min_volume().is_some_and(|volume| volume >= min_volume));
        }
        // The stored order is that of relevance, and the sort is stable.
        rows.sort_by(|left, right| arguments.sort.order(left, right));
        let start = arguments.start().unwrap_or(0);
        Ok(Outcome::new(SearchPage::new(search, rows, start, arguments.limit)))
    }
}

impl Sort {
    fn order(self, left: &KeywordRow, right: &KeywordRow) -> Ordering {
        match self {
            Self::Relevance => Ordering::Equal,
            Self::Volume => right.figures.min_volume().cmp(&left.figures.min_volume()),
            Self::Difficulty => {
                let difficulty = |row: &KeywordRow| row.figures.difficulty.unwrap_or(f64::INFINITY);
                difficulty(left).total_cmp(&difficulty(right))
            }
            Self::Keyword => left.keyword.cmp(&right.keyword),
        }
    }
}

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, Timestamp, ToolAccess, time::InvalidTime};

use super::{PostFilter, TargetStatus, view::PostView};
use crate::{
    page::{Cursor, LARGEST_LIMIT, Listing, default_limit},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct ListPosts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only posts that have a channel in this state.
    status: Option<TargetStatus>,
    /// Only posts for this channel.
    #[schemars(length(min = 1, max = 64))]
    channel: Option<String>,
    /// Only posts created at this time or later (RFC 3339 with the zone).
    #[schemars(extend("format" = "date-time"))]
    from: Option<String>,
    /// Only posts created before this time (RFC 3339 with the zone).
    #[schemars(extend("format" = "date-time"))]
    to: Option<String>,
    /// How many at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the page before.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl Arguments {
    fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().and_then(Cursor::decode)
    }
}

fn moment(text: Option<&String>) -> Option<Timestamp> {
    text.and_then(|text| text.parse().ok())
}

impl Tool for ListPosts {
    type Arguments = Arguments;
    type Output = Listing<PostView>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_posts",
        title: "Posts",
        description: "Lists the brand's posts, newest first, each with its text and its state on every channel. Narrow \
            it with `status`, `channel`, `from` and `to`. Returns `items`, `total` and `next_cursor`; pass \
            `next_cursor` as `cursor` for the next page. Use it to see what was said already before writing \
            something new.",
        example: r#"{"status": "published", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (field, value) in [("from", &arguments.from), ("to", &arguments.to)] {
            if value.is_some() && moment(value.as_ref()).is_none() {
                faults.push(Fault::new(field, InvalidTime));
            }
        }
        faults.extend(Cursor::fault(arguments.cursor.as_deref()));
        faults
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, Stopped> {
        let filter = PostFilter {
            status: arguments.status,
            channel: arguments.channel.clone(),
            from: moment(arguments.from.as_ref()),
            to: moment(arguments.to.as_ref()),
        };
        let after = arguments.cursor();
        let page =
            call.means.records.posts(call.brand_id(), &filter, after.as_ref(), arguments.limit).await?;
        Ok(Outcome::of(Listing::of(page, PostView::from)))
    }
}

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, Timestamp, ToolAccess, time::InvalidTime};

use super::{Post, PostFilter, TargetStatus, view::PostView};
use crate::{
    page::{Cursor, Listing, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListPosts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only posts that have this status on at least one channel.
    status: Option<TargetStatus>,
    /// Only posts for this channel.
    #[schemars(length(min = 1, max = 64))]
    channel: Option<String>,
    /// Only posts created at this time or later (RFC 3339 with a time zone).
    #[schemars(extend("format" = "date-time"))]
    from: Option<String>,
    /// Only posts created before this time (RFC 3339 with a time zone).
    #[schemars(extend("format" = "date-time"))]
    to: Option<String>,
    /// Maximum number of items.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl Arguments {
    fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().and_then(Cursor::decode)
    }
}

fn parse_time(text: Option<&String>) -> Option<Timestamp> {
    text.and_then(|text| text.parse().ok())
}

impl Tool for ListPosts {
    type Arguments = Arguments;
    type Output = Listing<PostView>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_posts",
        title: "Posts",
        description: "Lists the brand's posts, newest first, each with its text and its status on every channel. Filter \
            with `status`, `channel`, `from` and `to`. Returns `items`, `total` and `next_cursor`; pass \
            `next_cursor` as `cursor` for the next page. If posts are long, a page has fewer than `limit`. Use it to see earlier posts before writing a new \
            one.",
        example: r#"{"status": "published", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (field, value) in [("from", &arguments.from), ("to", &arguments.to)] {
            if value.is_some() && parse_time(value.as_ref()).is_none() {
                faults.push(Fault::new(field, InvalidTime));
            }
        }
        faults.extend(Cursor::check(arguments.cursor.as_deref()));
        faults
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let filter = PostFilter {
            status: arguments.status,
            channel: arguments.channel.clone(),
            from: parse_time(arguments.from.as_ref()),
            to: parse_time(arguments.to.as_ref()),
        };
        let (records, brand, filter) = (&call.context.records, call.brand_id(), &filter);
        let read = |after: Option<Cursor>, limit| async move {
            records.posts(brand, filter, after.as_ref(), limit).await
        };
        let cursor_of = |post: &Post| Cursor { at: post.created_at, id: post.post_id.clone() };
        let listing =
            Listing::read_in_steps(arguments.limit, arguments.cursor(), read, cursor_of, PostView::from)
                .await?;
        Ok(Outcome::new(listing))
    }
}

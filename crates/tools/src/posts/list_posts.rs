use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess, validate::repeated};

use super::{
    Post, PostFilter, TargetStatus,
    channel::BrandChannel,
    post_arguments::{MAX_TIME_CHARS, names, time_fault},
    view::PostView,
};
use crate::{
    local_time,
    page::{Cursor, Listing, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListPosts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// On at least one channel.
    status: Option<TargetStatus>,
    /// As `get_brand` lists them.
    #[schemars(length(min = 1, max = 64))]
    channel: Option<String>,
    /// Created at this time or later: `2027-01-31T09:00` in the brand's time zone, or with a zone.
    #[schemars(length(max = MAX_TIME_CHARS))]
    from: Option<String>,
    /// Created before this time.
    #[schemars(length(max = MAX_TIME_CHARS))]
    to: Option<String>,
    /// `scheduled_at` is this time or later.
    #[schemars(length(max = MAX_TIME_CHARS))]
    scheduled_from: Option<String>,
    /// `scheduled_at` is before this time.
    #[schemars(length(max = MAX_TIME_CHARS))]
    scheduled_to: Option<String>,
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

    fn filter(&self, zone: &str) -> PostFilter {
        let time = |text: Option<&String>| text.and_then(|text| local_time::parse(text, zone).ok());
        PostFilter {
            status: self.status,
            channel: self.channel.clone(),
            from: time(self.from.as_ref()),
            to: time(self.to.as_ref()),
            scheduled_from: time(self.scheduled_from.as_ref()),
            scheduled_to: time(self.scheduled_to.as_ref()),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PostList {
    #[serde(flatten)]
    listing: Listing<PostView>,
    /// What to know about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for ListPosts {
    type Arguments = Arguments;
    type Output = PostList;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_posts",
        title: "Posts",
        description: "Lists the brand's posts, newest first, each with its text and its status on every channel. Filter with \
            `status`, `channel`, `from` and `to` (when created), `scheduled_from` and `scheduled_to` (when it goes \
            out). Pass `next_cursor` as `cursor` for the next page.",
        example: r#"{"status": "scheduled", "scheduled_from": "2027-02-01T00:00", "scheduled_to": "2027-02-08T00:00"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let times = [
            ("from", &arguments.from),
            ("to", &arguments.to),
            ("scheduled_from", &arguments.scheduled_from),
            ("scheduled_to", &arguments.scheduled_to),
        ];
        let faults = times.into_iter().filter_map(|(field, text)| time_fault(field, text.as_deref()));
        faults.chain(Cursor::check(arguments.cursor.as_deref())).collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<PostList>, ToolError> {
        let profile = call.profile().await?;
        let filter = arguments.filter(&profile.brand.time_zone);
        let (records, brand, filter) = (&call.context.records, call.brand_id(), &filter);
        let read = |after: Option<Cursor>, limit| async move {
            records.posts(brand, filter, after.as_ref(), limit).await
        };
        let cursor_of = |post: &Post| Cursor { at: post.created_at, id: post.post_id.clone() };
        let listing =
            Listing::read_in_steps(arguments.limit, arguments.cursor(), read, cursor_of, PostView::from)
                .await?;
        let channel = filter.channel.as_deref();
        let notes = channel.and_then(|name| unknown_channel(name, &profile.channels_with_feed()));
        Ok(Outcome::new(PostList { listing, notes: notes.into_iter().collect() }))
    }
}

/// An empty list would read as if nothing were published there. Posts of a removed channel are still listed.
fn unknown_channel(name: &str, channels: &[BrandChannel]) -> Option<String> {
    let is_known = channels.iter().any(|channel| channel.is_named(name));
    (!is_known).then(|| {
        format!("The brand has no channel `{}`. Its channels are {}.", repeated(name), names(channels))
    })
}

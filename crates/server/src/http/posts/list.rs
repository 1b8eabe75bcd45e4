use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;
use svc_mcp_store::Cursor;
use svc_mcp_tools::{
    page::Listing,
    posts::{Post, PostFilter, TargetStatus},
};

use super::{ManagedPost, POSTS};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, PageLimit, ValidatedQuery,
            schemas::{self, CursorText, Id, Time},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListPosts {
    /// Only posts that have this status on at least one channel
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = TargetStatus::NAMES))]
    status: Option<TargetStatus>,
    /// Only posts for this channel
    #[schemars(with = "Option<Id>")]
    channel: Option<String>,
    /// Only posts created at this time or later
    #[schemars(with = "Option<Time>")]
    from: Option<Timestamp>,
    /// Only posts created before this time
    #[schemars(with = "Option<Time>")]
    to: Option<Timestamp>,
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListPosts {}

/// A page of posts, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct PostList {
    posts: Vec<ManagedPost>,
    /// The number of posts on all pages together
    total: u64,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(POSTS, list_posts)
        .describe(Tag::Posts, "list_posts", "List the brand's posts")
        .details("If posts are long, a page has fewer than `limit`.")
        .query::<ListPosts>()
        .json::<PostList>(200, "The posts")
}

async fn list_posts(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ListPosts>,
) -> Result<Json<PostList>, Problem> {
    let ListPosts { status, channel, from, to, limit, cursor } = query;
    let filter = PostFilter { status, channel, from, to, ..PostFilter::default() };
    let (records, brand, filter) = (&app.context.records, &manager.brand_id, &filter);
    let read = |after: Option<Cursor>, limit| async move {
        records.posts(brand, filter, after.as_ref(), limit).await
    };
    let cursor_of = |post: &Post| Cursor { at: post.created_at, id: post.post_id.clone() };
    let listing = Listing::read_in_steps(limit.get(), cursor, read, cursor_of, ManagedPost::from).await?;
    Ok(Json(PostList { posts: listing.items, total: listing.total, next_cursor: listing.next_cursor }))
}

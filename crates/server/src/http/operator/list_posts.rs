use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::BrandId;
use svc_mcp_store::Cursor;
use svc_mcp_tools::{
    page::Listing,
    posts::{Post, PostFilter, TargetStatus},
};

use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, CursorText, Id},
        },
        operation::{Operation, Tag},
        posts::ManagedPost,
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListPosts {
    /// The brand whose posts are listed
    #[schemars(with = "Id")]
    brand: BrandId,
    /// Only posts that have this status on at least one channel
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = TargetStatus::NAMES))]
    status: Option<TargetStatus>,
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListPosts {}

/// A page of posts, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct OperatorPostList {
    posts: Vec<ManagedPost>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/posts", list_posts)
        .describe(Tag::Operator, "operator_list_posts", "List the posts of a brand")
        .details(
            "If posts are long, a page has fewer than `limit`. For the failed posts of all brands, list the jobs of the kind \
             `publish` that have failed.",
        )
        .query::<ListPosts>()
        .json::<OperatorPostList>(200, "The posts")
}

async fn list_posts(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListPosts>,
) -> Result<Json<OperatorPostList>, Problem> {
    let ListPosts { brand, status, limit, cursor } = query;
    if app.store.brand(&brand).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let filter = PostFilter { status, ..PostFilter::default() };
    let (records, brand, filter) = (&app.context.records, &brand, &filter);
    let read = |after: Option<Cursor>, limit| async move {
        records.posts(brand, filter, after.as_ref(), limit).await
    };
    let cursor_of = |post: &Post| Cursor { at: post.created_at, id: post.post_id.clone() };
    let listing = Listing::read_in_steps(limit.get(), cursor, read, cursor_of, ManagedPost::from).await?;
    Ok(Json(OperatorPostList { posts: listing.items, next_cursor: listing.next_cursor }))
}

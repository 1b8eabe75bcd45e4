//! A brand's posts, as people read, change and stop them. The rules are those of the tools.

mod body;
pub(crate) mod cancel;
pub(crate) mod delete;
mod edit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod patch;
pub(crate) mod publish;
pub(crate) mod retry;
mod view;
pub(crate) mod withdraw;

use svc_mcp_access::{BrandId, id::is_id};
use svc_mcp_tools::posts::Post;
pub(crate) use view::ManagedPost;

use super::problem::Problem;
use crate::app::App;

const POSTS: &str = "/api/brands/{brand_id}/posts";
const POST: &str = "/api/brands/{brand_id}/posts/{post_id}";
const OPERATOR_POST: &str = "/api/admin/brands/{brand_id}/posts/{post_id}";

async fn find_post(app: &App, brand: &BrandId, post_id: &str) -> Result<Post, Problem> {
    if !is_id(post_id) {
        return Err(Problem::not_found("post"));
    }
    let post = app.context.records.post(brand, post_id).await?;
    post.ok_or_else(|| Problem::not_found("post"))
}

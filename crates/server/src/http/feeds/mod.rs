//! A brand's public feed: what it has published on the channel `feed`, as Atom, as JSON Feed and as pages.

pub(crate) mod atom;
pub(crate) mod json_feed;
pub(crate) mod post_page;

use svc_mcp_access::{Brand, BrandId};
use svc_mcp_tools::posts::{Post, Target};

use super::problem::Problem;
use crate::app::App;

const MAX_ENTRIES: u32 = 50;

async fn find_brand(app: &App, brand_id: &BrandId) -> Result<Brand, Problem> {
    let brand = app.store.brand(brand_id).await?;
    brand.map(|(brand, _)| brand).ok_or_else(|| Problem::not_found("feed"))
}

/// A brand without a published post, and one that is suspended, is answered like a brand that does not exist, after the same query.
async fn published(app: &App, brand_id: &BrandId) -> Result<(Brand, Vec<(Post, Target)>), Problem> {
    let posts = app.store.feed(brand_id, MAX_ENTRIES).await?;
    if posts.is_empty() {
        return Err(Problem::not_found("feed"));
    }
    let brand = find_brand(app, brand_id).await?;
    let with_target = |mut post: Post| post.targets.pop().map(|target| (post, target));
    Ok((brand, posts.into_iter().filter_map(with_target).collect()))
}

use std::sync::Arc;

use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::{Value, json};
use svc_mcp_access::BrandId;
use svc_mcp_tools::posts::{Post, Target};

use super::published;
use crate::{
    app::App,
    http::{
        extract::{PathIds, schemas::AnyObject},
        operation::{Operation, Tag},
        pages::Document,
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/feeds/{brand_id}/feed.json", json_feed)
        .describe(Tag::Public, "json_feed", "The brand's feed as JSON Feed 1.1")
        .details("404 until something is published, and while the brand is suspended.")
        .content::<AnyObject>(200, "application/feed+json", "The feed")
}

async fn json_feed(
    State(app): State<Arc<App>>,
    PathIds(brand_id): PathIds<BrandId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (brand, posts) = published(&app, &brand_id).await?;
    let items: Vec<_> = posts.iter().map(|(post, target)| feed_item(post, target)).collect();
    let feed = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": brand.name,
        "home_page_url": brand.website,
        "feed_url": format!("{}/feeds/{brand_id}/feed.json", app.public_url),
        "items": items,
    });
    Ok(Document::new(feed.to_string(), "application/feed+json; charset=utf-8").answer(&headers))
}

fn feed_item(post: &Post, target: &Target) -> Value {
    let mut item = json!({
        "id": post.post_id,
        "url": target.url,
        "content_text": post.text,
        "date_published": target.published_at.unwrap_or(post.created_at),
    });
    if let Some(title) = &post.title {
        item["title"] = json!(title);
    }
    if let Some(link) = &post.link {
        item["external_url"] = json!(link);
    }
    if let Some(image) = post.media.first() {
        item["image"] = json!(image.url);
    }
    item
}

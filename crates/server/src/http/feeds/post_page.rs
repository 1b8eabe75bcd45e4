use std::{fmt::Write, sync::Arc};

use axum::{extract::State, response::Response};
use http::HeaderMap;
use svc_mcp_access::{Brand, BrandId, id::is_id};
use svc_mcp_tools::posts::{FEED, Post, TargetStatus};

use super::find_brand;
use crate::{
    app::App,
    http::{
        extract::PathIds,
        markup::escaped,
        operation::{Operation, Tag},
        pages::Document,
        problem::{Code, Problem},
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/feeds/{brand_id}/posts/{post_id}", post_page)
        .describe(Tag::Public, "post_page", "One post of the feed as a page")
        .details("410 after the post was withdrawn, 404 while the brand is suspended.")
        .text("text/html", "The post")
}

async fn post_page(
    State(app): State<Arc<App>>,
    PathIds((brand_id, post_id)): PathIds<(BrandId, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if !is_id(&post_id) {
        return Err(Problem::not_found("post"));
    }
    if app.store.brand_suspension(&brand_id).await?.is_some() {
        return Err(Problem::not_found("post"));
    }
    let post = app.context.records.post(&brand_id, &post_id).await?;
    let post = post.ok_or_else(|| Problem::not_found("post"))?;
    let in_feed = post.targets.iter().find(|target| target.channel == FEED);
    match in_feed.map(|target| target.status) {
        Some(TargetStatus::Published) => {}
        Some(TargetStatus::Withdrawn) => return Err(Problem::new(Code::Gone, "The post was withdrawn.")),
        _ => return Err(Problem::not_found("post")),
    }
    let brand = find_brand(&app, &brand_id).await?;
    Ok(Document::new(write_page(&brand, &post), "text/html; charset=utf-8").answer(&headers))
}

fn write_page(brand: &Brand, post: &Post) -> String {
    let title = post.title.as_deref().unwrap_or(&brand.name);
    let mut html = format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n</head>\n<body>\n<article>\n<h1>{title}</h1>\n",
        title = escaped(title),
    );
    for paragraph in post.text.split("\n\n") {
        let _ = writeln!(html, "<p>{}</p>", escaped(paragraph));
    }
    if let Some(link) = &post.link {
        let _ = writeln!(html, "<p><a rel=\"nofollow noopener\" href=\"{0}\">{0}</a></p>", escaped(link));
    }
    let _ = write!(
        html,
        "<footer><a href=\"{}\">{}</a></footer>\n</article>\n</body>\n</html>\n",
        escaped(&brand.website),
        escaped(&brand.name)
    );
    html
}

//! A brand's public feed: what it has published on the channel `feed`, as Atom, as JSON Feed and as pages.

use std::{fmt::Write, sync::Arc};

use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::json;
use svc_mcp_access::{Brand, BrandId, id::is_id};
use svc_mcp_tools::posts::{FEED, Post, Target};

use super::{admin::PathIds, pages::Document, problem::Problem};
use crate::app::App;

const ENTRIES: u32 = 50;

/// The brand's feed as Atom
#[utoipa::path(get, path = "/feeds/{brand_id}/atom.xml", tag = "public", security(()),
    params(("brand_id" = String, Path)),
    responses((status = 200, description = "The feed", body = String, content_type = "application/atom+xml")))]
pub(crate) async fn atom(
    State(app): State<Arc<App>>,
    PathIds(brand_id): PathIds<BrandId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (brand, posts) = published(&app, &brand_id).await?;
    Ok(Document::new(atom_of(&app.public_url, &brand, &posts), "application/atom+xml; charset=utf-8")
        .answer(&headers))
}

/// The brand's feed as JSON Feed 1.1
#[utoipa::path(get, path = "/feeds/{brand_id}/feed.json", tag = "public", security(()),
    params(("brand_id" = String, Path)),
    responses((status = 200, description = "The feed", body = Object, content_type = "application/feed+json")))]
pub(crate) async fn json_feed(
    State(app): State<Arc<App>>,
    PathIds(brand_id): PathIds<BrandId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (brand, posts) = published(&app, &brand_id).await?;
    let items: Vec<_> = posts.iter().map(|(post, target)| item_of(post, target)).collect();
    let feed = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": brand.name,
        "home_page_url": brand.website,
        "feed_url": format!("{}/feeds/{brand_id}/feed.json", app.public_url),
        "items": items,
    });
    Ok(Document::new(feed.to_string(), "application/feed+json; charset=utf-8").answer(&headers))
}

/// One post of the feed as a page
#[utoipa::path(get, path = "/feeds/{brand_id}/posts/{post_id}", tag = "public", security(()),
    params(("brand_id" = String, Path), ("post_id" = String, Path)),
    responses((status = 200, description = "The post", body = String, content_type = "text/html")))]
pub(crate) async fn post_page(
    State(app): State<Arc<App>>,
    PathIds((brand_id, post_id)): PathIds<(BrandId, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if !is_id(&post_id) {
        return Err(Problem::not_found("post"));
    }
    let post = app.means.records.post(&brand_id, &post_id).await?;
    let in_feed = |target: &Target| target.channel == FEED && target.published_at.is_some();
    let post =
        post.filter(|post| post.targets.iter().any(in_feed)).ok_or_else(|| Problem::not_found("post"))?;
    let brand = brand_of(&app, &brand_id).await?;
    Ok(Document::new(page_of(&brand, &post), "text/html; charset=utf-8").answer(&headers))
}

async fn brand_of(app: &App, brand_id: &BrandId) -> Result<Brand, Problem> {
    let brand = app.store.brand(brand_id).await?;
    brand.map(|(brand, _)| brand).ok_or_else(|| Problem::not_found("feed"))
}

async fn published(app: &App, brand_id: &BrandId) -> Result<(Brand, Vec<(Post, Target)>), Problem> {
    let brand = brand_of(app, brand_id).await?;
    let posts = app.store.feed(brand_id, ENTRIES).await?;
    let with_target = |mut post: Post| post.targets.pop().map(|target| (post, target));
    Ok((brand, posts.into_iter().filter_map(with_target).collect()))
}

fn item_of(post: &Post, target: &Target) -> serde_json::Value {
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

fn atom_of(public_url: &str, brand: &Brand, posts: &[(Post, Target)]) -> String {
    let own = format!("{public_url}/feeds/{}/atom.xml", brand.brand_id);
    let newest = posts.iter().filter_map(|(_, target)| target.published_at).max();
    let updated = newest.unwrap_or(svc_mcp_access::Timestamp::from_millis(0));
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>{own}</id>\n<title>{name}</title>\n<updated>{updated}</updated>\n\
         <link rel=\"self\" href=\"{own}\"/>\n<link rel=\"alternate\" href=\"{website}\"/>\n\
         <author><name>{name}</name></author>\n",
        own = escaped(&own),
        name = escaped(&brand.name),
        website = escaped(&brand.website),
    );
    for (post, target) in posts {
        let at = target.published_at.unwrap_or(post.created_at);
        let url = target.url.as_deref().unwrap_or_default();
        let title = post.title.as_deref().unwrap_or_else(|| post.text.lines().next().unwrap_or_default());
        let _ = write!(
            xml,
            "<entry>\n<id>{url}</id>\n<title>{title}</title>\n<published>{at}</published>\n<updated>{at}</updated>\n\
             <link rel=\"alternate\" href=\"{url}\"/>\n",
            url = escaped(url),
            title = escaped(title),
        );
        if let Some(link) = &post.link {
            let _ = writeln!(xml, "<link rel=\"related\" href=\"{}\"/>", escaped(link));
        }
        let _ = write!(xml, "<content type=\"text\">{}</content>\n</entry>\n", escaped(&post.text));
    }
    xml.push_str("</feed>\n");
    xml
}

fn page_of(brand: &Brand, post: &Post) -> String {
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

/// Safe inside text and quoted attributes of XML and HTML. Characters that XML cannot hold at all are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' | '\r' => safe.push(character),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => {}
            other => safe.push(other),
        }
    }
    safe
}

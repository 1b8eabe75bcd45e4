use std::{fmt::Write, sync::Arc};

use axum::{extract::State, response::Response};
use http::HeaderMap;
use svc_mcp_access::{Brand, BrandId, Timestamp};
use svc_mcp_tools::posts::{Post, Target};

use super::published;
use crate::{
    app::App,
    http::{
        extract::PathIds,
        markup::escaped,
        operation::{Operation, Tag},
        pages::Document,
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/feeds/{brand_id}/atom.xml", atom)
        .describe(Tag::Public, "atom", "The brand's feed as Atom")
        .details("404 until something is published, and while the brand is suspended.")
        .text("application/atom+xml", "The feed")
}

async fn atom(
    State(app): State<Arc<App>>,
    PathIds(brand_id): PathIds<BrandId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (brand, posts) = published(&app, &brand_id).await?;
    let feed = write_feed(&app.public_url, &brand, &posts);
    Ok(Document::new(feed, "application/atom+xml; charset=utf-8").answer(&headers))
}

/// The feed as XML. Public for the fuzz target that reads it back.
pub fn write_feed(public_url: &str, brand: &Brand, posts: &[(Post, Target)]) -> String {
    let own = format!("{public_url}/feeds/{}/atom.xml", brand.brand_id);
    let newest = posts.iter().filter_map(|(_, target)| target.published_at).max();
    let updated = newest.unwrap_or(Timestamp::from_millis(0));
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

//! The texts a search reads: what was crawled before, what the brand posted, and for a site that was never crawled, a
//! few pages of it.

use std::{ops::ControlFlow, time::Duration};

use futures_util::future::join_all;
use svc_mcp_access::{Brand, decision::Unavailable};
use tokio::time::Instant;

use super::{
    corpus::{CorpusText, Origin},
    records::{SourcesRead, count},
};
use crate::{
    Call, Change,
    audit::{Address, AuditChange, PageText, Plan, Scope, crawl},
    net::{Crawler, Outbound},
    posts::PostFilter,
};

/// The start page and what it links to: enough to know what a site is about.
const PAGES_OF_A_SITE: u32 = 5;
const MOST_SITES: usize = 10;
/// After this no further page is asked for, of any site.
const DEADLINE: Duration = Duration::from_secs(8);
/// How long one page may take.
const ONE_PAGE: Duration = Duration::from_secs(3);
const MOST_POSTS: u32 = 100;

#[derive(Debug, Default)]
pub(super) struct Material {
    pub(super) texts: Vec<CorpusText>,
    pub(super) notes: Vec<String>,
    /// Pages that were read now are kept for the next time.
    pub(super) changes: Vec<Change>,
}

impl Material {
    pub(super) async fn gather(call: &Call, brand: &Brand) -> Result<Self, Unavailable> {
        let mut material = Self::default();
        let mut pages = call.means.records.page_texts(call.brand_id()).await?;
        let has_own = pages.iter().any(|page| page.is_own);
        let own = Some((brand.website.as_str(), true)).filter(|_| !has_own);
        let rivals = brand.competitors.iter().map(String::as_str).filter(|site| {
            let scope = Scope::new([site]);
            !pages.iter().any(|page| !page.is_own && scope.holds_text(&page.url))
        });
        let unread: Vec<(&str, bool)> =
            own.into_iter().chain(rivals.map(|site| (site, false))).take(MOST_SITES).collect();
        if own.is_some() {
            material.notes.push(
                "The brand's site has not been audited: only a few of its pages were read. run_audit reads them all."
                    .to_owned(),
            );
        }
        let deadline = Instant::now() + DEADLINE;
        let visits =
            unread.iter().map(|(site, is_own)| visit(call.means.outbound.clone(), site, *is_own, deadline));
        for visited in join_all(visits).await {
            match visited {
                Ok((site, texts)) => {
                    pages.extend(texts.iter().cloned());
                    material.changes.push(Change::Audits(AuditChange::KeepTexts { site, texts }));
                }
                Err(note) => material.notes.push(note),
            }
        }
        material.texts.extend(pages.into_iter().map(of_page));
        let posts =
            call.means.records.posts(call.brand_id(), &PostFilter::default(), None, MOST_POSTS).await?;
        material.texts.extend(posts.items.into_iter().map(|post| CorpusText {
            origin: Origin::OwnPosts,
            text: post.title.iter().chain([&post.text]).cloned().collect::<Vec<_>>().join("\n\n"),
            place: post.post_id,
        }));
        Ok(material)
    }

    pub(super) fn read(&self) -> SourcesRead {
        let of = |origin| count(self.texts.iter().filter(|text| text.origin == origin).count());
        SourcesRead {
            own_pages: of(Origin::OwnPages),
            own_posts: of(Origin::OwnPosts),
            competitor_pages: of(Origin::CompetitorPages),
            ..SourcesRead::default()
        }
    }
}

fn of_page(page: PageText) -> CorpusText {
    CorpusText {
        origin: if page.is_own { Origin::OwnPages } else { Origin::CompetitorPages },
        text: page.title.into_iter().chain([page.text]).collect::<Vec<_>>().join("\n\n"),
        place: page.url,
    }
}

/// A few pages of a site, by its robots.txt; or why there are none.
async fn visit(
    outbound: Outbound,
    start: &str,
    is_own: bool,
    deadline: Instant,
) -> Result<(String, Vec<PageText>), String> {
    let plan = Plan {
        max_pages: PAGES_OF_A_SITE,
        max_depth: Some(1),
        include_sitemap: false,
        max_tried: 0,
        ..Plan::new(start)
    };
    let crawler = Crawler::new(outbound, Scope::new([start])).within(ONE_PAGE);
    let mut watch =
        |_: &_| if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    // A site that asks for long pauses is left before it is through; its pages are not worth the wait.
    let crawling = tokio::time::timeout_at(deadline + ONE_PAGE, crawl(&plan, &crawler, &mut watch));
    let unread = |why: &str| format!("{start} could not be read: {why}.");
    let site = crawling
        .await
        .map_err(|_| unread("it took too long"))?
        .map_err(|fault| unread(&fault.to_string()))?;
    let texts = PageText::of(&site, is_own);
    if texts.is_empty() {
        let fault = site.pages.first().and_then(|page| page.fault.as_ref()).map(ToString::to_string);
        return Err(unread(&fault.unwrap_or_else(|| "it has no text that may be read".to_owned())));
    }
    let origin = Address::parse(&site.start).map(|start| start.origin()).unwrap_or_default();
    Ok((origin, texts))
}

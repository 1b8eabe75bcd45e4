//! Loads the texts for a search: stored pages, the brand's published posts, and a few pages of each site that was never crawled.

use std::{ops::ControlFlow, time::Duration};

use futures_util::future::join_all;
use svc_mcp_access::{Brand, StoreError};
use tokio::time::Instant;

use super::{
    corpus::{CorpusText, MAX_TEXTS, TextOrigin},
    records::{SourcesRead, to_u32},
};
use crate::{
    Call, Change,
    audit::{
        AuditChange, CrawlPlan, CrawlPlanError, CrawlScope, OutboundFetch, PageText, PageTextQuery, PageUrl,
        crawl, fetch::FetchError,
    },
    cpu_pool::BrandCpu,
    net::Outbound,
    posts::{PostFilter, TargetStatus},
};

/// The start page and some pages that it links to show what a site is about.
const MAX_SITE_PAGES: u32 = 5;
const MAX_SITES: usize = 10;
/// After this time no further page of any site is requested.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);
const PAGE_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_POSTS: u32 = 100;
/// The stored texts of one side.
const MAX_TEXT_BYTES: u32 = 4 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct LoadedCorpus {
    pub(super) texts: Vec<CorpusText>,
    pub(super) notes: Vec<String>,
    /// Stores the pages that were read now.
    pub(super) changes: Vec<Change>,
}

/// Why no text of a site was read.
#[derive(Debug, thiserror::Error)]
enum CrawlSiteError {
    #[error("it took too long")]
    Timeout,
    #[error(transparent)]
    Plan(#[from] CrawlPlanError),
    #[error(transparent)]
    Fetch(FetchError),
    #[error("it has no text that robots.txt allows to read")]
    NoText,
}

impl LoadedCorpus {
    pub(super) async fn load(call: &Call, brand: &Brand) -> Result<Self, StoreError> {
        let mut corpus = Self::default();
        let mut pages = Vec::new();
        for is_own in [true, false] {
            let query = PageTextQuery { is_own, max_texts: MAX_TEXTS, max_bytes: MAX_TEXT_BYTES };
            let stored = call.context.records.page_texts(call.brand_id(), query).await?;
            if stored.is_limited {
                let whose = if is_own { "the brand's" } else { "competitors'" };
                let count = stored.texts.len();
                corpus
                    .notes
                    .push(format!("There are many pages: only {count} of {whose} pages were searched."));
            }
            pages.extend(stored.texts);
        }
        let has_own = pages.iter().any(|page| page.is_own);
        let own = Some((brand.website.as_str(), true)).filter(|_| !has_own);
        let competitors = brand.competitors.iter().map(String::as_str).filter(|site| {
            let scope = CrawlScope::new([site]);
            !pages.iter().any(|page| !page.is_own && scope.contains_str(&page.url))
        });
        let unread: Vec<(&str, bool)> =
            own.into_iter().chain(competitors.map(|site| (site, false))).take(MAX_SITES).collect();
        // An earlier search may have stored a few pages.
        if call.context.records.newest_audit(call.brand_id(), false).await?.is_none() {
            corpus.notes.push(
                "The brand's site has not been audited, so only a few of its pages were read. Call run_audit to read all."
                    .to_owned(),
            );
        }
        let deadline = Instant::now() + LOAD_TIMEOUT;
        let cpu = call.context.cpu.for_brand(call.brand_id());
        let crawls = unread
            .iter()
            .map(|(site, is_own)| crawl_site(&call.context.outbound, &cpu, site, *is_own, deadline));
        for ((start, _), crawled) in unread.iter().zip(join_all(crawls).await) {
            match crawled {
                Ok((site, texts)) => {
                    pages.extend(texts.iter().cloned());
                    corpus.changes.push(Change::Audits(AuditChange::KeepTexts { site, texts }));
                }
                Err(error) => corpus.notes.push(format!("{start} could not be read: {error}.")),
            }
        }
        corpus.texts.extend(pages.into_iter().map(|page| CorpusText {
            origin: if page.is_own { TextOrigin::OwnPages } else { TextOrigin::CompetitorPages },
            text: with_title(page.title, page.text),
            location: page.url,
        }));
        // A draft closes no gap: nobody can find it.
        let published = PostFilter { status: Some(TargetStatus::Published), ..PostFilter::default() };
        let posts = call.context.records.posts(call.brand_id(), &published, None, MAX_POSTS).await?;
        corpus.texts.extend(posts.items.into_iter().map(|post| CorpusText {
            origin: TextOrigin::OwnPosts,
            text: with_title(post.title, post.text),
            location: post.post_id,
        }));
        Ok(corpus)
    }

    pub(super) fn sources_read(&self) -> SourcesRead {
        let count = |origin| to_u32(self.texts.iter().filter(|text| text.origin == origin).count());
        SourcesRead {
            own_pages: count(TextOrigin::OwnPages),
            own_posts: count(TextOrigin::OwnPosts),
            competitor_pages: count(TextOrigin::CompetitorPages),
            ..SourcesRead::default()
        }
    }
}

fn with_title(title: Option<String>, text: String) -> String {
    title.into_iter().chain([text]).collect::<Vec<_>>().join("\n\n")
}

/// Reads a few pages of a site, as its robots.txt allows. Returns the origin of the site and the texts.
async fn crawl_site(
    outbound: &Outbound,
    cpu: &BrandCpu,
    start: &str,
    is_own: bool,
    deadline: Instant,
) -> Result<(String, Vec<PageText>), CrawlSiteError> {
    let plan = CrawlPlan {
        max_pages: MAX_SITE_PAGES,
        max_depth: Some(1),
        include_sitemap: false,
        max_tried: 0,
        // Many sites are read at the same time.
        per_host: 1,
        ..CrawlPlan::new(start)
    };
    let crawler = OutboundFetch::new(outbound.clone(), CrawlScope::new([start]), cpu.clone())
        .with_timeout(PAGE_TIMEOUT);
    let mut stop_at_deadline =
        |_: &_| if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    // A site whose robots.txt demands long delays is abandoned.
    let crawling =
        tokio::time::timeout_at(deadline + PAGE_TIMEOUT, crawl(&plan, &crawler, &mut stop_at_deadline));
    let site = crawling.await.map_err(|_| CrawlSiteError::Timeout)??;
    let texts = PageText::of(&site, is_own);
    if texts.is_empty() {
        let error = site.pages.into_iter().next().and_then(|page| page.error);
        return Err(error.map_or(CrawlSiteError::NoText, CrawlSiteError::Fetch));
    }
    let origin = PageUrl::parse(&site.start).map(|start| start.origin()).unwrap_or_default();
    Ok((origin, texts))
}

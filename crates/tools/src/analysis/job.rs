//! The job handler for analyses: loads the texts, then analyses them.

use std::{ops::ControlFlow, time::Duration};

use async_trait::async_trait;
use svc_mcp_access::{Brand, BrandId};

use super::{
    AnalysisChange, AnalysisKind, AnalysisRequest, AnalysisResult, AnalysisScope, DEFAULT_SIMILARITY,
    Document, MAX_TEXT_BYTES, NamedText, TrackedName, analyse_content, content_gap, count_mentions, detect,
    findings::findings_of, named_text::distinct_pages, near_duplicates, rank_texts,
    run_analysis::crawl_scope,
};
use crate::{
    Change,
    audit::{
        AuditChange, CrawlPlan, CrawlScope, OutboundFetch, Page, PageText, PageTextQuery, PageUrl, Progress,
        StopReason, crawl_until,
        fetch::{Fetch, FetchRequest, Method},
    },
    jobs::{Deadline, Job, JobContext, JobError, JobHandler, JobKind},
    posts::{Post, PostFilter, TargetStatus},
};

const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;
const MAX_REDIRECTS: usize = 5;
/// Pages read of the brand's site if no audit has read it.
const MAX_OWN_PAGES: u32 = 30;
const MAX_COMPETITOR_PAGES: u32 = 10;
const MAX_COMPETITORS: usize = 10;
const MAX_POSTS: u32 = 100;
/// The time for reading sites. Sites that were not read until then are listed in `unread`.
const READ_TIMEOUT: Duration = Duration::from_mins(8);
/// The time for the whole analysis.
const ANALYSIS_TIMEOUT: Duration = Duration::from_mins(10);
/// The stored texts of the brand's site.
const MAX_TEXTS: u32 = 1_000;
const MAX_TEXTS_BYTES: u32 = 8 * 1024 * 1024;
/// The pages of a ranking.
const MAX_RANKED_TEXTS: u32 = 200;

#[derive(Debug)]
pub struct AnalysisHandler;

#[async_trait]
impl JobHandler for AnalysisHandler {
    fn kind(&self) -> JobKind {
        JobKind::Analysis
    }

    fn max_attempts(&self) -> u32 {
        3
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let deadline = Deadline::new(&context.clock, ANALYSIS_TIMEOUT);
        tokio::select! {
            result = run_analysis(job, context) => result,
            () = deadline.passed() => Err(JobError::Failed(
                "The analysis did not end within 10 minutes. Use a shorter text or fewer sites.".into(),
            )),
        }
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let (analysis_id, reason) = (job.subject.clone(), reason.to_owned());
        vec![Change::Analyses(AnalysisChange::Fail { analysis_id, reason })]
    }
}

async fn run_analysis(job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
    let (brand_id, analysis_id) = (&job.brand_id, job.subject.clone());
    let found = context.records.analysis(brand_id, &analysis_id).await?;
    let request = found.ok_or_else(|| JobError::Failed("The analysis no longer exists.".into()))?.request;
    context
        .commit_progress(job, &[Change::Analyses(AnalysisChange::Begin { analysis_id: analysis_id.clone() })])
        .await?;
    let brand = context.records.profile(brand_id).await?.brand.clone();
    let mut input = AnalysisInput::load(&request, &brand, context, brand_id).await?;
    let mut changes = std::mem::take(&mut input.changes);
    let analysing = context.cpu.run(brand_id, move || analyse(&request, &brand, input));
    let result =
        analysing.await.map_err(|_| JobError::Failed("The analysis stopped unexpectedly.".into()))?;
    let result = serde_json::to_value(result).expect("a result is plain JSON");
    changes.push(Change::Analyses(AnalysisChange::Finish { analysis_id, result }));
    Ok(changes)
}

/// The sites that an analysis reads.
#[derive(Default)]
struct Needs {
    own: bool,
    competitors: bool,
}

/// The texts to analyse.
#[derive(Debug, Default)]
struct AnalysisInput {
    /// The text or page that the request names. A page has its address after redirects.
    subject: Option<(String, Document)>,
    own: Vec<PageText>,
    competitors: Vec<PageText>,
    posts: Vec<Post>,
    unread: Vec<String>,
    changes: Vec<Change>,
}

impl AnalysisInput {
    async fn load(
        request: &AnalysisRequest,
        brand: &Brand,
        context: &JobContext,
        brand_id: &BrandId,
    ) -> Result<Self, JobError> {
        let mut input = Self::default();
        let deadline = Deadline::new(&context.clock, READ_TIMEOUT);
        if let Some(text) = &request.text {
            input.subject = Some(("the given text".to_owned(), Document::from_markdown(text)));
        } else if let Some(url) = &request.url {
            input.subject = Some(read_page(context, brand_id, &crawl_scope(brand), url).await?);
        }
        let needs = match request.kind {
            AnalysisKind::Content | AnalysisKind::BrandMentions if input.subject.is_some() => {
                return Ok(input);
            }
            AnalysisKind::Content => {
                Needs { own: request.scope == Some(AnalysisScope::Pages), ..Needs::default() }
            }
            AnalysisKind::Duplicates => Needs { own: true, ..Needs::default() },
            AnalysisKind::Gap => Needs { own: input.subject.is_none(), competitors: true },
            AnalysisKind::BrandMentions => Needs { own: true, competitors: true },
        };
        if needs.own {
            let max_texts = if request.scope.is_some() { MAX_RANKED_TEXTS } else { MAX_TEXTS };
            let query = PageTextQuery { is_own: true, max_texts, max_bytes: MAX_TEXTS_BYTES };
            let stored = context.records.page_texts(brand_id, query).await?;
            input.own = stored.texts;
            if stored.is_limited {
                let count = input.own.len();
                input.unread.push(format!("{}: only {count} of its pages were read.", brand.website));
            }
            if input.own.is_empty() {
                let site = (brand.website.as_str(), MAX_OWN_PAGES);
                input.own = input.crawl_site(context, brand_id, &deadline, site, true).await;
            }
        }
        if needs.competitors {
            let requested = &request.competitor_urls;
            let sites = if requested.is_empty() { &brand.competitors } else { requested };
            for start in sites.iter().take(MAX_COMPETITORS) {
                let site = (start.as_str(), MAX_COMPETITOR_PAGES);
                let pages = input.crawl_site(context, brand_id, &deadline, site, false).await;
                input.competitors.extend(pages);
            }
        }
        let needs_posts = match request.scope {
            Some(scope) => scope == AnalysisScope::Posts,
            None => request.kind != AnalysisKind::Gap,
        };
        if needs_posts {
            let status = request.scope.map(|_| TargetStatus::Published);
            let filter = PostFilter { status, ..PostFilter::default() };
            input.posts = context.records.posts(brand_id, &filter, None, MAX_POSTS).await?.items;
        }
        Ok(input)
    }

    /// Reads some pages of a site, as its robots.txt allows. Keyword research uses the stored texts too.
    async fn crawl_site(
        &mut self,
        context: &JobContext,
        brand_id: &BrandId,
        deadline: &Deadline,
        (start, max_pages): (&str, u32),
        is_own: bool,
    ) -> Vec<PageText> {
        let plan = CrawlPlan { max_pages, include_sitemap: false, max_tried: 0, ..CrawlPlan::new(start) };
        let cpu = context.cpu.for_brand(brand_id);
        let crawler = OutboundFetch::new(context.outbound.clone(), CrawlScope::new([start]), cpu);
        let observer = &mut |_: &Progress| ControlFlow::Continue(());
        let site = match crawl_until(deadline.passed(), &plan, &crawler, observer).await {
            Ok(site) => site,
            Err(error) => {
                self.unread.push(format!("{start}: {error}"));
                return Vec::new();
            }
        };
        let texts = PageText::of(&site, is_own);
        if site.end == StopReason::TimedOut {
            let pages = if texts.is_empty() { "no page was" } else { "not all pages were" };
            self.unread.push(format!("{start}: {pages} read within 8 minutes."));
        } else if texts.is_empty() {
            let reason = site
                .unreachable_reason()
                .unwrap_or_else(|| format!("{start} has no pages that can be read."));
            self.unread.push(reason);
        }
        if let Some(address) = PageUrl::parse(&site.start).filter(|_| !texts.is_empty()) {
            let keep = AuditChange::KeepTexts { site: address.origin(), texts: texts.clone() };
            self.changes.push(Change::Audits(keep));
        }
        texts
    }
}

/// Reads one page. Redirects are followed within `scope`.
async fn read_page(
    context: &JobContext,
    brand_id: &BrandId,
    scope: &CrawlScope,
    url: &str,
) -> Result<(String, Document), JobError> {
    let cpu = context.cpu.for_brand(brand_id);
    let crawler = OutboundFetch::new(context.outbound.clone(), scope.clone(), cpu.clone());
    let unreadable = |reason: &str| JobError::Failed(format!("{url} could not be read: {reason}."));
    let mut address = PageUrl::parse(url).ok_or_else(|| unreadable("it is not an http or https URL"))?;
    for _ in 0..=MAX_REDIRECTS {
        let request =
            FetchRequest { url: address.clone(), method: Method::Get, max_body_bytes: MAX_PAGE_BYTES };
        let fetched = crawler.fetch(request).await.map_err(|error| unreadable(&error.to_string()))?;
        let at_address = address.clone();
        let reading = cpu.run(move || Page::with_text(&at_address, &fetched, MAX_TEXT_BYTES));
        let page = reading.await.map_err(|_| unreadable("its content could not be parsed"))?;
        if let Some(next) = page.redirect_to.as_deref().and_then(PageUrl::parse) {
            address = next;
            continue;
        }
        let status = page.status.unwrap_or_default();
        return match page.live() {
            Some(html) => Ok((address.to_string(), Document { is_page: true, ..html.document() })),
            None if page.is_broken() => Err(unreadable(&format!("it responded with status {status}"))),
            None => Err(unreadable("it is not an HTML page")),
        };
    }
    Err(unreadable("it has too many redirects"))
}

fn analyse(request: &AnalysisRequest, brand: &Brand, input: AnalysisInput) -> AnalysisResult {
    let subject = input.subject.as_ref().map(|(name, document)| (name.as_str(), document.text()));
    let subject = subject.as_ref().map(|(name, text)| NamedText { name, text });
    let ours = distinct_pages(subject.into_iter().chain(input.own.iter().map(named_text)));
    let competitors: Vec<NamedText<'_>> = input.competitors.iter().map(named_text).collect();
    let posts: Vec<NamedText<'_>> =
        input.posts.iter().map(|post| NamedText { name: &post.post_id, text: &post.text }).collect();
    let document = input.subject.as_ref().map(|(_, document)| document);
    let brand_language = brand.language.as_deref();
    let mut result = AnalysisResult::default();
    match request.kind {
        AnalysisKind::Content => {
            if let Some(document) = document {
                result.content = Some(analyse_content(document, &request.target_keywords, brand_language));
            } else {
                let all: Vec<_> = ours.into_iter().chain(posts).collect();
                result.ranking = Some(rank_texts(&all, brand_language));
            }
        }
        AnalysisKind::BrandMentions => {
            let all: Vec<_> = ours.into_iter().chain(competitors).chain(posts).collect();
            result.mentions = Some(count_mentions(&tracked_names(brand), &all, brand_language));
        }
        AnalysisKind::Duplicates => {
            let all: Vec<_> = ours.into_iter().chain(posts).collect();
            result.duplicates = Some(near_duplicates(&all, DEFAULT_SIMILARITY));
        }
        AnalysisKind::Gap => {
            let names: Vec<String> = tracked_names(brand).into_iter().map(|name| name.name).collect();
            let detected = ours.iter().chain(&competitors).filter_map(|source| detect(source.text));
            let detected = detected.filter(|language| language.reliable).map(|language| language.code).next();
            let language = detected.or(brand_language).unwrap_or("en");
            result.gap = Some(content_gap(&ours, &competitors, &names, language));
        }
    }
    result.unread = input.unread;
    result.findings = findings_of(&result, document.is_some_and(|document| document.is_page));
    result
}

fn named_text(page: &PageText) -> NamedText<'_> {
    NamedText { name: &page.url, text: &page.text }
}

/// The names of the brand and its competitors. A competitor's name is taken from its host.
fn tracked_names(brand: &Brand) -> Vec<TrackedName> {
    let host = |url: &str| url::Url::parse(url).ok()?.host_str().map(str::to_owned);
    let own = TrackedName { name: brand.name.clone(), host: host(&brand.website), aliases: Vec::new() };
    let competitors = brand.competitors.iter().filter_map(|url| {
        let host = host(url)?;
        let label = host.trim_start_matches("www.").split('.').next().unwrap_or_default();
        // With a capital letter, so that a name that is also a common word does not match that word.
        let name = label.chars().take(1).flat_map(char::to_uppercase).chain(label.chars().skip(1)).collect();
        Some(TrackedName { name, host: Some(host), aliases: Vec::new() })
    });
    std::iter::once(own).chain(competitors).collect()
}

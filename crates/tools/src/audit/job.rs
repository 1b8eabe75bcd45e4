//! Runs a crawl and its checks as a job.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::{
    AuditChange, CrawlScope, OutboundFetch, Page, PageText, PageUrl, Progress, Site, StopReason, Summary,
    crawl_until, examine,
    fetch::{Fetch, FetchError, FetchRequest, FetchResponse},
};
use crate::{
    Change,
    jobs::{Deadline, Job, JobContext, JobError, JobHandler, JobKind},
};

const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// The time for a whole crawl, with robots.txt and sitemaps. A longer one ends with the pages read so far.
const CRAWL_TIMEOUT: Duration = Duration::from_mins(30);
/// Further issues are counted, but not stored.
const MAX_ISSUES: usize = 20_000;

#[derive(Debug)]
pub struct AuditSite;

#[async_trait]
impl JobHandler for AuditSite {
    fn kind(&self) -> JobKind {
        JobKind::Audit
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let (brand, audit_id) = (&job.brand_id, job.subject.clone());
        let audit = context.records.audit(brand, &audit_id).await?;
        let plan = audit.ok_or_else(|| JobError::Failed("The audit no longer exists.".into()))?.plan;
        let cached = context.records.crawled_pages(brand, &audit_id).await?;
        let fetch = OutboundFetch::new(context.outbound.clone(), CrawlScope::new(&plan.hosts));
        let fetch = ResumingFetch::new(fetch, cached);
        let deadline = Deadline::new(&context.clock, CRAWL_TIMEOUT);
        let latest: Mutex<Option<Progress>> = Mutex::default();
        let mut observer = |progress: &Progress| {
            *lock(&latest) = Some(progress.clone());
            ControlFlow::Continue(())
        };
        let mut crawling = std::pin::pin!(crawl_until(deadline.passed(), &plan, &fetch, &mut observer));
        let site = loop {
            tokio::select! {
                site = &mut crawling => break site.map_err(|error| JobError::Failed(error.to_string()))?,
                () = tokio::time::sleep(PROGRESS_INTERVAL) => {}
            }
            let progress = lock(&latest).take();
            if let Some(progress) = progress {
                let (audit_id, pages) = (audit_id.clone(), fetch.take_new_pages());
                context
                    .commit_progress(
                        job,
                        &[Change::Audits(AuditChange::Advance { audit_id, progress, pages })],
                    )
                    .await?;
            }
        };
        if site.end == StopReason::TimedOut && site.pages.is_empty() {
            return Err(JobError::Failed(format!("No page of {} responded within 30 minutes.", site.start)));
        }
        if let Some(reason) = site.unreachable_reason() {
            return Err(JobError::Failed(reason));
        }
        let finished = tokio::task::spawn_blocking(move || finish(&site, audit_id)).await;
        finished.map_err(|_| JobError::Failed("The checks failed unexpectedly.".into()))
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let (audit_id, reason) = (job.subject.clone(), reason.to_owned());
        vec![Change::Audits(AuditChange::Fail { audit_id, reason })]
    }
}

fn finish(site: &Site, audit_id: String) -> Vec<Change> {
    let mut issues = examine(site);
    let summary = Summary::of(site, &issues);
    issues.truncate(MAX_ISSUES);
    let origin = PageUrl::parse(&site.start).map(|start| start.origin()).unwrap_or_default();
    let texts = AuditChange::KeepTexts { site: origin, texts: PageText::of(site, true) };
    vec![Change::Audits(AuditChange::Finish { audit_id, summary, issues }), Change::Audits(texts)]
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns pages that an interrupted crawl has read already, and collects those that are read now.
struct ResumingFetch<F> {
    fetch: F,
    cached: Mutex<HashMap<String, Page>>,
    new_pages: Mutex<Vec<Page>>,
}

impl<F: Fetch> ResumingFetch<F> {
    fn new(fetch: F, cached: Vec<Page>) -> Self {
        let cached = cached.into_iter().map(|page| (page.url.clone(), page)).collect();
        Self { fetch, cached: Mutex::new(cached), new_pages: Mutex::default() }
    }

    fn take_new_pages(&self) -> Vec<Page> {
        std::mem::take(&mut lock(&self.new_pages))
    }
}

#[async_trait]
impl<F: Fetch> Fetch for ResumingFetch<F> {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        self.fetch.fetch(request).await
    }

    fn cached_page(&self, url: &PageUrl) -> Option<Page> {
        lock(&self.cached).remove(url.as_str())
    }

    async fn sleep(&self, duration: Duration) {
        self.fetch.sleep(duration).await;
    }

    async fn parse_page(&self, parse: Box<dyn FnOnce() -> Page + Send>) -> Page {
        let page = self.fetch.parse_page(parse).await;
        lock(&self.new_pages).push(page.clone());
        page
    }
}

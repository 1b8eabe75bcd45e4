//! Runs a crawl and its checks as a job.

use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::{
    AuditChange, AuditLimit, AuditedPage, CrawlScope, OutboundFetch, PageText, PageUrl, Progress, Site,
    StopReason, Summary, crawl_until, examine,
    fixes::fixes,
    resuming_fetch::{ResumingFetch, StoredPages},
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
        let audit = audit.ok_or_else(|| JobError::Failed("The audit no longer exists.".into()))?;
        let plan = audit.plan;
        let cpu = context.cpu.for_brand(brand);
        let fetch = OutboundFetch::new(context.outbound.clone(), CrawlScope::new(&plan.hosts), cpu);
        // Progress is stored together with the pages read until then.
        let stored = audit.progress.map(|_| StoredPages {
            records: Arc::clone(&context.records),
            brand: brand.clone(),
            audit_id: audit_id.clone(),
        });
        let fetch = ResumingFetch { fetch, stored, unsaved: Mutex::default() };
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
        let language = context.records.profile(brand).await?.brand.language.clone();
        let finished = context.cpu.run(brand, move || finish(&site, audit_id, language.as_deref())).await;
        finished.map_err(|_| JobError::Failed("The checks failed unexpectedly.".into()))
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let (audit_id, reason) = (job.subject.clone(), reason.to_owned());
        vec![Change::Audits(AuditChange::Fail { audit_id, reason })]
    }
}

fn finish(site: &Site, audit_id: String, brand_language: Option<&str>) -> Vec<Change> {
    let mut issues = examine(site);
    let mut summary = Summary::of(site, &issues);
    let fixes = fixes(site, &issues);
    let pages = AuditedPage::all_of(site, &issues, brand_language);
    if issues.len() > MAX_ISSUES {
        summary.limits.insert(AuditLimit::Issues);
        issues.truncate(MAX_ISSUES);
    }
    let origin = PageUrl::parse(&site.start).map(|start| start.origin()).unwrap_or_default();
    let texts = PageText::of(site, true);
    let texts = if summary.is_full() {
        AuditChange::KeepTexts { site: origin, texts }
    } else {
        AuditChange::KeepPartialTexts { site: origin, texts }
    };
    vec![
        Change::Audits(AuditChange::Finish { audit_id, summary, issues, fixes, pages }),
        Change::Audits(texts),
    ]
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The crawl and its checks as a job.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::{
    Address, AuditChange, Page, PageText, Progress, Scope, Site, Summary, crawl, examine,
    fetch::{Fetch, FetchFault, Fetched, Request},
};
use crate::{
    Change,
    jobs::{Job, JobKind, Setback, Work, Workplace},
    net::Crawler,
};

/// How often progress is noted.
const NOTE_EVERY: Duration = Duration::from_secs(1);
/// A crawl that takes longer ends with what it has.
const LONGEST: Duration = Duration::from_hours(1);
/// More issues are counted, and not kept one by one.
const MOST_ISSUES: usize = 20_000;

#[derive(Debug)]
pub struct AuditSite;

#[async_trait]
impl Work for AuditSite {
    fn kind(&self) -> JobKind {
        JobKind::Audit
    }

    async fn run(&self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback> {
        let (brand, audit_id) = (&job.brand_id, job.subject.clone());
        let audit = at.records.audit(brand, &audit_id).await?;
        let plan = audit.ok_or_else(|| Setback::Failed("The audit is gone.".into()))?.plan;
        let known = at.records.crawled_pages(brand, &audit_id).await?;
        let crawler = Crawler::new(at.outbound.clone(), Scope::new(&plan.hosts));
        let memory = Memory::new(crawler, known);
        let started = at.clock.ticks();
        let latest: Mutex<Option<Progress>> = Mutex::default();
        let mut watch = |progress: &Progress| {
            *lock(&latest) = Some(progress.clone());
            let over = at.clock.ticks().since(started) > LONGEST;
            if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut crawling = std::pin::pin!(crawl(&plan, &memory, &mut watch));
        let site = loop {
            tokio::select! {
                site = &mut crawling => break site.map_err(|fault| Setback::Failed(fault.to_string()))?,
                () = tokio::time::sleep(NOTE_EVERY) => {}
            }
            let progress = lock(&latest).take();
            if let Some(progress) = progress {
                let (audit_id, pages) = (audit_id.clone(), memory.learned());
                at.note(job, &[Change::Audits(AuditChange::Advance { audit_id, progress, pages })]).await?;
            }
        };
        if let Some(reason) = unanswered(&site) {
            return Err(Setback::Failed(reason));
        }
        let ended = tokio::task::spawn_blocking(move || finish(&site, audit_id)).await;
        ended.map_err(|_| Setback::Failed("The checks broke off.".into()))
    }

    fn failed(&self, job: &Job, _: &Workplace, reason: &str) -> Vec<Change> {
        let (audit_id, reason) = (job.subject.clone(), reason.to_owned());
        vec![Change::Audits(AuditChange::Fail { audit_id, reason })]
    }
}

fn finish(site: &Site, audit_id: String) -> Vec<Change> {
    let mut issues = examine(site);
    let summary = Summary::of(site, &issues);
    issues.truncate(MOST_ISSUES);
    let origin = Address::parse(&site.start).map(|start| start.origin()).unwrap_or_default();
    let texts = AuditChange::KeepTexts { site: origin, texts: PageText::of(site, true) };
    vec![Change::Audits(AuditChange::Finish { audit_id, summary, issues }), Change::Audits(texts)]
}

/// Why there is nothing to check: not one address answered. A robots.txt that does not answer closes the whole site.
pub(crate) fn unanswered(site: &Site) -> Option<String> {
    if site.pages.iter().any(|page| page.status.is_some()) {
        return None;
    }
    let pages = site.pages.iter().filter_map(|page| page.fault.as_ref());
    let robots = site.robots.iter().filter_map(|file| file.answer.fault.as_ref());
    let fault = pages.chain(robots).next()?;
    Some(format!("{} could not be read: {fault}.", site.start))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives pages that were read before a crawl was cut off, and gathers those that are read now.
struct Memory<F> {
    fetch: F,
    known: Mutex<HashMap<String, Page>>,
    learned: Mutex<Vec<Page>>,
}

impl<F: Fetch> Memory<F> {
    fn new(fetch: F, known: Vec<Page>) -> Self {
        let known = known.into_iter().map(|page| (page.url.clone(), page)).collect();
        Self { fetch, known: Mutex::new(known), learned: Mutex::default() }
    }

    fn learned(&self) -> Vec<Page> {
        std::mem::take(&mut lock(&self.learned))
    }
}

#[async_trait]
impl<F: Fetch> Fetch for Memory<F> {
    async fn fetch(&self, request: Request) -> Result<Fetched, FetchFault> {
        self.fetch.fetch(request).await
    }

    fn remembered(&self, address: &Address) -> Option<Page> {
        lock(&self.known).remove(address.as_str())
    }

    async fn pause(&self, how_long: Duration) {
        self.fetch.pause(how_long).await;
    }

    async fn read(&self, work: Box<dyn FnOnce() -> Page + Send>) -> Page {
        let page = self.fetch.read(work).await;
        lock(&self.learned).push(page.clone());
        page
    }
}

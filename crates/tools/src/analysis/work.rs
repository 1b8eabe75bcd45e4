//! An analysis as a job: the texts it needs are fetched or looked up, then measured.

use std::ops::ControlFlow;

use async_trait::async_trait;
use svc_mcp_access::{Brand, BrandId};

use super::{
    AnalysisChange, AnalysisKind, Document, MAX_TEXT, Measured, NEARLY_ALIKE, Name, Request, Source, content,
    detect, findings, gap, mentions, near_duplicates, run_analysis::reach_of,
};
use crate::{
    Change,
    audit::{
        Address, AuditChange, Page, PageText, Plan, Scope, crawl,
        fetch::{Fetch, Method, Request as PageRequest},
        unanswered,
    },
    jobs::{Job, JobKind, Setback, Work, Workplace},
    net::Crawler,
    posts::{Post, PostFilter},
};

const LARGEST_PAGE: usize = 2 * 1024 * 1024;
const MOST_REDIRECTS: usize = 5;
/// How much of a site is read where it is not known from an audit.
const OWN_PAGES: u32 = 30;
const COMPETITOR_PAGES: u32 = 10;
const MOST_COMPETITORS: usize = 10;
const MOST_POSTS: u32 = 100;

#[derive(Debug)]
pub struct Analyse;

#[async_trait]
impl Work for Analyse {
    fn kind(&self) -> JobKind {
        JobKind::Analysis
    }

    fn most_attempts(&self) -> u32 {
        3
    }

    async fn run(&self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback> {
        let (brand_id, analysis_id) = (&job.brand_id, job.subject.clone());
        let found = at.records.analysis(brand_id, &analysis_id).await?;
        let request = found.ok_or_else(|| Setback::Failed("The analysis is gone.".into()))?.request;
        at.note(job, &[Change::Analyses(AnalysisChange::Begin { analysis_id: analysis_id.clone() })]).await?;
        let brand = at.records.profile(brand_id).await?.brand.clone();
        let mut material = Material::gather(&request, &brand, at, brand_id).await?;
        let mut changes = std::mem::take(&mut material.changes);
        let measuring = tokio::task::spawn_blocking(move || measure(&request, &brand, material));
        let measured = measuring.await.map_err(|_| Setback::Failed("The measuring broke off.".into()))?;
        let result = serde_json::to_value(measured).expect("a result is plain JSON");
        changes.push(Change::Analyses(AnalysisChange::Finish { analysis_id, result }));
        Ok(changes)
    }

    fn failed(&self, job: &Job, _: &Workplace, reason: &str) -> Vec<Change> {
        let (analysis_id, reason) = (job.subject.clone(), reason.to_owned());
        vec![Change::Analyses(AnalysisChange::Fail { analysis_id, reason })]
    }
}

/// The texts an analysis is made of.
#[derive(Debug, Default)]
struct Material {
    /// The text or page that was given.
    given: Option<(String, Document)>,
    own: Vec<PageText>,
    competitors: Vec<PageText>,
    posts: Vec<Post>,
    unread: Vec<String>,
    changes: Vec<Change>,
}

impl Material {
    async fn gather(
        request: &Request,
        brand: &Brand,
        at: &Workplace,
        brand_id: &BrandId,
    ) -> Result<Self, Setback> {
        let mut material = Self::default();
        if let Some(text) = &request.text {
            material.given = Some(("the text given".to_owned(), Document::from_markdown(text)));
        } else if let Some(url) = &request.url {
            material.given = Some((url.clone(), read_page(at, &reach_of(brand), url).await?));
        }
        let (site, others) = match request.kind {
            AnalysisKind::Content => return Ok(material),
            AnalysisKind::BrandMentions if material.given.is_some() => return Ok(material),
            AnalysisKind::Duplicates => (true, false),
            AnalysisKind::Gap => (material.given.is_none(), true),
            AnalysisKind::BrandMentions => (true, true),
        };
        if site {
            let known = at.records.page_texts(brand_id).await?;
            material.own = known.into_iter().filter(|page| page.is_own).collect();
            if material.own.is_empty() {
                material.own = material.read_site(at, &brand.website, OWN_PAGES, true).await;
            }
        }
        if others {
            let named = &request.competitor_urls;
            let starts = if named.is_empty() { &brand.competitors } else { named };
            for start in starts.iter().take(MOST_COMPETITORS) {
                let pages = material.read_site(at, start, COMPETITOR_PAGES, false).await;
                material.competitors.extend(pages);
            }
        }
        if request.kind != AnalysisKind::Gap {
            let filter = PostFilter::default();
            material.posts = at.records.posts(brand_id, &filter, None, MOST_POSTS).await?.items;
        }
        Ok(material)
    }

    /// Some pages of a site, by its robots.txt. They are kept, for keyword research.
    async fn read_site(&mut self, at: &Workplace, start: &str, pages: u32, is_own: bool) -> Vec<PageText> {
        let plan = Plan { max_pages: pages, include_sitemap: false, max_tried: 0, ..Plan::new(start) };
        let crawler = Crawler::new(at.outbound.clone(), Scope::new([start]));
        let site = match crawl(&plan, &crawler, &mut |_| ControlFlow::Continue(())).await {
            Ok(site) => site,
            Err(fault) => {
                self.unread.push(format!("{start}: {fault}"));
                return Vec::new();
            }
        };
        let texts = PageText::of(&site, is_own);
        if texts.is_empty() {
            let reason = unanswered(&site).unwrap_or_else(|| format!("{start} has no pages to read."));
            self.unread.push(reason);
        } else if let Some(address) = Address::parse(&site.start) {
            let keep = AuditChange::KeepTexts { site: address.origin(), texts: texts.clone() };
            self.changes.push(Change::Audits(keep));
        }
        texts
    }
}

/// One page, whole. Redirects are followed as long as they stay within reach.
async fn read_page(at: &Workplace, reach: &Scope, url: &str) -> Result<Document, Setback> {
    let crawler = Crawler::new(at.outbound.clone(), reach.clone());
    let unreadable = |why: &str| Setback::Failed(format!("{url} could not be read: {why}."));
    let mut address = Address::parse(url).ok_or_else(|| unreadable("it is no web address"))?;
    for _ in 0..=MOST_REDIRECTS {
        let request =
            PageRequest { address: address.clone(), method: Method::Get, largest_body: LARGEST_PAGE };
        let fetched = crawler.fetch(request).await.map_err(|fault| unreadable(&fault.to_string()))?;
        let at_address = address.clone();
        let reading = tokio::task::spawn_blocking(move || Page::with_text(&at_address, &fetched, MAX_TEXT));
        let page = reading.await.map_err(|_| unreadable("its content could not be taken apart"))?;
        if let Some(next) = page.redirect_to.as_deref().and_then(Address::parse) {
            address = next;
            continue;
        }
        let status = page.status.unwrap_or_default();
        return match page.live() {
            Some(html) => Ok(html.document()),
            None if page.is_broken() => Err(unreadable(&format!("it answered with status {status}"))),
            None => Err(unreadable("it is not an HTML page")),
        };
    }
    Err(unreadable("it redirects too often"))
}

fn measure(request: &Request, brand: &Brand, material: Material) -> Measured {
    let given = material.given.as_ref().map(|(name, document)| (name.as_str(), document.text()));
    let given = given.as_ref().map(|(name, text)| Source { name, text });
    let own: Vec<Source<'_>> = material.own.iter().map(source_of).collect();
    let competitors: Vec<Source<'_>> = material.competitors.iter().map(source_of).collect();
    let posts: Vec<Source<'_>> =
        material.posts.iter().map(|post| Source { name: &post.post_id, text: &post.text }).collect();
    let mut measured = Measured::default();
    match request.kind {
        AnalysisKind::Content => {
            let document = material.given.as_ref().map(|(_, document)| document);
            measured.content = document.map(|document| content(document, &request.target_keywords));
        }
        AnalysisKind::BrandMentions => {
            let all: Vec<_> = given.into_iter().chain(own).chain(competitors).chain(posts).collect();
            measured.mentions = Some(mentions(&names_of(brand), &all));
        }
        AnalysisKind::Duplicates => {
            let all: Vec<_> = given.into_iter().chain(own).chain(posts).collect();
            measured.duplicates = Some(near_duplicates(&all, NEARLY_ALIKE));
        }
        AnalysisKind::Gap => {
            let ours: Vec<_> = given.into_iter().chain(own).collect();
            let names: Vec<String> = names_of(brand).into_iter().map(|name| name.name).collect();
            let language = ours.iter().chain(&competitors).find_map(|source| detect(source.text));
            let language = language.map_or("en", |language| language.code);
            measured.gap = Some(gap(&ours, &competitors, &names, language));
        }
    }
    measured.unread = material.unread;
    measured.findings = findings::of(&measured);
    measured
}

fn source_of(page: &PageText) -> Source<'_> {
    Source { name: &page.url, text: &page.text }
}

/// The brand and its competitors. A competitor is known by its address, so its name is read from there.
pub(crate) fn names_of(brand: &Brand) -> Vec<Name> {
    let host = |url: &str| url::Url::parse(url).ok()?.host_str().map(str::to_owned);
    let own = Name { name: brand.name.clone(), host: host(&brand.website), aliases: Vec::new() };
    let competitors = brand.competitors.iter().filter_map(|url| {
        let host = host(url)?;
        let label = host.trim_start_matches("www.").split('.').next().unwrap_or_default();
        // With a capital: a name that is also a word is then not found in every sentence with that word.
        let name = label.chars().take(1).flat_map(char::to_uppercase).chain(label.chars().skip(1)).collect();
        Some(Name { name, host: Some(host), aliases: Vec::new() })
    });
    std::iter::once(own).chain(competitors).collect()
}

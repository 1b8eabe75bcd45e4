use std::{sync::Arc, time::Duration};

use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Brand, BrandId, Fault, KeyId, Timestamp, ToolAccess, id};

use super::{Audit, AuditChange, AuditView, CrawlPlan, CrawlScope, Fix, PageUrl};
use crate::{
    Change, Records,
    jobs::{JobKind, MAX_WAIT_SECONDS, NewJob, StartedJob, WorkStatus},
    net::{MAX_URL_CHARS, parse_http_url},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct RunAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Default: the brand's website.
    #[schemars(length(min = 1, max = MAX_URL_CHARS), extend("format" = "uri"))]
    start_url: Option<String>,
    /// An audit that leaves out pages is partial.
    #[serde(default = "default_max_pages")]
    #[schemars(range(min = 1, max = MAX_PAGES))]
    max_pages: u32,
    /// Clicks from the start page. Default: no limit.
    #[schemars(range(min = 0, max = 50))]
    max_depth: Option<u32>,
    /// Visit pages that are only in a sitemap.
    #[serde(default = "default_include_sitemap")]
    include_sitemap: bool,
    /// How long to wait for the result.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT_SECONDS))]
    wait_seconds: u32,
}

const MAX_PAGES: u32 = 1000;

fn default_max_pages() -> u32 {
    100
}

fn default_include_sitemap() -> bool {
    true
}

impl Tool for RunAudit {
    type Arguments = Arguments;
    type Output = StartedJob<AuditView>;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "run_audit",
        title: "Audit the site",
        description: "Crawls the brand's own site within its robots.txt and runs 63 checks on it: broken pages, links and \
            images, redirects, titles, descriptions, duplicates, canonicals, hreflang, sitemaps, structured data, \
            security headers, AI bots. With `wait_seconds` it waits and returns the finished audit in `result`. \
            Otherwise call `get_audit` with the `id` after `poll_after_ms` until its status is `done`, and see \
            `fixes` for what to do first. An audit that does not visit all pages it finds is partial: do not take \
            its score for that of the site. If the same audit is queued or running, that one is returned.",
        example: r#"{"max_pages": 50, "wait_seconds": 20}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let url = arguments.start_url.as_deref().map(parse_http_url);
        url.and_then(Result::err).map(|error| Fault::new("start_url", error)).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let profile = call.profile().await?;
        let plan = plan(&profile.brand.website, &arguments)?;
        let wait = Duration::from_secs(arguments.wait_seconds.into());
        let open = call.context.records.open_audits(call.brand_id()).await?;
        if let Some(open) = open.into_iter().find(|open| open.plan.is_same_crawl(&plan)) {
            return Ok(Outcome::new(started(open, Vec::new())).waiting(
                call,
                &profile.plan.quotas,
                wait,
                ended_audit,
            ));
        }
        let key = call.caller.key_state.key_id.clone();
        let (audit, changes) = order(plan, key, call.now, &mut call.context.entropy.clone());
        Ok(Outcome::new(started(audit, Vec::new())).with_changes(changes).waiting(
            call,
            &profile.plan.quotas,
            wait,
            ended_audit,
        ))
    }
}

/// A new audit, and the changes that start it.
fn order(plan: CrawlPlan, key: KeyId, now: Timestamp, random: &mut impl CryptoRng) -> (Audit, Vec<Change>) {
    let audit = Audit {
        audit_id: id::fresh("audit", random),
        status: WorkStatus::Queued,
        progress: None,
        summary: None,
        failure: None,
        created_at: now,
        created_by_key: key,
        finished_at: None,
        plan,
    };
    // Jobs with the same lane run one after the other, so a site is never crawled twice at the same time.
    let site = PageUrl::parse(&audit.plan.start).map(|start| start.origin()).unwrap_or_default();
    let job = NewJob::new(JobKind::Audit, &audit.audit_id, now, random).with_concurrency_key(&site);
    let changes = vec![Change::Audits(AuditChange::Add(audit.clone())), Change::AddJob(job)];
    (audit, changes)
}

/// The id of an audit of the whole site for a schedule, and the changes that start it. If such an audit is queued or
/// running, it is that one, and there are no changes.
pub(crate) async fn start_site_audit(
    records: &dyn Records,
    brand: &Brand,
    key: KeyId,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Result<(String, Vec<Change>), ToolError> {
    let arguments = Arguments {
        start_url: None,
        max_pages: MAX_PAGES,
        max_depth: None,
        include_sitemap: default_include_sitemap(),
        wait_seconds: 0,
    };
    let plan = plan(&brand.website, &arguments)?;
    let open = records.open_audits(&brand.brand_id).await?;
    if let Some(open) = open.into_iter().find(|open| open.plan.is_same_crawl(&plan)) {
        return Ok((open.audit_id, Vec::new()));
    }
    let (audit, changes) = order(plan, key, now, random);
    Ok((audit.audit_id, changes))
}

fn plan(website: &str, arguments: &Arguments) -> Result<CrawlPlan, ToolFailure> {
    let start = arguments.start_url.as_deref().unwrap_or(website);
    let url = PageUrl::parse(start).filter(|start| CrawlScope::new([website]).contains(start));
    let Some(url) = url else {
        return Err(ToolFailure::new(
            "not_the_brands_site",
            format!("Only the brand's own site can be audited: {website}"),
            "Omit start_url, or use a URL on that site. An operator can change the brand's website.",
        ));
    };
    Ok(CrawlPlan {
        hosts: vec![website.to_owned()],
        max_pages: arguments.max_pages,
        max_depth: arguments.max_depth,
        include_sitemap: arguments.include_sitemap,
        ..CrawlPlan::new(url.as_str())
    })
}

fn started(audit: Audit, fixes: Vec<Fix>) -> StartedJob<AuditView> {
    let (id, status) = (audit.audit_id.clone(), audit.status);
    StartedJob::new(id, status, "get_audit", || AuditView::new(audit, fixes))
}

/// The audit, if it has ended.
async fn ended_audit(
    records: Arc<dyn Records>,
    brand: BrandId,
    audit_id: String,
) -> Option<StartedJob<AuditView>> {
    let audit = records.audit(&brand, &audit_id).await.ok().flatten()?;
    if !audit.status.has_ended() {
        return None;
    }
    let fixes = records.audit_fixes(&brand, &audit_id).await.ok()?;
    Some(started(audit, fixes))
}

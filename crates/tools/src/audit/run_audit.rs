use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{BrandId, Fault, ToolAccess, id};

use super::{Audit, AuditChange, AuditView, CrawlPlan, CrawlScope, PageUrl};
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
    /// The start page on the brand's own site. Default: the brand's website.
    #[schemars(length(min = 1, max = MAX_URL_CHARS), extend("format" = "uri"))]
    start_url: Option<String>,
    /// The maximum number of pages.
    #[serde(default = "default_max_pages")]
    #[schemars(range(min = 1, max = 1000))]
    max_pages: u32,
    /// The maximum number of clicks from the start page. Default: no limit.
    #[schemars(range(min = 0, max = 50))]
    max_depth: Option<u32>,
    /// Whether to visit pages that are only in a sitemap.
    #[serde(default = "default_include_sitemap")]
    include_sitemap: bool,
    /// How long to wait for the result. After that, the tool returns an id to get it later.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT_SECONDS))]
    wait_seconds: u32,
}

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
        description: "Crawls the brand's own site within its robots.txt and runs 62 checks on it: broken pages and links, \
            redirects, titles, descriptions, headings, duplicates, canonicals, hreflang, sitemaps, structured data, \
            images, security headers, and what AI bots may read. Returns the audit's `id` at once. With \
            `wait_seconds` it waits that long and returns the finished audit in `result`. Otherwise call `get_audit` \
            with the id after `poll_after_ms` until its status is `done`, then call `list_audit_issues` to see what to \
            fix. A small site takes seconds, a thousand pages some minutes; after 30 minutes an audit ends with \
            the pages read so far. If an audit of this site with the same settings is queued or running, that audit \
            is returned.",
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
            return Ok(Outcome::new(started(open)).waiting(call, &profile.plan.quotas, wait, ended_audit));
        }
        let mut random = call.context.entropy.clone();
        let audit = Audit {
            audit_id: id::fresh("audit", &mut random),
            status: WorkStatus::Queued,
            progress: None,
            summary: None,
            failure: None,
            created_at: call.now,
            created_by_key: call.caller.key_state.key_id.clone(),
            finished_at: None,
            plan,
        };
        // Jobs with the same lane run one after the other, so a site is never crawled twice at the same time.
        let site = PageUrl::parse(&audit.plan.start).map(|start| start.origin()).unwrap_or_default();
        let job =
            NewJob::new(JobKind::Audit, &audit.audit_id, call.now, &mut random).with_concurrency_key(&site);
        let changes = vec![Change::Audits(AuditChange::Add(audit.clone())), Change::AddJob(job)];
        Ok(Outcome::new(started(audit)).with_changes(changes).waiting(
            call,
            &profile.plan.quotas,
            wait,
            ended_audit,
        ))
    }
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

fn started(audit: Audit) -> StartedJob<AuditView> {
    let (id, status) = (audit.audit_id.clone(), audit.status);
    StartedJob::new(id, status, "get_audit", || AuditView::from(audit))
}

/// The audit, if it has ended.
async fn ended_audit(
    records: Arc<dyn Records>,
    brand: BrandId,
    audit_id: String,
) -> Option<StartedJob<AuditView>> {
    let audit = records.audit(&brand, &audit_id).await.ok().flatten()?;
    audit.status.has_ended().then(|| started(audit))
}

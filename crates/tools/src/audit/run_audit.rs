use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{BrandId, Fault, ToolAccess};

use super::{
    Audit, AuditView, Fix,
    new_audit::{AuditRequester, MAX_PAGES, order_unless_open, site_plan},
};
use crate::{
    Records,
    jobs::{MAX_WAIT_SECONDS, StartedJob},
    net::{MAX_URL_CHARS, parse_http_url},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
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
        let mut plan = site_plan(&profile.brand.website, arguments.start_url.as_deref())?;
        plan.max_pages = arguments.max_pages;
        plan.max_depth = arguments.max_depth;
        plan.include_sitemap = arguments.include_sitemap;
        let requester = AuditRequester::Key(call.caller.key_state.key_id.clone());
        let (records, random) = (&*call.context.records, &mut call.context.entropy.clone());
        let (audit, changes) =
            order_unless_open(records, call.brand_id(), plan, requester, call.now, random).await?;
        let wait = Duration::from_secs(arguments.wait_seconds.into());
        Ok(Outcome::new(started(audit, Vec::new())).with_changes(changes).waiting(
            call,
            &profile.plan.quotas,
            wait,
            ended_audit,
        ))
    }
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

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, ToolAccess, id, validate::web_address};

use super::{Address, Audit, AuditChange, AuditView, Plan, Scope};
use crate::{
    Change,
    jobs::{JobKind, LONGEST_WAIT, NewJob, Started, WorkStatus},
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct RunAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Where to begin, on the brand's own site. Left out: the brand's website.
    #[schemars(length(min = 1, max = 2000), extend("format" = "uri"))]
    start_url: Option<String>,
    /// How many pages at most.
    #[serde(default = "default_pages")]
    #[schemars(range(min = 1, max = 1000))]
    max_pages: u32,
    /// How many clicks from the start at most. Left out: any number.
    #[schemars(range(min = 0, max = 50))]
    max_depth: Option<u32>,
    /// Whether pages that only a sitemap names are visited too.
    #[serde(default = "yes")]
    include_sitemap: bool,
    /// How long to wait for the result before answering with an id to ask for it later.
    #[serde(default)]
    #[schemars(range(min = 0, max = LONGEST_WAIT))]
    wait_seconds: u32,
}

fn default_pages() -> u32 {
    100
}

fn yes() -> bool {
    true
}

impl Tool for RunAudit {
    type Arguments = Arguments;
    type Output = Started<AuditView>;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const WORDS: Words = Words {
        name: "run_audit",
        title: "Audit the site",
        description: "Crawls the brand's own site, politely and within its robots.txt, and runs 62 checks on it: broken \
            pages and links, redirects, titles, descriptions, headings, duplicates, canonicals, hreflang, sitemaps, \
            structured data, images, security headers, what AI bots may read. Returns the audit's `id` at once; with \
            `wait_seconds` it waits that long and then has the finished audit in `result`. Otherwise call `get_audit` \
            with the id after `poll_after_ms` until its status is `done`, then `list_audit_issues` for what to mend. A \
            small site takes seconds, a thousand pages some minutes. If an audit of this site is under way already, \
            that one is returned.",
        example: r#"{"max_pages": 50, "wait_seconds": 20}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let address = arguments.start_url.as_deref().map(web_address);
        address.and_then(Result::err).map(|message| Fault::new("start_url", message)).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, Stopped> {
        let profile = call.profile().await?;
        let plan = plan(&profile.brand.website, &arguments)?;
        let wait = Duration::from_secs(arguments.wait_seconds.into());
        if let Some(open) = call.means.records.open_audit(call.brand_id(), &plan.start).await? {
            let id = open.audit_id.clone();
            return Ok(Outcome::of(started(open)).then(ended(call.clone(), wait, id)));
        }
        let mut random = call.means.entropy.clone();
        let audit = Audit {
            audit_id: id::fresh("audit", &mut random),
            status: WorkStatus::Queued,
            progress: None,
            summary: None,
            failure: None,
            created_at: call.now,
            created_by_key: call.caller.standing.key_id.clone(),
            finished_at: None,
            plan,
        };
        // No second crawl of one site runs at the same time, whoever asks for it.
        let site = Address::parse(&audit.plan.start).map(|start| start.origin()).unwrap_or_default();
        let job = NewJob::new(JobKind::Audit, &audit.audit_id, call.now, &mut random).in_lane(&site);
        let sequel = ended(call.clone(), wait, audit.audit_id.clone());
        let changes = vec![Change::Audits(AuditChange::Add(audit.clone())), Change::AddJob(job)];
        Ok(Outcome::of(started(audit)).changing(changes).then(sequel))
    }
}

fn plan(website: &str, arguments: &Arguments) -> Result<Plan, Failure> {
    let start = arguments.start_url.as_deref().unwrap_or(website);
    let address = Address::parse(start).filter(|start| Scope::new([website]).holds(start));
    let Some(address) = address else {
        return Err(Failure::new(
            "not_the_brands_site",
            format!("Only the brand's own site can be audited: {website}"),
            "Leave start_url out, or give an address on that site. An operator can change the brand's website.",
        ));
    };
    Ok(Plan {
        hosts: vec![website.to_owned()],
        max_pages: arguments.max_pages,
        max_depth: arguments.max_depth,
        include_sitemap: arguments.include_sitemap,
        ..Plan::new(address.as_str())
    })
}

fn started(audit: Audit) -> Started<AuditView> {
    let (id, status) = (audit.audit_id.clone(), audit.status);
    Started::new(id, status, "get_audit", || AuditView::from(audit))
}

/// The finished audit, if it ends in time.
async fn ended(call: Call, wait: Duration, audit_id: String) -> Option<Started<AuditView>> {
    if wait.is_zero() {
        return None;
    }
    let audit = call.wait_for(wait, move |records, brand| {
        let audit_id = audit_id.clone();
        async move {
            let audit = records.audit(&brand, &audit_id).await.ok().flatten()?;
            audit.status.has_ended().then_some(audit)
        }
    });
    audit.await.map(started)
}

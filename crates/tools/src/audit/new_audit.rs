//! Plans a new audit, for an agent, a schedule or a person.

use rand::CryptoRng;
use svc_mcp_access::{Brand, BrandId, KeyId, StoreError, Timestamp, UserId, id};

use super::{Audit, AuditChange, CrawlPlan, CrawlScope, PageUrl};
use crate::{
    Change, Records,
    jobs::{JobKind, NewJob, WorkStatus},
    tool::{ToolError, ToolFailure},
};

pub(super) const MAX_PAGES: u32 = 1000;

/// Who asks for an audit.
#[derive(Debug, Clone)]
pub enum AuditRequester {
    /// A key, or a person's schedule: then this is the id of the schedule.
    Key(KeyId),
    Person(UserId),
}

/// Plans an audit of the whole site, or of what is found from `start_url`. Returns the audit and the changes that start it. If
/// the same audit is queued or running, returns that one and no changes.
pub async fn start_site_audit(
    records: &dyn Records,
    brand: &Brand,
    start_url: Option<&str>,
    requester: AuditRequester,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Result<(Audit, Vec<Change>), ToolError> {
    let plan = site_plan(&brand.website, start_url)?;
    Ok(order_unless_open(records, &brand.brand_id, plan, requester, now, random).await?)
}

/// Visits as much of the site as an audit can.
pub(super) fn site_plan(website: &str, start_url: Option<&str>) -> Result<CrawlPlan, ToolFailure> {
    let start = start_url.unwrap_or(website);
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
        max_pages: MAX_PAGES,
        max_depth: None,
        include_sitemap: true,
        ..CrawlPlan::new(url.as_str())
    })
}

/// The audit that is queued or running with the same plan, or a new one.
pub(super) async fn order_unless_open(
    records: &dyn Records,
    brand: &BrandId,
    plan: CrawlPlan,
    requester: AuditRequester,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Result<(Audit, Vec<Change>), StoreError> {
    let open = records.open_audits(brand).await?;
    if let Some(open) = open.into_iter().find(|open| open.plan.is_same_crawl(&plan)) {
        return Ok((open, Vec::new()));
    }
    Ok(order(plan, requester, now, random))
}

/// A new audit, and the changes that start it.
fn order(
    plan: CrawlPlan,
    requester: AuditRequester,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> (Audit, Vec<Change>) {
    let audit_id = id::fresh("audit", random);
    let (created_by_key, requested_by) = match requester {
        AuditRequester::Key(key) => (key, None),
        AuditRequester::Person(user) => (audit_id.parse().expect("a generated id is plain"), Some(user)),
    };
    let audit = Audit {
        audit_id,
        status: WorkStatus::Queued,
        progress: None,
        summary: None,
        failure: None,
        created_at: now,
        created_by_key,
        requested_by,
        finished_at: None,
        plan,
    };
    // Jobs with the same concurrency key run one after the other, so a site is never crawled twice at the same time.
    let site = PageUrl::parse(&audit.plan.start).map(|start| start.origin()).unwrap_or_default();
    let job = NewJob::new(JobKind::Audit, &audit.audit_id, now, random).with_concurrency_key(&site);
    let changes = vec![Change::Audits(AuditChange::Add(audit.clone())), Change::AddJob(job)];
    (audit, changes)
}

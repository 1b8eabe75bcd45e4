//! Audits a site: [`crawl()`] reads its pages, [`examine`] runs the checks, [`Score`] sums up the result. [`AuditSite`]
//! runs all of that as a job, and the tools start and show audits.
//!
//! Network and time are behind [`fetch::Fetch`]. Text from a site is untrusted data: it is clipped before it is
//! passed on.

mod audited_page;
mod checks;
mod crawl;
mod crawl_scope;
mod decode;
mod difference;
pub mod fetch;
mod fetch_message;
mod fixes;
mod get_audit;
mod issue;
mod job;
mod limit;
mod list_audit_issues;
mod list_audits;
mod list_pages;
mod model;
mod new_audit;
mod outbound_fetch;
pub mod page;
mod page_url;
mod percent_escapes;
mod records;
mod resuming_fetch;
pub mod robots;
mod run_audit;
mod score;
mod site;
mod site_graph;
pub mod sitemap;
pub(crate) mod snippet;
mod url_spellings;
mod view;

pub use audited_page::{AuditedPage, PageQuery, PageSort, StatusRange};
pub use checks::{Check, Code, check, checks, examine};
pub use crawl::{
    CrawlObserver, CrawlPlan, CrawlPlanError, Progress, Stage, collect_sitemaps, crawl, crawl_until,
};
pub use crawl_scope::CrawlScope;
pub use difference::{AuditDifference, ChangedIssues, ComparedScope, PageOverlap};
pub use fetch_message::FetchOutcome;
pub use fixes::{Fix, fixes};
pub use get_audit::{GetAudit, find_audit};
pub use issue::{Evidence, Issue, Severity};
pub use job::AuditSite;
pub use limit::AuditLimit;
pub use list_audit_issues::ListAuditIssues;
pub use list_audits::ListAudits;
pub use list_pages::ListPages;
pub use model::{Audit, AuditChange, PageText, SiteAuditStarted, Summary};
pub use new_audit::{AuditRequester, start_site_audit};
pub use outbound_fetch::OutboundFetch;
pub use page::Page;
pub use page_url::PageUrl;
pub use records::{AuditRecords, IssueFilter, IssueGroup, PageTextQuery, PageTexts};
pub use run_audit::RunAudit;
pub use score::{Counts, Score};
pub use site::{LlmsFile, RobotsFile, Site, SitemapFile, SitemapUrl, Sitemaps, StopReason};
use site_graph::SiteGraph;
pub(crate) use view::DATA_NOTICE;
pub use view::{AuditLine, AuditView};

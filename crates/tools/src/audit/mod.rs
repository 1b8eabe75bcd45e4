//! Audits a site: [`crawl()`] visits it, [`examine`] looks at what came back, [`Score`] sums it up. [`AuditSite`] does
//! all of that as a job, and the tools begin one and tell of it.
//!
//! Nothing here opens a connection or knows the time: that is behind [`fetch::Fetch`]. What a site says is data. It is
//! clipped where it is passed on, and nothing acts on it.

mod address;
mod checks;
mod crawl;
mod decode;
pub mod fetch;
mod frontier;
mod get_audit;
mod issue;
mod list_audit_issues;
mod list_audits;
mod model;
pub mod page;
mod records;
pub mod robots;
mod run_audit;
mod score;
mod site;
pub mod sitemap;
pub(crate) mod snippet;
mod survey;
mod view;
mod work;

pub use address::{Address, Scope};
pub use checks::{Check, Code, check, checks, examine};
pub use crawl::{Plan, PlanFault, Progress, Stage, Watch, collect_sitemaps, crawl};
pub use frontier::{Frontier, Visit};
pub use get_audit::GetAudit;
pub use issue::{Evidence, Issue, Severity};
pub use list_audit_issues::ListAuditIssues;
pub use list_audits::ListAudits;
pub use model::{Audit, AuditChange, PageText, Summary};
pub use page::Page;
pub use records::{AuditRecords, IssueFilter, IssueGroup};
pub use run_audit::RunAudit;
pub use score::{Counts, Score};
pub use site::{Answer, End, Listed, LlmsFile, RobotsFile, Site, SitemapFile, Sitemaps};
use survey::Survey;
pub(crate) use view::DATA_NOTICE;
pub use view::{AuditLine, AuditView};
pub use work::AuditSite;
pub(crate) use work::unanswered;

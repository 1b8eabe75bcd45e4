//! Audits a site: [`crawl()`] visits it, [`examine`] looks at what came back, [`Score`] sums it up, [`compare()`] tells
//! what changed since the last time.
//!
//! Nothing here opens a connection or knows the time: that is behind [`fetch::Fetch`]. What a site says is data. It is
//! clipped where it is passed on, and nothing acts on it.

mod address;
mod checks;
mod compare;
mod crawl;
mod decode;
pub mod fetch;
mod frontier;
mod issue;
pub mod page;
pub mod robots;
mod score;
mod site;
pub mod sitemap;
mod snippet;
mod survey;

pub use address::{Address, Scope};
pub use checks::{Check, Code, check, checks, examine};
pub use compare::{Comparison, compare};
pub use crawl::{Plan, PlanFault, Progress, Stage, Watch, collect_sitemaps, crawl};
pub use frontier::{Frontier, Visit};
pub use issue::{Evidence, Issue, Severity};
pub use page::Page;
pub use score::{Counts, Score};
pub use site::{Answer, End, Listed, LlmsFile, RobotsFile, Site, SitemapFile, Sitemaps};
use survey::Survey;

//! The audit.

mod address;
mod crawl;
mod decode;
pub mod fetch;
mod frontier;
pub mod page;
pub mod robots;
mod site;
pub mod sitemap;
mod snippet;

pub use address::{Address, Scope};
pub use crawl::{Plan, PlanFault, Progress, Stage, Watch, collect_sitemaps, crawl};
pub use frontier::{Frontier, Visit};
pub use page::Page;
pub use site::{Answer, End, Listed, LlmsFile, RobotsFile, Site, SitemapFile, Sitemaps};

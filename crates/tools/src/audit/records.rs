use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError};

use super::{Audit, Code, Issue, Page, PageText, Severity};
use crate::page::{Cursor, Page as ListPage};

#[async_trait]
pub trait AuditRecords: Send + Sync {
    async fn audits(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<ListPage<Audit>, StoreError>;

    async fn audit(&self, brand: &BrandId, audit_id: &str) -> Result<Option<Audit>, StoreError>;

    /// The queued and running audits, the oldest first.
    async fn open_audits(&self, brand: &BrandId) -> Result<Vec<Audit>, StoreError>;

    /// The page at this URL, if an interrupted crawl has stored it.
    async fn crawled_page(
        &self,
        brand: &BrandId,
        audit_id: &str,
        url: &str,
    ) -> Result<Option<Page>, StoreError>;

    /// Issues grouped by code, the most severe first, each with its number and the first few.
    async fn issue_groups(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        shown: u32,
    ) -> Result<Vec<IssueGroup>, StoreError>;

    /// Single issues in their order. The cursor is the position of the last one.
    async fn issues(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<ListPage<Issue>, StoreError>;

    /// The issues in `audit_id` that are not in `other`: the number and the first few.
    async fn issues_not_in(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
        shown: u32,
    ) -> Result<(u64, Vec<Issue>), StoreError>;

    /// Texts of crawled pages: the first page of each site, then the second of each, until a limit is reached.
    async fn page_texts(&self, brand: &BrandId, query: PageTextQuery) -> Result<PageTexts, StoreError>;
}

/// Which texts to read, and how many.
#[derive(Debug, Clone, Copy)]
pub struct PageTextQuery {
    /// Of the brand's own site, or of competitors.
    pub is_own: bool,
    pub max_texts: u32,
    /// All texts together.
    pub max_bytes: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTexts {
    pub texts: Vec<PageText>,
    /// A limit left out further texts.
    pub is_limited: bool,
}

#[derive(Debug, Clone, Default)]
pub struct IssueFilter {
    pub severity: Option<Severity>,
    pub code: Option<Code>,
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueGroup {
    pub code: Code,
    pub total: u32,
    pub first: Vec<Issue>,
}

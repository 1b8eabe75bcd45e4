//! Audits as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError};

use super::{Audit, AuditDifference, AuditedPage, Code, Fix, Issue, Page, PageQuery, PageText, Severity};
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

    /// The newest audit that is done, or the newest full one.
    async fn newest_audit(&self, brand: &BrandId, is_full: bool) -> Result<Option<Audit>, StoreError>;

    /// What to fix, by importance. Empty also if an older version made the audit.
    async fn audit_fixes(&self, brand: &BrandId, audit_id: &str) -> Result<Vec<Fix>, StoreError>;

    /// The URLs that an audit visited. The cursor is a position in this order. Empty also if an older version made the
    /// audit.
    async fn audited_pages(
        &self,
        brand: &BrandId,
        audit_id: &str,
        query: &PageQuery,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<ListPage<AuditedPage>, StoreError>;

    /// The first of these URLs that the audit visited or that has an issue.
    async fn known_url(
        &self,
        brand: &BrandId,
        audit_id: &str,
        spellings: &[String],
    ) -> Result<Option<String>, StoreError>;

    /// The queued and running audits, the oldest first.
    async fn open_audits(&self, brand: &BrandId) -> Result<Vec<Audit>, StoreError>;

    /// The page at this URL, if an interrupted crawl has stored it.
    async fn crawled_page(
        &self,
        brand: &BrandId,
        audit_id: &str,
        url: &str,
    ) -> Result<Option<Page>, StoreError>;

    /// Issues grouped by code, the most important first, each with its numbers and the first few.
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

    /// Compares an audit with an earlier one, and shows the first few changed issues. Both must be done.
    async fn compare_audits(
        &self,
        brand: &BrandId,
        audit: &Audit,
        earlier: &Audit,
        shown: u32,
    ) -> Result<AuditDifference, StoreError>;

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
    pub issues: u32,
    /// The number of pages with these issues.
    pub pages: u32,
    pub first: Vec<Issue>,
}

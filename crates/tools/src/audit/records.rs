use async_trait::async_trait;
use svc_mcp_access::{BrandId, decision::Unavailable};

use super::{Audit, Code, Issue, Page, PageText, Severity};
use crate::page::{Cursor, Page as Listed};

#[async_trait]
pub trait AuditRecords: Send + Sync {
    async fn audits(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Listed<Audit>, Unavailable>;

    async fn audit(&self, brand: &BrandId, audit_id: &str) -> Result<Option<Audit>, Unavailable>;

    /// The audit of this site that has not ended yet.
    async fn open_audit(&self, brand: &BrandId, start: &str) -> Result<Option<Audit>, Unavailable>;

    /// The pages that a crawl which was cut off has read already.
    async fn crawled_pages(&self, brand: &BrandId, audit_id: &str) -> Result<Vec<Page>, Unavailable>;

    /// Issues by their code, the most severe first, each with how many there are and the first few of them.
    async fn issue_groups(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        shown: u32,
    ) -> Result<Vec<IssueGroup>, Unavailable>;

    /// Single issues, in their order. The cursor holds the place of the last one.
    async fn issues(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Listed<Issue>, Unavailable>;

    /// What is in `audit_id` and not in `other`: how many, and the first few.
    async fn issues_not_in(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
        shown: u32,
    ) -> Result<(u64, Vec<Issue>), Unavailable>;

    /// Texts of pages that were crawled, the brand's own first.
    async fn page_texts(&self, brand: &BrandId) -> Result<Vec<PageText>, Unavailable>;
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

//! Reports: who gets them, the mails that carry them, and the figures they tell.

mod emails;
mod figures;
mod recipients;
mod site;

use async_trait::async_trait;
pub(crate) use emails::apply_report_change;
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable};
use svc_mcp_tools::{
    page::{Cursor, Page},
    report::{Dispatch, Email, EmailStatus, Figures, Recipient, ReportRecords, Span},
};

use crate::ToolRecords;

#[async_trait]
impl ReportRecords for ToolRecords {
    async fn figures(&self, brand: &BrandId, span: &Span, before: &Span) -> Result<Figures, Unavailable> {
        self.store.report_figures(brand, span, before).await
    }

    async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, Unavailable> {
        self.store.report_recipients(brand).await
    }

    async fn report_emails(
        &self,
        brand: &BrandId,
        status: Option<EmailStatus>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Email>, Unavailable> {
        self.store.list_report_emails(brand, status, after, limit).await
    }

    async fn report_emails_today(&self, brand: &BrandId, now: Timestamp) -> Result<u32, Unavailable> {
        self.store.count_report_emails(brand, now).await
    }

    async fn dispatch(&self, brand: &BrandId, email_id: &str) -> Result<Option<Dispatch>, Unavailable> {
        self.store.dispatch(brand, email_id).await
    }
}

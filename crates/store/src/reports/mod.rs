//! Reports: their recipients, their mails and their figures.

mod changes;
mod emails;
mod figures;
mod recipients;
mod site;

use async_trait::async_trait;
pub(crate) use changes::apply_report_change;
pub(crate) use emails::{REPORT_EMAILS_OF_DAY, add_email, count_report_emails};
pub use recipients::SetRecipientsError;
use svc_mcp_access::{BrandId, StoreError};
use svc_mcp_tools::{
    page::{Cursor, Page},
    report::{DateRange, Email, EmailStatus, Figures, OutgoingEmail, Recipient, ReportRecords},
};

use crate::ToolRecords;

#[async_trait]
impl ReportRecords for ToolRecords {
    async fn figures(
        &self,
        brand: &BrandId,
        span: &DateRange,
        before: &DateRange,
    ) -> Result<Figures, StoreError> {
        self.store.report_figures(brand, span, before).await
    }

    async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, StoreError> {
        self.store.report_recipients(brand).await
    }

    async fn report_emails(
        &self,
        brand: &BrandId,
        status: Option<EmailStatus>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Email>, StoreError> {
        self.store.list_report_emails(brand, status, after, limit).await
    }

    async fn outgoing_email(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<OutgoingEmail>, StoreError> {
        self.store.outgoing_email(brand, email_id).await
    }
}

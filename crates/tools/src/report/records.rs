//! Reports, emails and recipients as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError};

use super::{DateRange, Email, EmailStatus, Figures, OutgoingEmail, Recipient};
use crate::page::{Cursor, Page};

#[async_trait]
pub trait ReportRecords: Send + Sync {
    async fn figures(
        &self,
        brand: &BrandId,
        span: &DateRange,
        before: &DateRange,
    ) -> Result<Figures, StoreError>;

    /// Everybody who was ever on the brand's recipient list, ordered by address.
    async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, StoreError>;

    /// Report emails, newest first.
    async fn report_emails(
        &self,
        brand: &BrandId,
        status: Option<EmailStatus>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Email>, StoreError>;

    async fn outgoing_email(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<OutgoingEmail>, StoreError>;
}

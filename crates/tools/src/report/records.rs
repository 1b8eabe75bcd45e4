use async_trait::async_trait;
use svc_mcp_access::{BrandId, KeyId, Timestamp, decision::Unavailable};

use super::{Address, Content, Dispatch, Email, EmailStatus, Figures, LinkDigest, Recipient, Span};
use crate::page::{Cursor, Page};

#[async_trait]
pub trait ReportRecords: Send + Sync {
    async fn figures(&self, brand: &BrandId, span: &Span, before: &Span) -> Result<Figures, Unavailable>;

    /// Everybody the brand ever listed, in the order of their addresses.
    async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, Unavailable>;

    /// Report mails, newest first.
    async fn report_emails(
        &self,
        brand: &BrandId,
        status: Option<EmailStatus>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Email>, Unavailable>;

    /// How many report mails were ordered on the day of `now`.
    async fn report_emails_today(&self, brand: &BrandId, now: Timestamp) -> Result<u32, Unavailable>;

    async fn dispatch(&self, brand: &BrandId, email_id: &str) -> Result<Option<Dispatch>, Unavailable>;
}

/// What this room changes.
#[derive(Debug, Clone)]
pub enum ReportChange {
    /// A report and the mails that carry it. Refused where they would be more than a day may have.
    Order {
        report: Box<Report>,
        emails: Vec<NewEmail>,
    },
    /// These addresses are the brand's list now, and some people are asked.
    List {
        addresses: Vec<Address>,
        asks: Vec<Ask>,
    },
    /// The next thing to happen is that the mail server gets the mail.
    HandingOver {
        email_id: String,
        attempts: u32,
        link: LinkDigest,
    },
    /// The mail server did not take it: it waits again.
    PutBack {
        email_id: String,
        attempts: u32,
        answer: String,
    },
    Ended {
        email_id: String,
        attempts: u32,
        status: EmailStatus,
        answer: String,
    },
    /// Its job failed. A mail that was being handed over is uncertain, not failed.
    GivenUp {
        email_id: String,
        reason: String,
    },
}

#[derive(Debug, Clone)]
pub struct Report {
    pub report_id: String,
    pub content: Content,
    pub created_by_key: KeyId,
}

#[derive(Debug, Clone)]
pub struct NewEmail {
    pub email_id: String,
    pub recipient: Address,
}

/// A person to be asked, and the mail that does.
#[derive(Debug, Clone)]
pub struct Ask {
    pub email_id: String,
    pub address: Address,
}

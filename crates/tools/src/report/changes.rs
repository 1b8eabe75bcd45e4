//! What report tools and jobs ask the store to change.

use svc_mcp_access::KeyId;

use super::{EmailAddress, EmailStatus, LinkDigest, ReportContent};

#[derive(Debug, Clone)]
pub enum ReportChange {
    /// Stores a report and its emails.
    Order {
        report: Box<Report>,
        emails: Vec<NewEmail>,
    },
    /// Stores emails that test whether mails arrive.
    OrderTest {
        emails: Vec<NewEmail>,
    },
    /// The email is about to be sent to the mail server.
    MarkSending {
        email_id: String,
        attempts: u32,
        /// `None`: the email has no link of its own.
        link: Option<LinkDigest>,
    },
    /// The mail server did not accept the email. It waits for the next attempt.
    Requeue {
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
    /// The job failed. An email that was being sent becomes `uncertain` instead of `failed`.
    GiveUp {
        email_id: String,
        reason: String,
    },
}

#[derive(Debug, Clone)]
pub struct Report {
    pub report_id: String,
    pub content: ReportContent,
    pub created_by_key: KeyId,
}

#[derive(Debug, Clone)]
pub struct NewEmail {
    pub email_id: String,
    pub recipient: EmailAddress,
}

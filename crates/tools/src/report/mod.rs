//! The report: a period compared with the one before, sent by email to confirmed recipients.
//!
//! The store provides [`Figures`], [`compose`] writes the email, and the job [`SendEmailJob`] sends it through [`mail`].

mod changes;
pub mod compose;
mod confirmation;
mod content;
mod email;
mod email_address;
mod figures;
pub(crate) mod format;
mod link;
mod list_report_emails;
pub mod mail;
mod period;
mod preview_report;
mod recipient;
mod recipient_list;
mod records;
mod send_email_job;
mod send_report_email;
mod test_email;

pub use changes::{NewEmail, Report, ReportChange};
pub use content::{MAX_NOTE_CHARS, ReportContent, Section};
pub use email::{Email, EmailPurpose, EmailStatus, OutgoingEmail};
pub use email_address::{EmailAddress, EmailAddressError};
pub use figures::{
    AuditFigures, AuditState, ChannelFigures, Compared, Figures, LatestPost, PartialAudit, TopIssue,
};
pub use link::{LinkDigest, LinkToken};
pub use list_report_emails::ListReportEmails;
pub use period::{DateRange, Period, PeriodError};
pub use preview_report::PreviewReport;
pub use recipient::{MAX_RECIPIENTS, Recipient, RecipientStatus};
pub use recipient_list::{ListedRecipient, TooManyConfirmationsError, new_recipient_list, people_to_ask};
pub use records::ReportRecords;
pub use send_email_job::SendEmailJob;
pub use send_report_email::SendReportEmail;
pub(crate) use send_report_email::{mail_not_configured, report_to_all_recipients};
pub use test_email::order_test_emails;

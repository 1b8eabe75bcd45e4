//! The report: what happened in a period against the one before, as an email that goes to people who asked for it.
//!
//! [`Figures`] are read, [`compose`] words and draws them, a job ([`SendMail`]) hands them over through [`mail`].

mod address;
pub mod compose;
mod confirm;
mod content;
mod deliver;
mod emails;
mod figures;
mod link;
mod list_report_emails;
pub mod mail;
mod period;
mod preview_report;
mod recipients;
mod records;
mod send_report_email;
mod words;

pub use address::{Address, InvalidAddress};
pub use content::{Content, LONGEST_NOTE, Section};
pub use deliver::SendMail;
pub use emails::{Dispatch, Email, EmailStatus, Purpose};
pub use figures::{AuditFigures, AuditState, ChannelFigures, Compared, Figures, LatestPost, TopIssue};
pub use link::{LinkDigest, LinkToken};
pub use list_report_emails::ListReportEmails;
pub use period::{InvalidPeriod, Period, Span};
pub use preview_report::PreviewReport;
pub use recipients::{
    Listing, MOST_RECIPIENTS, Recipient, RecipientStatus, TooManyQuestions, listing_changes,
};
pub use records::{Ask, NewEmail, Report, ReportChange, ReportRecords};
pub use send_report_email::{MAILS_A_DAY, SendReportEmail, daily_limit_reached};

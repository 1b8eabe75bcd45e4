//! Emails to single recipients and their delivery status.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

use super::{EmailAddress, Recipient, ReportContent};

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum EmailStatus {
    /// Waits for its first or next attempt.
    Queued,
    /// Is being sent to the mail server.
    Sending,
    /// The mail server accepted it.
    Sent,
    /// It will not be sent; `answer` says why.
    Failed,
    /// It will not be sent, because the key that ordered it may not act any more; `answer` says why.
    Cancelled,
    /// Interrupted while it was being sent. It may have arrived, so it is not sent again.
    Uncertain,
}

impl EmailStatus {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum EmailPurpose {
    Report,
    /// Asks whether the person wants reports.
    Confirmation,
    /// An administrator tests whether mails arrive.
    Test,
    /// Lists the calls that wait for the person's approval.
    Approvals,
    /// Tells the creator of a key that it expires soon.
    #[strum(serialize = "key_expiring")]
    KeyExpiring,
    /// Tells people that a key was leaked.
    #[strum(serialize = "key_leaked")]
    KeyLeaked,
    /// Tells administrators that an event endpoint was switched off.
    #[strum(serialize = "endpoint_off")]
    EndpointOff,
}

impl EmailPurpose {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub email_id: String,
    /// `None`: it is not a report.
    pub report_id: Option<String>,
    pub purpose: EmailPurpose,
    pub recipient: EmailAddress,
    pub status: EmailStatus,
    pub attempts: u32,
    /// The last response of the mail server, or why the email was not sent.
    pub answer: Option<String>,
    pub created_at: Timestamp,
    pub handed_over_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

/// An email with everything that is needed to send it.
#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingEmail {
    pub email: Email,
    pub content: Option<ReportContent>,
    /// `None`: the person is no longer stored.
    pub recipient: Option<Recipient>,
}

impl OutgoingEmail {
    /// Whether a person on the list of recipients may still get it.
    pub fn is_wanted(&self) -> bool {
        self.recipient.as_ref().is_some_and(|recipient| match self.email.purpose {
            EmailPurpose::Report | EmailPurpose::Test => recipient.gets_reports(),
            EmailPurpose::Confirmation => recipient.may_be_asked(),
            // These go to members, who are not on the list.
            EmailPurpose::Approvals
            | EmailPurpose::KeyExpiring
            | EmailPurpose::KeyLeaked
            | EmailPurpose::EndpointOff => false,
        })
    }
}

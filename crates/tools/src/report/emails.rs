//! Single mails and what became of them.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

use super::{Address, Content, Recipient};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmailStatus {
    /// Waits to be sent, or to be tried again.
    Queued,
    /// Is being handed over to the mail server right now.
    Sending,
    /// The mail server has taken it.
    Sent,
    /// It will not be sent: see `answer`.
    Failed,
    /// Cut off while it was handed over. It may have arrived, so it is not sent again.
    Uncertain,
}

impl EmailStatus {
    pub const ALL: [Self; 5] = [Self::Queued, Self::Sending, Self::Sent, Self::Failed, Self::Uncertain];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
        }
    }
}

impl FromStr for EmailStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

/// What a mail is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Report,
    /// The question whether somebody wants reports.
    Confirmation,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Confirmation => "confirmation",
        }
    }
}

impl FromStr for Purpose {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Report, Self::Confirmation].into_iter().find(|purpose| purpose.as_str() == text).ok_or(())
    }
}

/// One mail to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub email_id: String,
    /// The report it carries. `None`: it is a question.
    pub report_id: Option<String>,
    pub purpose: Purpose,
    pub recipient: Address,
    pub status: EmailStatus,
    pub attempts: u32,
    /// What the mail server said last, or why it was not asked.
    pub answer: Option<String>,
    pub created_at: Timestamp,
    pub handed_over_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

/// A mail with all that is needed to send it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    pub email: Email,
    pub content: Option<Content>,
    /// What the person last said. `None`: they are not known any more.
    pub recipient: Option<Recipient>,
}

impl Dispatch {
    /// Whether the person still is to get it.
    pub fn is_wanted(&self) -> bool {
        self.recipient.as_ref().is_some_and(|recipient| match self.email.purpose {
            Purpose::Report => recipient.gets_reports(),
            Purpose::Confirmation => recipient.may_be_asked(),
        })
    }
}

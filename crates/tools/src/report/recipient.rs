//! A person who gets a brand's reports.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;

use super::EmailAddress;

pub const MAX_RECIPIENTS: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    pub address: EmailAddress,
    pub status: RecipientStatus,
    /// Whether the person is on the brand's list. A removed person is remembered, because their answer stays valid.
    pub listed: bool,
    pub asked_at: Option<Timestamp>,
    pub confirmed_at: Option<Timestamp>,
    pub suppressed_at: Option<Timestamp>,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RecipientStatus {
    /// Was asked and has not answered yet.
    Pending,
    /// Wants the reports.
    Confirmed,
    /// Unsubscribed. Only this person can change that.
    Suppressed,
}

impl RecipientStatus {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Recipient {
    pub fn gets_reports(&self) -> bool {
        self.listed && self.status == RecipientStatus::Confirmed
    }

    pub fn may_be_asked(&self) -> bool {
        self.listed && self.status == RecipientStatus::Pending
    }
}

//! Brands, their plans and their members.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BrandId, PlanId, Quotas, Timestamp, UserId};

/// What a brand has paid for. MCP access is a feature of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub plan_id: PlanId,
    pub name: String,
    pub mcp_enabled: bool,
    #[serde(default, skip_serializing_if = "Quotas::is_default")]
    pub quotas: Quotas,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brand {
    pub brand_id: BrandId,
    pub name: String,
    pub website: String,
    pub plan_id: PlanId,
    pub competitors: Vec<String>,
    /// The language of the brand's texts: a primary subtag of BCP 47, such as `de`. `None`: not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A name of the IANA database, such as `Europe/Berlin`.
    #[serde(default = "default_time_zone")]
    pub time_zone: String,
}

/// Why and since when the operator has suspended a brand: its keys are refused, its work is held, and its feed is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspension {
    pub at: Timestamp,
    pub by: UserId,
    pub reason: Option<String>,
}

/// The time zone of a brand that has set none.
pub const DEFAULT_TIME_ZONE: &str = "UTC";

fn default_time_zone() -> String {
    DEFAULT_TIME_ZONE.to_owned()
}

/// The message for a text that is no language.
pub const NOT_A_LANGUAGE: &str = "must be a language code of two or three lower-case letters, such as de";

/// Whether it has the form of a brand's language.
pub fn is_language(code: &str) -> bool {
    matches!(code.len(), 2..=3) && code.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// A user who may act for a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub brand_id: BrandId,
    pub user_id: UserId,
    pub role: Role,
    pub email: Option<String>,
    pub name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Admin,
    Member,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be admin or member")]
pub struct InvalidRole;

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }
}

impl FromStr for Role {
    type Err = InvalidRole;

    fn from_str(text: &str) -> Result<Self, InvalidRole> {
        match text {
            "admin" => Ok(Self::Admin),
            "member" => Ok(Self::Member),
            _ => Err(InvalidRole),
        }
    }
}

//! Brands, their plans and their members.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BrandId, PlanId, Quotas, UserId};

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

//! Which calls a person must approve, and who may decide.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Which calls of a key wait for approval. A later rule is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalRule {
    #[default]
    None,
    /// Calls that people outside notice: a post is published, scheduled or withdrawn, or a report is mailed.
    Outward,
    /// Every call that changes something.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of none, outward, all")]
pub struct InvalidApprovalRule;

impl ApprovalRule {
    pub const ALL: [Self; 3] = [Self::None, Self::Outward, Self::All];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Outward => "outward",
            Self::All => "all",
        }
    }
}

impl fmt::Display for ApprovalRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ApprovalRule {
    type Err = InvalidApprovalRule;

    fn from_str(text: &str) -> Result<Self, InvalidApprovalRule> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == text).ok_or(InvalidApprovalRule)
    }
}

/// Who may decide on the calls of a brand's keys. Administrators may always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Approvers {
    /// Members too, for the keys that they created.
    #[default]
    Members,
    Admins,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be members or admins")]
pub struct InvalidApprovers;

impl Approvers {
    pub const ALL: [Self; 2] = [Self::Members, Self::Admins];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Members => "members",
            Self::Admins => "admins",
        }
    }
}

impl FromStr for Approvers {
    type Err = InvalidApprovers;

    fn from_str(text: &str) -> Result<Self, InvalidApprovers> {
        Self::ALL.into_iter().find(|approvers| approvers.as_str() == text).ok_or(InvalidApprovers)
    }
}

/// What the administrators of a brand have set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ApprovalSettings {
    /// Holds for all keys of the brand. The own rule of a key may be stricter.
    pub minimum: ApprovalRule,
    pub approvers: Approvers,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_ordered_by_strictness() {
        assert!(ApprovalRule::None < ApprovalRule::Outward && ApprovalRule::Outward < ApprovalRule::All);
        assert_eq!(ApprovalRule::Outward.max(ApprovalRule::None), ApprovalRule::Outward);
    }

    #[test]
    fn every_name_is_read_back() {
        for rule in ApprovalRule::ALL {
            assert_eq!(rule.as_str().parse(), Ok(rule));
        }
        for approvers in Approvers::ALL {
            assert_eq!(approvers.as_str().parse(), Ok(approvers));
        }
        assert!("Outward".parse::<ApprovalRule>().is_err() && "everybody".parse::<Approvers>().is_err());
    }
}

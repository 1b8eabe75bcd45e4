//! Members of the body that only some errors have.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{QuotaReached, UserId};
use svc_mcp_tools::approvals::Approval;

use crate::jwt::TokenRefusal;

#[derive(Debug, Clone)]
pub(super) enum MoreMembers {
    Quota(QuotaReached),
    Decision(DecisionMembers),
    Token(TokenRefusal),
    /// Who would be signed in.
    SignIn(UserId),
}

/// How a call was decided before
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct DecisionMembers {
    /// `done`, `failed`, `rejected`, `expired` or `cancelled`
    #[schemars(example = &"done")]
    approval_status: &'static str,
    /// Null: it has expired
    decided_by: Option<String>,
    decided_at: Option<String>,
}

impl From<&Approval> for DecisionMembers {
    fn from(approval: &Approval) -> Self {
        let decision = approval.decision.as_ref();
        Self {
            approval_status: approval.status.as_str(),
            decided_by: decision.map(|decision| decision.by.to_string()),
            decided_at: decision.map(|decision| decision.at.to_string()),
        }
    }
}

/// Which quota of the brand is used up
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuotaMembers {
    #[schemars(example = &"keys")]
    quota: &'static str,
    limit: u32,
    used: u32,
    /// When some of it becomes free. Null: not known, or only people can free it
    frees_at: Option<String>,
}

impl From<&QuotaReached> for QuotaMembers {
    fn from(reached: &QuotaReached) -> Self {
        Self {
            quota: reached.quota.as_str(),
            limit: reached.limit,
            used: reached.used,
            frees_at: reached.frees_at.map(|at| at.to_string()),
        }
    }
}

/// Which check refused an application token, and what to do next.
pub(super) fn token_detail(refusal: TokenRefusal) -> &'static str {
    match refusal {
        TokenRefusal::Malformed => {
            "This is not a signed JWT, or it has more than 8 KiB. Get a token from the application and send it as \
             `Authorization: Bearer <token>`. An MCP key is not accepted here."
        }
        TokenRefusal::KeyUnknown => {
            "No published key of the application has the token's `kid`. Get a new token from the application. If its keys \
             were just changed, try again in a minute."
        }
        TokenRefusal::Signature => {
            "The token is not signed with the application's key and its algorithm. Get a new token from the application \
             that this service belongs to. If every token is refused, tell the operator."
        }
        TokenRefusal::Claims => {
            "A claim is missing or not valid. A token needs `exp` (a number) and `sub` (a user id of 1 to 255 visible \
             characters). Ask the operator of the application to issue such tokens."
        }
        TokenRefusal::Issuer => {
            "The token's `iss` is not the issuer that this service accepts. Get a token from the application that this \
             service belongs to. If every token is refused, tell the operator."
        }
        TokenRefusal::Audience => {
            "The token's `aud` does not name this service. Get a token that was issued for it. If every token is refused, \
             tell the operator."
        }
        TokenRefusal::Expired => "The token has expired. Sign in to the application again to get a new one.",
        TokenRefusal::NotYetValid => {
            "The token is not valid yet: its `nbf` is in the future. Try again at that time. If it is not far away, check \
             the clocks of both machines."
        }
    }
}

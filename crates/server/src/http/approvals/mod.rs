//! Calls of agents that wait for a person's decision.

pub(crate) mod approve;
mod decision;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod reject;
mod view;

use view::ManagedApproval;

const APPROVALS: &str = "/api/brands/{brand_id}/approvals";
const APPROVAL: &str = "/api/brands/{brand_id}/approvals/{approval_id}";

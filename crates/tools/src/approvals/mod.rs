//! Approvals: calls that wait until a person has decided.
//!
//! A call that needs approval is planned like any other, but its changes are not committed: the call itself is stored. When
//! a person approves it, it is planned again. Its changes, its result and the decision are committed in one transaction,
//! so it runs exactly once.

mod approval;
mod arguments_diff;
mod decide;
mod digest;
mod email;
mod get_approval;
mod list_approvals;
mod notice;
mod records;
mod request;
mod view;

pub use approval::{Approval, ApprovalFilter, ApprovalStatus, Decision, EXPIRES_AFTER, MAX_ARGUMENTS_BYTES};
pub use arguments_diff::ArgumentChange;
pub use decide::{ApproveError, Decider, Judgement, PlannedApproval, approve, plan, reject};
pub(crate) use email::approvals_email;
pub use get_approval::GetApproval;
pub use list_approvals::ListApprovals;
pub use notice::{
    ApprovalNotice, ApprovalNoticeJob, ApprovalNoticeRecords, MAX_LISTED, WaitingApproval, WaitingApprovals,
    notice_job,
};
pub use records::{ApprovalChange, ApprovalEvent, ApprovalRecords, NewApproval, NewDecision};
pub(crate) use request::{AwaitingApproval, needs_approval, request_approval};
pub use view::ApprovalListItem;

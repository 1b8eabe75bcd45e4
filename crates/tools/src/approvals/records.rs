//! Approvals as the store provides them.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId, decision::KeyState};

use super::{Approval, ApprovalFilter, ApprovalStatus};
use crate::{
    page::{Cursor, Page},
    report::NewEmail,
};

#[derive(Debug, Clone)]
pub enum ApprovalChange {
    Request(Box<NewApproval>),
    /// Refused as changed unless the approval is pending.
    Decide(Box<NewDecision>),
    /// Emails to approvers are ordered, or one of them is about to be sent. The next ones wait for ten minutes from now.
    Mailed {
        emails: Vec<NewEmail>,
    },
}

/// A call to be stored until a person decides.
#[derive(Debug, Clone)]
pub struct NewApproval {
    pub approval: Approval,
    /// The id of the job that tells the approvers by mail, if one is needed.
    pub notice_job_id: String,
}

/// A decision to be stored, with its activity record.
#[derive(Debug, Clone)]
pub struct NewDecision {
    pub approval_id: String,
    pub status: ApprovalStatus,
    pub note: Option<String>,
    /// The arguments that were approved, if the approver changed them.
    pub arguments: Option<Value>,
    pub result: Option<Value>,
    pub failure: Option<Value>,
    pub event: ApprovalEvent,
}

/// Who decided on a call, for the activity log.
#[derive(Debug, Clone)]
pub struct ApprovalEvent {
    pub event_id: String,
    pub actor: UserId,
    /// The key that made the call.
    pub key_id: KeyId,
    pub tool: &'static str,
}

#[async_trait]
pub trait ApprovalRecords: Send + Sync {
    /// With the status at this time.
    async fn approval(
        &self,
        brand: &BrandId,
        approval_id: &str,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError>;

    /// Newest first.
    async fn approvals(
        &self,
        brand: &BrandId,
        filter: &ApprovalFilter,
        after: Option<&Cursor>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Page<Approval>, StoreError>;

    /// The state of a key as it is stored now.
    async fn key_state(&self, brand: &BrandId, key: &KeyId) -> Result<Option<Arc<KeyState>>, StoreError>;
}

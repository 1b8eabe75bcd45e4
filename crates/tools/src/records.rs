//! The store as tools see it. Every method takes the brand first.

use std::sync::Arc;

use async_trait::async_trait;
use svc_mcp_access::{
    Brand, BrandId, KeyId, Plan, Quota, StoreError, Timestamp,
    decision::{Denial, KeyState},
    idempotency::{Fingerprint, IdempotencyKey},
    quota::QuotaCounts,
};

use crate::{
    Change,
    activity::ActivityRecords,
    analysis::AnalysisRecords,
    approvals::{ApprovalNoticeRecords, ApprovalRecords},
    audit::AuditRecords,
    events::EventRecords,
    jobs::JobRecords,
    key_notices::KeyNoticeRecords,
    keywords::KeywordRecords,
    posts::{BrandChannel, PostRecords},
    recent_call::RecentCall,
    report::{Recipient, ReportRecords},
    schedules::ScheduleRecords,
    tool_error::ToolFailure,
};

/// The records of every module, and the commit that they share.
#[async_trait]
pub trait Records:
    PostRecords
    + ApprovalRecords
    + ApprovalNoticeRecords
    + AuditRecords
    + AnalysisRecords
    + KeywordRecords
    + ReportRecords
    + ScheduleRecords
    + ActivityRecords
    + JobRecords
    + KeyNoticeRecords
    + EventRecords
    + Send
    + Sync
{
    async fn profile(&self, brand: &BrandId) -> Result<Arc<Profile>, StoreError>;

    /// The profile for a key that was just admitted. It comes from the cache if it is as recent as the key state.
    async fn profile_of(&self, key_state: &KeyState) -> Result<Arc<Profile>, StoreError>;

    /// How much of a daily quota the brand has used on the day of `now` (UTC). The commit checks it again.
    async fn used_today(&self, brand: &BrandId, quota: Quota, now: Timestamp) -> Result<u32, StoreError>;

    /// How much of each quota the brand uses, except for the calls that wait. Pending approvals are those of `key`, or of the
    /// key that has most of them. For displays only: what this process has committed is counted, and what other processes
    /// have committed may be missing for a second.
    async fn quota_counts(
        &self,
        brand: &BrandId,
        key: Option<&KeyId>,
        now: Timestamp,
    ) -> Result<QuotaCounts, StoreError>;

    /// The newest call of the brand with this fingerprint, if it was made at this time or later.
    async fn recent_call(
        &self,
        brand: &BrandId,
        fingerprint: &Fingerprint,
        since: Timestamp,
    ) -> Result<Option<RecentCall>, StoreError>;

    /// Claims an idempotency key before the call runs.
    async fn claim(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        now: Timestamp,
    ) -> Result<Claim, StoreError>;

    /// Releases a claim: the call ended without a response to record.
    async fn release(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        ticket: &str,
    ) -> Result<(), StoreError>;

    /// Commits the changes of a person, and the response for replays, in one transaction.
    async fn commit(
        &self,
        brand: &BrandId,
        changes: &[Change],
        response: Option<RecordedResponse<'_>>,
        now: Timestamp,
    ) -> Result<(), CommitError>;

    /// The same for a call: the jobs belong to its key, and changes are refused if the key may not act any more.
    async fn commit_for_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        changes: &[Change],
        response: Option<RecordedResponse<'_>>,
        now: Timestamp,
    ) -> Result<(), CommitError>;

    /// Replaces the committed response with a newer one: the call waited, and the work it started has ended.
    async fn replace_response(
        &self,
        brand: &BrandId,
        response: RecordedResponse<'_>,
    ) -> Result<(), StoreError>;
}

/// The brand as its tools see it.
#[derive(Debug, Clone)]
pub struct Profile {
    pub brand: Brand,
    pub plan: Plan,
    /// Without the feed, which every brand has.
    pub channels: Vec<BrandChannel>,
    /// Everybody who was ever on the brand's recipient list.
    pub recipients: Vec<Recipient>,
}

impl Profile {
    /// Every channel of the brand, the feed first.
    pub fn channels_with_feed(&self) -> Vec<BrandChannel> {
        std::iter::once(BrandChannel::feed()).chain(self.channels.iter().cloned()).collect()
    }
}

/// An idempotency key and the request it was sent with.
#[derive(Debug, Clone)]
pub struct IdempotencyRecord {
    pub key_id: KeyId,
    pub idempotency_key: IdempotencyKey,
    pub fingerprint: Fingerprint,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Run the call. The commit needs the ticket, so a call that lost its claim cannot commit.
    Run { ticket: String },
    /// The call ran before and had this response.
    Replay { response: String },
    /// The key was used before with another request.
    Reused,
    /// The call is running now.
    InProgress,
}

/// The response of a call that ran under a claim, recorded for replays.
#[derive(Debug, Clone, Copy)]
pub struct RecordedResponse<'a> {
    pub record: &'a IdempotencyRecord,
    pub ticket: &'a str,
    pub response: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the claim expired and another request took it")]
    ClaimLost,
    /// What the changes are based on has changed since it was read. Nothing was changed.
    #[error("the record was changed meanwhile")]
    Changed,
    /// The key was revoked or paused while the call was running. Nothing was changed.
    #[error("the key may not act any more: {}", .0.reason())]
    Denied(Denial),
    /// Nothing was changed.
    #[error("a change was refused: {0}")]
    Refused(ToolFailure),
}

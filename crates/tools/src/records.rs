//! What tools read and change, as the store sees it. Every method names the brand first.

use std::sync::Arc;

use async_trait::async_trait;
use svc_mcp_access::{
    Brand, BrandId, KeyId, Plan, Timestamp,
    decision::{Standing, Unavailable},
    idempotency::{Fingerprint, IdempotencyKey},
};

use crate::{
    analysis::{AnalysisChange, AnalysisRecords},
    audit::{AuditChange, AuditRecords},
    jobs::{JobRecords, NewJob},
    keywords::{KeywordChange, KeywordRecords},
    posts::{BrandChannel, Post, PostRecords, TargetChange},
    report::{Recipient, ReportChange, ReportRecords},
    tool::Failure,
};

/// Everything there is to read and change: what each room asks for, and the commit that they share.
#[async_trait]
pub trait Records:
    PostRecords + AuditRecords + AnalysisRecords + KeywordRecords + ReportRecords + JobRecords + Send + Sync
{
    async fn profile(&self, brand: &BrandId) -> Result<Arc<Profile>, Unavailable>;

    /// The same for who was just admitted with this standing: from memory, where it is as fresh as the standing.
    async fn profile_of(&self, standing: &Standing) -> Result<Arc<Profile>, Unavailable>;

    /// Takes an idempotency key for a request that is about to run, unless it was used before.
    async fn claim(&self, brand: &BrandId, promise: &Promise, now: Timestamp) -> Result<Claim, Unavailable>;

    /// Gives a claim up again: the request ended without an answer worth keeping.
    async fn release(&self, brand: &BrandId, promise: &Promise, ticket: &str) -> Result<(), Unavailable>;

    /// All of it or nothing: the changes, and the answer that a replay will give.
    async fn commit(
        &self,
        brand: &BrandId,
        changes: &[Change],
        answer: Option<Answer<'_>>,
        now: Timestamp,
    ) -> Result<(), NotCommitted>;

    /// Puts a better answer in place of the one a call committed: it waited, and the work it began has ended.
    async fn answer_again(&self, brand: &BrandId, answer: Answer<'_>) -> Result<(), Unavailable>;
}

/// The brand as its tools see it.
#[derive(Debug, Clone)]
pub struct Profile {
    pub brand: Brand,
    pub plan: Plan,
    /// Beside its feed, which every brand has.
    pub channels: Vec<BrandChannel>,
    /// Who was ever on its list for reports.
    pub recipients: Vec<Recipient>,
}

/// Something a tool wants to be true once its call is answered.
#[derive(Debug, Clone)]
pub enum Change {
    AddPost(Post),
    Target(TargetChange),
    AddJob(NewJob),
    Audits(AuditChange),
    Analyses(AnalysisChange),
    Keywords(KeywordChange),
    Reports(ReportChange),
}

/// An idempotency key and what it was sent with.
#[derive(Debug, Clone)]
pub struct Promise {
    pub key_id: KeyId,
    pub idempotency_key: IdempotencyKey,
    pub fingerprint: Fingerprint,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Run it. The ticket is needed to commit: who lost the claim to another cannot commit.
    Run { ticket: String },
    /// It ran before, with this answer.
    Replay { answer: String },
    /// It ran before, with another body.
    Reused,
    /// It is running now.
    InProgress,
}

/// The answer of a call that ran under a claim.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub promise: &'a Promise,
    pub ticket: &'a str,
    pub answer: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCommitted {
    Unavailable,
    /// The claim ran out and another request took it over.
    ClaimLost,
    /// What one of the changes met does not allow it, and nothing was changed.
    Refused(Failure),
}

impl From<Unavailable> for NotCommitted {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

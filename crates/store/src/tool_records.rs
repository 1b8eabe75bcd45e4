//! The store as the tools use it.

use std::sync::Arc;

use async_trait::async_trait;
use svc_mcp_access::{
    BrandId, Entropy, KeyId, Quota, StoreError, Timestamp,
    decision::KeyState,
    id,
    idempotency::{Fingerprint, RETENTION},
    quota::QuotaCounts,
};
use svc_mcp_tools::{
    Change, Records,
    approvals::ApprovalChange,
    recent_call::RecentCall,
    records::{Claim, CommitError, IdempotencyRecord, Profile, RecordedResponse},
};

use crate::{
    Store,
    activity::{insert_post_event, insert_site_audit_started},
    analyses::apply_analysis_change,
    approval_notices::add_approval_emails,
    approvals::{add_approval, write_decisions},
    audit_log::records_of,
    audits::apply_audit_change,
    engine::{Tx, transaction, within},
    error::Abort,
    jobs::add_job,
    keywords::apply_keyword_change,
    posts::{add_post, apply_edit, apply_target_change, check_edits},
    queued_work::{authorize, authorize_work_of_people},
    quotas::use_quotas,
    recent_calls::put_recent_call,
    reports::apply_report_change,
    schedules::apply_schedule_change,
    write_generations::WriteScope,
};

/// A store and a random source for claims and leases.
#[derive(Debug, Clone)]
pub struct ToolRecords {
    pub store: Store,
    pub entropy: Entropy,
}

#[async_trait]
impl Records for ToolRecords {
    async fn profile(&self, brand: &BrandId) -> Result<Arc<Profile>, StoreError> {
        self.store.profile(brand).await.map(Arc::new)
    }

    async fn profile_of(&self, key_state: &KeyState) -> Result<Arc<Profile>, StoreError> {
        self.store.profile_of(key_state).await
    }

    async fn used_today(&self, brand: &BrandId, quota: Quota, now: Timestamp) -> Result<u32, StoreError> {
        self.store.used_today(brand, quota, now).await
    }

    async fn quota_counts(
        &self,
        brand: &BrandId,
        key: Option<&KeyId>,
        now: Timestamp,
    ) -> Result<QuotaCounts, StoreError> {
        self.store.quota_counts(brand, key, now).await
    }

    async fn recent_call(
        &self,
        brand: &BrandId,
        fingerprint: &Fingerprint,
        since: Timestamp,
    ) -> Result<Option<RecentCall>, StoreError> {
        self.store.recent_call(brand, fingerprint, since).await
    }

    async fn claim(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        let ticket = id::fresh("claim", &mut self.entropy.clone());
        self.store.claim_idempotency_key(brand, record, ticket, now).await
    }

    async fn release(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        ticket: &str,
    ) -> Result<(), StoreError> {
        self.store.release_idempotency_key(brand, record, ticket).await
    }

    async fn commit(
        &self,
        brand: &BrandId,
        changes: &[Change],
        answer: Option<RecordedResponse<'_>>,
        now: Timestamp,
    ) -> Result<(), CommitError> {
        self.commit_changes(brand, None, changes, answer, now).await
    }

    async fn commit_for_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        changes: &[Change],
        answer: Option<RecordedResponse<'_>>,
        now: Timestamp,
    ) -> Result<(), CommitError> {
        self.commit_changes(brand, Some(key), changes, answer, now).await
    }

    async fn replace_response(
        &self,
        brand: &BrandId,
        answer: RecordedResponse<'_>,
    ) -> Result<(), StoreError> {
        let RecordedResponse { record, ticket, response: answer } = answer;
        self.store
            .run_for(brand, "answer_again", async {
                transaction!(&self.store.engine, WriteScope::NoBrand, |tx| {
                    sqlx::query(
                        "UPDATE promises SET answer = $5 WHERE brand_id = $1 AND key_id = $2 \
                         AND idempotency_key = $3 AND ticket = $4",
                    )
                    .bind(brand.as_str())
                    .bind(record.key_id.as_str())
                    .bind(record.idempotency_key.as_str())
                    .bind(ticket)
                    .bind(answer)
                    .execute(&mut *tx)
                    .await?;
                })
            })
            .await
    }
}

impl ToolRecords {
    async fn commit_changes(
        &self,
        brand: &BrandId,
        key: Option<&KeyId>,
        changes: &[Change],
        answer: Option<RecordedResponse<'_>>,
        now: Timestamp,
    ) -> Result<(), CommitError> {
        self.store
            .run_for_or_refuse(brand, "commit", async {
                transaction!(&self.store.engine, WriteScope::Brand(brand), |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    if let Some(key) = key.filter(|_| !changes.is_empty()) {
                        let decision = authorize(&mut tx, brand, key, now).await;
                        decision.map_err(|abort| abort.map(CommitError::Denied))?;
                    }
                    // A suspended brand tests no connections.
                    if changes.iter().any(|change| matches!(change, Change::ConnectionTest(_))) {
                        let decision = authorize_work_of_people(&mut tx, brand).await;
                        decision.map_err(|abort| abort.map(CommitError::Denied))?;
                    }
                    if let Some(answer) = answer
                        && !insert_answer(&mut tx, brand, answer, now).await?
                    {
                        return Err(Abort::Refused(CommitError::ClaimLost));
                    }
                    use_quotas(&mut tx, brand, changes, now).await?;
                    check_edits(&mut tx, brand, changes).await?;
                    write_decisions(&mut tx, brand, changes, now).await?;
                    apply(&mut tx, brand, key, changes, now).await?;
                    self.store.add_audit_records(&mut tx, records_of(brand, changes)).await?;
                })
            })
            .await?;
        self.store.after_commit(changes);
        Ok(())
    }
}

/// Stores the answer of a call that holds a claim. Returns false if another request has taken the claim over.
async fn insert_answer(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    answer: RecordedResponse<'_>,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let RecordedResponse { record, ticket, response: answer } = answer;
    let updated = within!(tx, |db| sqlx::query(
        "UPDATE promises SET answer = $5, expires_at = $6 WHERE brand_id = $1 AND key_id = $2 \
         AND idempotency_key = $3 AND ticket = $4 AND answer IS NULL",
    )
    .bind(brand.as_str())
    .bind(record.key_id.as_str())
    .bind(record.idempotency_key.as_str())
    .bind(ticket)
    .bind(answer)
    .bind(now.plus(RETENTION).millis())
    .execute(db)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(updated == 1)
}

/// Writes the changes of a call or a job. New jobs belong to the key.
pub(crate) async fn apply(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: Option<&KeyId>,
    changes: &[Change],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for change in changes {
        match change {
            Change::Reports(change) => apply_report_change(tx, brand, change, now).await?,
            Change::Schedules(change) => apply_schedule_change(tx, brand, key, change, now).await?,
            Change::AddPost(post) => add_post(tx, brand, post, now).await?,
            Change::PostEvent(event) => insert_post_event(tx, brand, event, now).await?,
            Change::SiteAuditStarted(event) => insert_site_audit_started(tx, brand, event, now).await?,
            Change::EditPost(edit) => apply_edit(tx, brand, edit, now).await?,
            Change::Target(change) => apply_target_change(tx, brand, change, now).await?,
            Change::AddJob(job) => add_job(tx, brand, key, job, now).await?,
            Change::Audits(change) => apply_audit_change(tx, brand, change, now).await?,
            Change::Analyses(change) => apply_analysis_change(tx, brand, change, now).await?,
            Change::Keywords(change) => apply_keyword_change(tx, brand, change).await?,
            Change::RecentCall(call) => put_recent_call(tx, brand, call).await?,
            Change::Approvals(ApprovalChange::Request(new)) => add_approval(tx, brand, new, now).await?,
            // A test changes nothing: it is only counted and recorded. `write_decisions` has written the decision.
            Change::ConnectionTest(_) | Change::Approvals(ApprovalChange::Decide(_)) => {}
            Change::Approvals(ApprovalChange::Mailed { emails }) => {
                add_approval_emails(tx, brand, emails, now).await?;
            }
        }
    }
    Ok(())
}

impl Store {
    /// Makes committed jobs known to the workers of this process.
    pub(crate) fn after_commit(&self, changes: &[Change]) {
        if changes.iter().any(|change| matches!(change, Change::AddJob(_))) {
            self.job_added.notify_waiters();
        }
    }
}

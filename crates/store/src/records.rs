//! The store as the tools see it.

use std::sync::Arc;

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{
    BrandId, Entropy, Timestamp,
    decision::{Standing, Unavailable},
    id,
    idempotency::KEPT_FOR,
};
use svc_mcp_tools::{
    Change, Records,
    records::{Answer, Claim, NotCommitted, Profile, Promise},
    report::ReportChange,
    tool::Failure,
};

use crate::{
    Store,
    analyses::change_analyses,
    audits::change_audits,
    engine::{Tx, transaction, within},
    jobs::add_job,
    keywords::change_keywords,
    posts::{add_post, change_target},
    reports::apply_report_change,
};

/// A store with a source of tickets.
#[derive(Debug, Clone)]
pub struct ToolRecords {
    pub store: Store,
    pub entropy: Entropy,
}

#[async_trait]
impl Records for ToolRecords {
    async fn profile(&self, brand: &BrandId) -> Result<Arc<Profile>, Unavailable> {
        self.store.profile(brand).await.map(Arc::new)
    }

    async fn profile_of(&self, standing: &Standing) -> Result<Arc<Profile>, Unavailable> {
        self.store.profile_of(standing).await
    }

    async fn claim(&self, brand: &BrandId, promise: &Promise, now: Timestamp) -> Result<Claim, Unavailable> {
        let ticket = ticket(&mut self.entropy.clone());
        self.store.claim_promise(brand, promise, ticket, now).await
    }

    async fn release(&self, brand: &BrandId, promise: &Promise, ticket: &str) -> Result<(), Unavailable> {
        self.store.release_promise(brand, promise, ticket).await
    }

    async fn commit(
        &self,
        brand: &BrandId,
        changes: &[Change],
        answer: Option<Answer<'_>>,
        now: Timestamp,
    ) -> Result<(), NotCommitted> {
        let committed = self
            .store
            .run("commit", async {
                transaction!(&self.store.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let held = match answer {
                        Some(answer) => keep_answer(&mut tx, brand, answer, now).await?,
                        None => true,
                    };
                    if !held {
                        return Ok(Err(NotCommitted::ClaimLost));
                    }
                    // Leaving like this drops the transaction, and with it all that was written.
                    if let Some(why) = apply(&mut tx, brand, changes, now).await? {
                        return Ok(Err(NotCommitted::Refused(why)));
                    }
                    Ok(())
                })
            })
            .await?;
        if committed.is_ok() {
            self.store.tell_of_jobs(changes);
            if changes.iter().any(|change| matches!(change, Change::Reports(ReportChange::List { .. }))) {
                self.store.profile_changed(brand).await;
            }
        }
        committed
    }

    async fn answer_again(&self, brand: &BrandId, answer: Answer<'_>) -> Result<(), Unavailable> {
        let Answer { promise, ticket, answer } = answer;
        self.store
            .run("answer_again", async {
                transaction!(&self.store.engine, |tx| {
                    sqlx::query(
                        "UPDATE promises SET answer = $5 WHERE brand_id = $1 AND key_id = $2 \
                         AND idempotency_key = $3 AND ticket = $4",
                    )
                    .bind(brand.as_str())
                    .bind(promise.key_id.as_str())
                    .bind(promise.idempotency_key.as_str())
                    .bind(ticket)
                    .bind(answer)
                    .execute(&mut *tx)
                    .await?;
                })
            })
            .await
    }
}

/// Keeps the answer of a call that runs under a claim. False: the claim is another's now.
async fn keep_answer(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    answer: Answer<'_>,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let Answer { promise, ticket, answer } = answer;
    let kept = within!(tx, |db| sqlx::query(
        "UPDATE promises SET answer = $5, expires_at = $6 WHERE brand_id = $1 AND key_id = $2 \
         AND idempotency_key = $3 AND ticket = $4 AND answer IS NULL",
    )
    .bind(brand.as_str())
    .bind(promise.key_id.as_str())
    .bind(promise.idempotency_key.as_str())
    .bind(ticket)
    .bind(answer)
    .bind(now.plus(KEPT_FOR).millis())
    .execute(db)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(kept == 1)
}

/// Makes true what a call or a job wants to be true. Each room has its own file for how. `Some`: one of the changes is
/// not allowed as things are, and none may be committed.
pub(crate) async fn apply(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    changes: &[Change],
    now: Timestamp,
) -> Result<Option<Failure>, sqlx::Error> {
    for change in changes {
        match change {
            Change::Reports(change) => {
                let refused = apply_report_change(tx, brand, change, now).await?;
                if refused.is_some() {
                    return Ok(refused);
                }
            }
            Change::AddPost(post) => add_post(tx, brand, post).await?,
            Change::Target(change) => change_target(tx, brand, change).await?,
            Change::AddJob(job) => add_job(tx, brand, job, now).await?,
            Change::Audits(change) => change_audits(tx, brand, change, now).await?,
            Change::Analyses(change) => change_analyses(tx, brand, change, now).await?,
            Change::Keywords(change) => change_keywords(tx, brand, change).await?,
        }
    }
    Ok(None)
}

fn ticket(random: &mut impl CryptoRng) -> String {
    id::fresh("claim", random)
}

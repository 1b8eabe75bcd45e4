//! The store as the tools see it.

use std::sync::Arc;

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, Entropy, Timestamp, decision::Unavailable, id, idempotency::KEPT_FOR};
use svc_mcp_tools::{
    Change, Records,
    page::{Cursor, Page},
    posts::{Post, PostFilter},
    records::{Answer, Claim, NotCommitted, Profile, Promise},
};

use crate::{Store, engine::transaction, posts::insert_post};

/// A store with a source of tickets.
#[derive(Debug, Clone)]
pub struct ToolRecords {
    pub store: Store,
    pub entropy: Entropy,
}

#[async_trait]
impl Records for ToolRecords {
    async fn profile(&self, brand: &BrandId) -> Result<Arc<Profile>, Unavailable> {
        let found = self.store.brand(brand).await?;
        // A key's brand is never deleted, so its absence means that the store is not what it was.
        let (brand, plan) = found.ok_or(Unavailable)?;
        Ok(Arc::new(Profile { brand, plan }))
    }

    async fn posts(
        &self,
        brand: &BrandId,
        filter: &PostFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Post>, Unavailable> {
        self.store.list_posts(brand, filter, after, limit).await
    }

    async fn post(&self, brand: &BrandId, post_id: &str) -> Result<Option<Post>, Unavailable> {
        self.store.get_post(brand, post_id).await
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
        let held = self
            .store
            .run("commit", async {
                transaction!(&self.store.engine, |tx| {
                    let mut held = true;
                    if let Some(Answer { promise, ticket, answer }) = answer {
                        let kept = sqlx::query(
                            "UPDATE promises SET answer = $5, expires_at = $6 WHERE brand_id = $1 AND key_id = $2 \
                             AND idempotency_key = $3 AND ticket = $4 AND answer IS NULL",
                        )
                        .bind(brand.as_str())
                        .bind(promise.key_id.as_str())
                        .bind(promise.idempotency_key.as_str())
                        .bind(ticket)
                        .bind(answer)
                        .bind(now.plus(KEPT_FOR).millis())
                        .execute(&mut *tx)
                        .await?;
                        held = kept.rows_affected() == 1;
                    }
                    if held {
                        for change in changes {
                            match change {
                                Change::AddPost(post) => {
                                    insert_post!(tx, brand, post);
                                }
                            }
                        }
                    }
                    held
                })
            })
            .await?;
        if held { Ok(()) } else { Err(NotCommitted::ClaimLost) }
    }
}

fn ticket(random: &mut impl CryptoRng) -> String {
    id::fresh("claim", random)
}

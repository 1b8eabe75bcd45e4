//! Revokes all keys of a user or of a brand.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId, key::RevokedReason};

use super::statement::{Statement, fetch_all};
use crate::{
    EventKind, EventOutcome, NewEvent, QueuedWork, StoppedWork, Store,
    access_change::AccessChange,
    engine::{Tx, transaction},
    key_revocation::{Revocation, revoke},
    parse_column,
};

/// How many keys are revoked in one transaction. Every one takes about ten statements.
const BATCH: u32 = 25;

/// Whose keys are revoked.
#[derive(Debug, Clone)]
pub enum KeysOf {
    User(UserId),
    /// Of a user, in the brands that they do not act for.
    NonMember(UserId),
    Brand(BrandId),
}

/// What a revoke of many keys has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RevokedKeys {
    /// Keys that were revoked before do not count.
    pub revoked: u32,
    pub stopped: StoppedWork,
}

#[derive(FromRow)]
struct KeyToRevoke {
    key_id: String,
    brand_id: String,
    revoked_at: Option<i64>,
}

impl Store {
    /// Revokes every key, and cancels what they have queued, also what earlier revokes kept. The keys are revoked in
    /// batches: if it fails in between, the keys up to then are revoked, and a second call revokes the others.
    ///
    /// `event_prefix`: the ids of the events start with it.
    pub async fn revoke_keys_of(
        &self,
        whose: &KeysOf,
        actor: &UserId,
        at: Timestamp,
        event_prefix: &str,
    ) -> Result<RevokedKeys, StoreError> {
        let mut done = RevokedKeys::default();
        for batch in 0.. {
            let keys = self.next_keys_to_revoke(whose).await?;
            let Some(first) = keys.first() else { break };
            let brand = first.0.clone();
            // A change is published for one brand.
            let of_brand: Vec<&(BrandId, KeyId, bool)> =
                keys.iter().take_while(|(other, ..)| *other == brand).collect();
            let prefix = format!("{event_prefix}-{batch}");
            done.stopped += self.revoke_batch(&brand, &of_brand, actor, at, &prefix).await?;
            let fresh = of_brand.iter().filter(|(.., is_revoked)| !is_revoked).count();
            done.revoked += u32::try_from(fresh).unwrap_or(u32::MAX);
        }
        Ok(done)
    }

    async fn revoke_batch(
        &self,
        brand: &BrandId,
        keys: &[&(BrandId, KeyId, bool)],
        actor: &UserId,
        at: Timestamp,
        event_prefix: &str,
    ) -> Result<StoppedWork, StoreError> {
        // Not in the brand's queue: keys that overload their brand must be revocable.
        let (stopped, change) = self
            .run("revoke_keys", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let (mut stopped, mut records) = (StoppedWork::default(), Vec::new());
                    for (number, (_, key, _)) in keys.iter().enumerate() {
                        let event = NewEvent {
                            event_id: format!("{event_prefix}-{number}"),
                            at,
                            kind: EventKind::Revoked,
                            key_id: key.clone(),
                            actor: actor.clone(),
                            tool: None,
                            outcome: EventOutcome::Ok,
                            reason: None,
                            latency_us: None,
                        };
                        let revocation = Revocation {
                            reason: RevokedReason::Operator,
                            queued: QueuedWork::Cancel,
                            event: &event,
                            leak: None,
                        };
                        let (of_key, record) = revoke(&mut tx, brand, key, &revocation).await?;
                        stopped += of_key;
                        records.extend(record);
                    }
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    self.add_audit_records(&mut tx, records).await?;
                    (stopped, change)
                })
            })
            .await?;
        self.publish(change).await;
        Ok(stopped)
    }

    /// Sorted by brand and id: transactions lock keys in the same order.
    async fn next_keys_to_revoke(&self, whose: &KeysOf) -> Result<Vec<(BrandId, KeyId, bool)>, StoreError> {
        self.run("keys_to_revoke", async {
            let mut statement = Statement::new("SELECT key_id, brand_id, revoked_at FROM keys");
            match whose {
                KeysOf::User(user) => {
                    let user = statement.text(user.as_str());
                    statement.and(&format!("created_by = {user}"));
                }
                KeysOf::NonMember(user) => {
                    let user = statement.text(user.as_str());
                    statement.and(&format!(
                        "created_by = {user} AND NOT EXISTS (SELECT 1 FROM members m \
                         WHERE m.brand_id = keys.brand_id AND m.user_id = {user})"
                    ));
                }
                KeysOf::Brand(brand) => {
                    let brand = statement.text(brand.as_str());
                    statement.and(&format!("brand_id = {brand}"));
                }
            }
            statement.and("(revoked_at IS NULL OR keeps_queued_work > 0)");
            statement.push(" ORDER BY brand_id, key_id");
            statement.limit(BATCH - 1);
            let rows: Vec<KeyToRevoke> = fetch_all!(&self.engine, statement)?;
            let decode = |row: KeyToRevoke| {
                let (brand, key) =
                    (parse_column(&row.brand_id, "brand id")?, parse_column(&row.key_id, "key id")?);
                Ok((brand, key, row.revoked_at.is_some()))
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }
}

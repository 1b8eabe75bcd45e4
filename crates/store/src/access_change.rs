//! Changes of keys, plans, brands and members, and how every process learns of them.
//!
//! The database has a counter, the access version. Every change goes through two steps:
//! 1. [`AccessChange::record`] moves the counter inside the transaction of the change.
//! 2. [`Store::publish`] runs after the commit and before the response. It drops what this process has cached and sets
//!    new stamps in Redis.
//!
//! Other processes compare the counter twice a second. Where instances share a Redis, every request also compares the
//! stamps, so that a change is effective for the next request.

use std::time::Duration;

use svc_mcp_access::{BrandId, PlanId};

use crate::{
    Store,
    engine::{Tx, within},
};

/// Where several instances share a database, a cached entry is trusted for this long after the last successful read of
/// the access version.
pub(crate) const CACHE_TRUSTED_FOR: Duration = Duration::from_millis(1_500);
/// How long an instance delays the response to a change when Redis is away. Longer than `CACHE_TRUSTED_FOR`: by then every
/// other instance has either read the new access version or stopped trusting its cache.
pub(crate) const PUBLISH_DELAY_WITHOUT_REDIS: Duration =
    CACHE_TRUSTED_FOR.saturating_add(Duration::from_millis(300));

/// A change that is recorded in a transaction.
#[derive(Debug)]
#[must_use = "publish it after the commit, otherwise cached keys keep their old access"]
pub(crate) struct AccessChange {
    target: ChangeTarget,
    version: i64,
}

/// Whose keys and profile a change affects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChangeTarget {
    Brand(BrandId),
    Plan(PlanId),
}

impl AccessChange {
    pub(crate) async fn record(tx: &mut Tx<'_>, target: ChangeTarget) -> Result<Self, sqlx::Error> {
        let sql = "UPDATE access_version SET version = version + 1 WHERE only_row = 1 RETURNING version";
        let version: i64 = within!(tx, |db| sqlx::query_scalar(sql).fetch_one(db).await)?;
        Ok(Self { target, version })
    }

    pub(crate) async fn record_brand(tx: &mut Tx<'_>, brand: &BrandId) -> Result<Self, sqlx::Error> {
        Self::record(tx, ChangeTarget::Brand(brand.clone())).await
    }
}

impl Store {
    pub(crate) async fn publish(&self, change: AccessChange) {
        self.key_cache.apply(&change.target, change.version);
        if let Some(redis) = &self.redis {
            redis.announce(&change.target).await;
        }
    }
}

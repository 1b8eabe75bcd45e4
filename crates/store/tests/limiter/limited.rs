//! The two limiters behind one face.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use svc_mcp_access::{
    BrandId, PlanId, Scope, Secret, Ticks,
    decision::{Reading, Stamps, Standing},
    key::KeyDigest,
    limiter::{Lent, Limiter},
    rate::{Rate, Step},
    tally::Tally,
};
use svc_mcp_store::Shared;
use svc_mcp_testkit::{Redis, seed, seeded};

pub(crate) enum Limited {
    InProcess(Limiter),
    Redis(OnRedis),
}

/// An instance of the service as far as Redis is concerned, with a standing of one brand and plan.
pub(crate) struct OnRedis {
    pub(crate) shared: Shared,
    pub(crate) brand: BrandId,
    pub(crate) plan: PlanId,
    pub(crate) stamps: Stamps,
}

impl Limited {
    pub(crate) fn in_process() -> Self {
        Self::InProcess(Limiter::default())
    }

    pub(crate) async fn on_redis() -> Self {
        Self::Redis(OnRedis::new(&fresh_redis().await).await)
    }

    pub(crate) async fn step(&self, key: &KeyDigest, at: u64, step: Step) -> Rate {
        match self {
            Self::InProcess(limiter) => {
                let standing = limiter.known(key).unwrap_or_else(|| {
                    let standing = Arc::new(standing_of(*key));
                    limiter.keep(&standing, || true);
                    standing
                });
                limiter.step(&standing, Ticks(at), step)
            }
            Self::Redis(redis) => match redis.step(key, Some(at), step).await {
                Some(Reading::Rate(rate)) => rate,
                other => panic!("Redis does not count: {other:?}"),
            },
        }
    }
}

impl OnRedis {
    pub(crate) async fn new(url: &str) -> Self {
        let shared = Shared::open(&Secret::new(url.to_owned()), seeded(seed())).expect("an address of Redis");
        let (brand, plan) = ("acme".parse().expect("an id"), "pro".parse().expect("an id"));
        let stamps = shared.stamps(&brand, &plan).await.expect("Redis answers");
        Self { shared, brand, plan, stamps }
    }

    pub(crate) async fn step(&self, key: &KeyDigest, at: Option<u64>, step: Step) -> Option<Reading> {
        self.shared.step(key, (&self.brand, &self.plan, self.stamps), step, at.map(Ticks)).await
    }

    /// Reads the stamps again, as is done for a standing that was stale.
    pub(crate) async fn refresh(&mut self) {
        self.stamps = self.shared.stamps(&self.brand, &self.plan).await.expect("Redis answers");
    }
}

fn standing_of(digest: KeyDigest) -> Standing {
    Standing {
        digest,
        expires_at: None,
        scope: Scope::Read,
        revoked: false,
        owner_is_member: true,
        mcp_enabled: true,
        window: Lent::default(),
        tools: None,
        tally: Tally::default(),
        stamps: Stamps::default(),
        key_id: "key_1".parse().expect("an id"),
        brand_id: "acme".parse().expect("an id"),
        plan_id: "pro".parse().expect("an id"),
        owner: "ada".parse().expect("an id"),
    }
}

pub(crate) async fn fresh_redis() -> String {
    tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis")
}

/// A key that nobody has used.
pub(crate) fn fresh_key() -> KeyDigest {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    KeyDigest::of(&NEXT.fetch_add(1, Ordering::SeqCst).to_le_bytes())
}

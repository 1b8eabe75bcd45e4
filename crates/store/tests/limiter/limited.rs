//! The two limiters behind one face.

use std::sync::atomic::{AtomicU64, Ordering};

use svc_mcp_access::{
    BrandId, PlanId, Secret, Ticks,
    decision::{Reading, Stamps},
    key::KeyDigest,
    limiter::Limiter,
    rate::{Rate, Step},
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
            Self::InProcess(limiter) => limiter.step(key, Ticks(at), step),
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

pub(crate) async fn fresh_redis() -> String {
    tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis")
}

/// A key that nobody has used.
pub(crate) fn fresh_key() -> KeyDigest {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    KeyDigest::of(&NEXT.fetch_add(1, Ordering::SeqCst).to_le_bytes())
}

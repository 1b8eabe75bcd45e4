//! One interface for both limiters.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use svc_mcp_access::{
    BrandId, PlanId, Scope, Secret, Ticks,
    decision::{KeyState, Stamps, StepOutcome},
    key::KeyDigest,
    rate::{Rate, Step, WindowSlot},
    usage::UsageCounter,
};
use svc_mcp_store::{KeyTable, RedisSettings, RedisState};
use svc_mcp_testkit::{Redis, WAIT_TIMEOUT, seed, seeded};

pub(crate) enum Limited {
    InProcess(KeyTable),
    Redis(OnRedis),
}

/// One instance of the service with the stamps of one brand and plan.
pub(crate) struct OnRedis {
    pub(crate) shared: RedisState,
    pub(crate) brand: BrandId,
    pub(crate) plan: PlanId,
    pub(crate) stamps: Stamps,
}

impl Limited {
    pub(crate) fn in_process() -> Self {
        Self::InProcess(KeyTable::default())
    }

    pub(crate) async fn on_redis() -> Self {
        Self::Redis(OnRedis::new(&fresh_redis().await).await)
    }

    pub(crate) async fn step(&self, key: &KeyDigest, at: u64, step: Step) -> Rate {
        match self {
            Self::InProcess(limiter) => {
                let key_state = limiter.get(key).unwrap_or_else(|| {
                    let key_state = Arc::new(key_state_of(*key));
                    limiter.insert_if(&key_state, || true);
                    key_state
                });
                limiter.step(&key_state, Ticks(at), step)
            }
            Self::Redis(redis) => match redis.step(key, Some(at), step).await {
                Some(StepOutcome::Rate(rate)) => rate,
                other => panic!("Redis does not count: {other:?}"),
            },
        }
    }
}

impl OnRedis {
    pub(crate) async fn new(url: &str) -> Self {
        let shared = open_redis(url);
        let (brand, plan) = ("acme".parse().expect("an id"), "pro".parse().expect("an id"));
        let stamps = shared.stamps(&brand, &plan).await.expect("Redis answers");
        Self { shared, brand, plan, stamps }
    }

    pub(crate) async fn step(&self, key: &KeyDigest, at: Option<u64>, step: Step) -> Option<StepOutcome> {
        self.shared.step(key, (&self.brand, &self.plan, self.stamps), step, at.map(Ticks)).await
    }

    /// Reads the stamps again, like the reload of a stale key state.
    pub(crate) async fn refresh(&mut self) {
        self.stamps = self.shared.stamps(&self.brand, &self.plan).await.expect("Redis answers");
    }
}

pub(crate) fn key_state_of(digest: KeyDigest) -> KeyState {
    KeyState {
        digest,
        expires_at: None,
        scope: Scope::Read,
        revoked: false,
        keeps_queued_work: false,
        paused: false,
        owner_is_member: true,
        mcp_enabled: true,
        brand_suspended: false,
        approval: svc_mcp_access::ApprovalRule::None,
        rotation: None,
        allowed_networks: None,
        window: WindowSlot::default(),
        tools: None,
        usage: UsageCounter::default(),
        stamps: Stamps::default(),
        key_id: "key_1".parse().expect("an id"),
        brand_id: "acme".parse().expect("an id"),
        plan_id: "pro".parse().expect("an id"),
        owner: "ada".parse().expect("an id"),
    }
}

/// A busy machine may need longer than the service waits for Redis.
pub(crate) fn open_redis(url: &str) -> RedisState {
    let settings = RedisSettings { timeout: WAIT_TIMEOUT, ..RedisSettings::new(Secret::new(url.to_owned())) };
    RedisState::open(&settings, seeded(seed())).expect("an address of Redis")
}

pub(crate) async fn fresh_redis() -> String {
    tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis")
}

/// A new key.
pub(crate) fn fresh_key() -> KeyDigest {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    KeyDigest::of(&NEXT.fetch_add(1, Ordering::SeqCst).to_le_bytes())
}

//! What several instances share over Redis: the rate limit windows, and stamps that show when something has changed.
//!
//! A stamp stands for one version of a brand or a plan. A change sets a new stamp after its commit and before its
//! response. Every request compares the stamps of its key state in the same round trip that counts it. A missing stamp
//! (Redis was emptied) equals none, so the key state is read again.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use svc_mcp_access::{
    BrandId, Entropy, PlanId, Ticks,
    decision::{Stamps, StepOutcome},
    key::KeyDigest,
    rate::Step,
};
use svc_mcp_tools::outage::Outage;
use tokio::sync::{mpsc, oneshot};

use crate::{
    access_change::{ChangeTarget, PUBLISH_DELAY_WITHOUT_REDIS},
    redis_batcher::{self, StepRequest, brand_key, plan_key},
    redis_client::{RedisSettings, RedisSettingsError},
};

#[derive(Clone)]
pub struct RedisState(Arc<Inner>);

struct Inner {
    redis: ConnectionManager,
    /// Started with the first step.
    batcher: OnceLock<mpsc::UnboundedSender<StepRequest>>,
    degraded: AtomicBool,
    outage: Outage,
    entropy: Entropy,
}

impl RedisState {
    /// Does not wait for Redis. Without it the service starts degraded and recovers when Redis is back.
    pub fn open(settings: &RedisSettings, entropy: Entropy) -> Result<Self, RedisSettingsError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(settings.timeout))
            .set_response_timeout(Some(settings.timeout))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(100));
        let redis = ConnectionManager::new_lazy_with_config(settings.client()?, config)
            .map_err(RedisSettingsError::Url)?;
        Ok(Self(Arc::new(Inner {
            redis,
            batcher: OnceLock::new(),
            degraded: AtomicBool::new(false),
            outage: Outage::new(
                "redis",
                "degraded, because Redis does not answer; limits are counted per instance",
            ),
            entropy,
        })))
    }

    /// Redis does not answer. Keys are read from the database each time, and each instance counts on its own.
    pub fn is_degraded(&self) -> bool {
        self.0.degraded.load(Ordering::Relaxed)
    }

    fn degrade(&self, error: &redis::RedisError) {
        self.0.outage.failed(Instant::now(), error);
        if !self.0.degraded.swap(true, Ordering::Relaxed) {
            // One outage may have many such moments.
            tracing::debug!("degraded: counting per instance");
            metrics::gauge!("svc_mcp_degraded").set(1.0);
        }
    }

    /// Checks whether Redis is back. Call it twice a second.
    pub async fn probe(&self) {
        // A write: a Redis that is out of memory, or a replica, answers a PING but cannot count.
        let mut write = redis::cmd("SET");
        write.arg("svc:probe").arg(1).arg("EX").arg(60);
        let written: Result<(), _> = write.query_async(&mut self.0.redis.clone()).await;
        match written {
            Ok(()) => {
                self.0.outage.succeeded(Instant::now());
                self.0.degraded.store(false, Ordering::Relaxed);
                metrics::gauge!("svc_mcp_degraded").set(0.0);
            }
            Err(error) => self.degrade(&error),
        }
    }

    /// One step of a key's window, which is found by `KeyState::window_digest`. `at` is for tests: the service uses the clock of Redis. `None`: Redis did not answer.
    pub async fn step(
        &self,
        window: &KeyDigest,
        (brand, plan, stamps): (&BrandId, &PlanId, Stamps),
        step: Step,
        at: Option<Ticks>,
    ) -> Option<StepOutcome> {
        let (reply, outcome) = oneshot::channel();
        let (window, brand, plan) = (*window, brand.clone(), plan.clone());
        let request = StepRequest { window, brand, plan, stamps, step, at, reply };
        let batcher = self.0.batcher.get_or_init(|| {
            let (sender, requests) = mpsc::unbounded_channel();
            tokio::spawn(redis_batcher::run(self.0.redis.clone(), requests));
            sender
        });
        // Sending and receiving fail only while the runtime shuts down.
        batcher.send(request).ok()?;
        match outcome.await.ok()? {
            Ok(outcome) => Some(outcome),
            Err(error) => {
                self.degrade(&error);
                None
            }
        }
    }

    /// The current stamps of a brand and a plan. Missing stamps are created.
    pub async fn stamps(&self, brand: &BrandId, plan: &PlanId) -> Option<Stamps> {
        let (brand, plan) = (brand_key(brand), plan_key(plan));
        let read: Result<(u64, u64), _> = redis::pipe()
            .cmd("SET")
            .arg(&brand)
            .arg(self.new_stamp())
            .arg("NX")
            .ignore()
            .cmd("SET")
            .arg(&plan)
            .arg(self.new_stamp())
            .arg("NX")
            .ignore()
            .cmd("GET")
            .arg(&brand)
            .cmd("GET")
            .arg(&plan)
            .query_async(&mut self.0.redis.clone())
            .await;
        match read {
            Ok((brand, plan)) => Some(Stamps { brand, plan }),
            Err(error) => {
                self.degrade(&error);
                None
            }
        }
    }

    /// Tells every instance that a brand or plan has changed.
    pub(crate) async fn announce(&self, target: &ChangeTarget) {
        let key = match target {
            ChangeTarget::Brand(brand) => brand_key(brand),
            ChangeTarget::Plan(plan) => plan_key(plan),
        };
        let written: Result<(), _> =
            redis::cmd("SET").arg(key).arg(self.new_stamp()).query_async(&mut self.0.redis.clone()).await;
        if let Err(error) = written {
            self.degrade(&error);
            tokio::time::sleep(PUBLISH_DELAY_WITHOUT_REDIS).await;
        }
    }

    /// Deletes the stamp of an erased brand. The windows of its keys end by themselves.
    pub(crate) async fn forget_brand(&self, brand: &BrandId) {
        let deleted: Result<(), _> =
            redis::cmd("DEL").arg(brand_key(brand)).query_async(&mut self.0.redis.clone()).await;
        if let Err(error) = deleted {
            self.degrade(&error);
        }
    }

    /// Never zero: zero stands for a key state that was read without stamps.
    fn new_stamp(&self) -> u64 {
        rand::Rng::next_u64(&mut self.0.entropy.clone()) | 1
    }
}

impl std::fmt::Debug for RedisState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisState").field("degraded", &self.is_degraded()).finish_non_exhaustive()
    }
}

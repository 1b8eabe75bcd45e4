//! What several instances share over Redis: the count of each key's requests, and the news that something changed.
//!
//! A stamp stands for one version of a brand or a plan. Whoever changes one sets a new stamp after the commit and
//! before the answer; every request compares, in the same round trip that counts it, the stamps its standing was
//! read at. A stamp that is not there (Redis was emptied) equals none, so the standing is read again.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use svc_mcp_access::{
    BrandId, Entropy, PlanId, Secret, Ticks,
    decision::{Reading, Stamps},
    key::KeyDigest,
    rate::Step,
};
use tokio::sync::{mpsc, oneshot};

use crate::{
    cache::{Changed, TRUSTED_FOR},
    courier::{self, Asked},
};

const PATIENCE: Duration = Duration::from_millis(500);
/// How long an instance without Redis holds back the answer to a change: by then every other one has noticed it in
/// the database, where they look twice a second, or no longer trusts what it remembers.
const UNTIL_NOTICED: Duration = TRUSTED_FOR.saturating_add(Duration::from_millis(300));

#[derive(Clone)]
pub struct Shared(Arc<Inner>);

struct Inner {
    redis: ConnectionManager,
    /// Set out with the first step.
    courier: OnceLock<mpsc::UnboundedSender<Asked>>,
    degraded: AtomicBool,
    entropy: Entropy,
}

impl Shared {
    /// Does not wait for Redis: without it the service starts degraded, and recovers by itself.
    pub fn open(url: &Secret, entropy: Entropy) -> Result<Self, redis::RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(100));
        let client = redis::Client::open(url.expose())?;
        let redis = ConnectionManager::new_lazy_with_config(client, config)?;
        Ok(Self(Arc::new(Inner {
            redis,
            courier: OnceLock::new(),
            degraded: AtomicBool::new(false),
            entropy,
        })))
    }

    /// Redis does not answer: keys are read from the database each time and counted by each instance for itself.
    pub fn is_degraded(&self) -> bool {
        self.0.degraded.load(Ordering::Relaxed)
    }

    fn degrade(&self, error: &redis::RedisError) {
        if !self.0.degraded.swap(true, Ordering::Relaxed) {
            tracing::warn!(%error, "degraded: Redis does not answer; limits are counted per instance until it is back");
            metrics::gauge!("svc_mcp_degraded").set(1.0);
        }
    }

    /// Looks whether Redis is back. To be called twice a second.
    pub async fn probe(&self) {
        // A write: one that is out of memory, or somebody's replica, answers a PING and counts nothing.
        let mut write = redis::cmd("SET");
        write.arg("svc:probe").arg(1).arg("EX").arg(60);
        let answer: Result<(), _> = write.query_async(&mut self.0.redis.clone()).await;
        match answer {
            Ok(()) => {
                if self.0.degraded.swap(false, Ordering::Relaxed) {
                    tracing::info!("Redis is back: limits are shared again");
                }
                metrics::gauge!("svc_mcp_degraded").set(0.0);
            }
            Err(error) => self.degrade(&error),
        }
    }

    /// One step of a key's window. `at` is for tests: the service goes by Redis's own clock.
    pub async fn step(
        &self,
        digest: &KeyDigest,
        (brand, plan, stamps): (&BrandId, &PlanId, Stamps),
        step: Step,
        at: Option<Ticks>,
    ) -> Option<Reading> {
        let (answer, answered) = oneshot::channel();
        let (digest, brand, plan) = (*digest, brand.clone(), plan.clone());
        let asked = Asked { digest, brand, plan, stamps, step, at, answer };
        let courier = self.0.courier.get_or_init(|| {
            let (courier, asked) = mpsc::unbounded_channel();
            tokio::spawn(courier::go(self.0.redis.clone(), asked));
            courier
        });
        // Who cannot ask, or is not answered, is on a runtime that is ending.
        courier.send(asked).ok()?;
        match answered.await.ok()? {
            Ok(reading) => Some(reading),
            Err(error) => {
                self.degrade(&error);
                None
            }
        }
    }

    /// The stamps of a brand and a plan now, made where there are none.
    pub async fn stamps(&self, brand: &BrandId, plan: &PlanId) -> Option<Stamps> {
        let (brand, plan) = (brand_key(brand), plan_key(plan));
        let answer: Result<(u64, u64), _> = redis::pipe()
            .cmd("SET")
            .arg(&brand)
            .arg(self.fresh_stamp())
            .arg("NX")
            .ignore()
            .cmd("SET")
            .arg(&plan)
            .arg(self.fresh_stamp())
            .arg("NX")
            .ignore()
            .cmd("GET")
            .arg(&brand)
            .cmd("GET")
            .arg(&plan)
            .query_async(&mut self.0.redis.clone())
            .await;
        match answer {
            Ok((brand, plan)) => Some(Stamps { brand, plan }),
            Err(error) => {
                self.degrade(&error);
                None
            }
        }
    }

    /// Tells every instance that a brand or plan has changed.
    pub(crate) async fn announce(&self, changed: Changed<'_>) {
        let key = match changed {
            Changed::Brand(brand) => brand_key(brand),
            Changed::Plan(plan) => plan_key(plan),
        };
        let told: Result<(), _> =
            redis::cmd("SET").arg(key).arg(self.fresh_stamp()).query_async(&mut self.0.redis.clone()).await;
        if let Err(error) = told {
            self.degrade(&error);
            tokio::time::sleep(UNTIL_NOTICED).await;
        }
    }

    /// Never zero, which stands for a standing that was read without stamps.
    fn fresh_stamp(&self) -> u64 {
        rand::Rng::next_u64(&mut self.0.entropy.clone()) | 1
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("degraded", &self.is_degraded()).finish_non_exhaustive()
    }
}

/// Not `svc:window:`, as in the first versions, which kept a list there.
pub(crate) fn window_key(digest: &KeyDigest) -> [u8; 44] {
    let mut key = *b"svc:moments:________________________________";
    key[12..].copy_from_slice(digest.as_bytes());
    key
}

pub(crate) fn brand_key(brand: &BrandId) -> String {
    format!("svc:brand:{brand}")
}

pub(crate) fn plan_key(plan: &PlanId) -> String {
    format!("svc:plan:{plan}")
}

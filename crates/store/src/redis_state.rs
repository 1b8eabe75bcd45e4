//! What several instances share over Redis: the rate limit windows, and stamps that show when something has changed.
//!
//! A stamp stands for one version of a brand or a plan. A change sets a new stamp after its commit and before its
//! response. Every request compares the stamps of its key state in the same round trip that counts it. A missing stamp
//! (Redis was emptied) equals none, so the key state is read again.
//!
//! If the only Redis does not answer, the state is degraded at once. If one master of a cluster does not answer, its keys are
//! refused until a replica has taken over, because counting them per instance would admit too many requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use redis::{Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult};
use svc_mcp_access::{
    BrandId, Entropy, PlanId, Ticks,
    decision::{Stamps, StepOutcome},
    key::KeyDigest,
    rate::Step,
};
use svc_mcp_tools::outage::Outage;
use tokio::{sync::oneshot, task::JoinSet};

use crate::{
    access_change::{ChangeTarget, PUBLISH_DELAY_WITHOUT_REDIS},
    redis_batcher::StepRequest,
    redis_client::{RedisSettings, RedisSettingsError},
    redis_cluster::{Cluster, Redirect, no_server},
    redis_keys::{Bucket, brand_key, plan_key, probe_key},
    redis_node::Node,
};

/// A replica usually takes over a little after `cluster-node-timeout`, which is 15 seconds unless it is set. After this time
/// the state is degraded.
const FAILOVER_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a command of a cluster follows the servers to another one.
const MAX_REDIRECTS: u32 = 16;

/// Reads two stamps and creates the missing ones. One command, because a cluster may have to redirect it.
const READ_STAMPS: &str = "redis.call('SET', KEYS[1], ARGV[1], 'NX') redis.call('SET', KEYS[2], ARGV[2], 'NX') \
    return redis.call('MGET', KEYS[1], KEYS[2])";

#[derive(Clone)]
pub struct RedisState(Arc<Inner>);

struct Inner {
    servers: Servers,
    degraded: AtomicBool,
    outage: Outage,
    /// When a part of the cluster began to fail.
    failing_since: Mutex<Option<Instant>>,
    entropy: Entropy,
}

enum Servers {
    One(Arc<Node>),
    Cluster(Arc<Cluster>),
}

/// Where a command is sent.
struct Route {
    node: Arc<Node>,
    bucket: Option<Bucket>,
    asking: bool,
    redirects: u32,
}

impl RedisState {
    /// Does not wait for Redis. Without it the service starts degraded and recovers when Redis is back.
    pub fn open(settings: &RedisSettings, entropy: Entropy) -> Result<Self, RedisSettingsError> {
        let servers = match settings.cluster()? {
            Some(url) => Servers::Cluster(Arc::new(Cluster::new(url, settings.timeout)?)),
            None => Servers::One(Arc::new(Node::new(String::new(), settings.client()?, settings.timeout)?)),
        };
        Ok(Self(Arc::new(Inner {
            servers,
            degraded: AtomicBool::new(false),
            outage: Outage::new(
                "redis",
                "degraded, because Redis does not answer; limits are counted per instance",
            ),
            failing_since: Mutex::default(),
            entropy,
        })))
    }

    /// Redis does not answer. Keys are read from the database each time, and each instance counts on its own.
    pub fn is_degraded(&self) -> bool {
        self.0.degraded.load(Ordering::Relaxed)
    }

    fn degrade(&self, error: &RedisError) {
        self.0.outage.failed(Instant::now(), error);
        if !self.0.degraded.swap(true, Ordering::Relaxed) {
            // One outage may have many such moments.
            tracing::debug!("degraded: counting per instance");
            metrics::gauge!("svc_mcp_degraded").set(1.0);
        }
    }

    /// A command has failed. The probe decides whether a cluster is degraded.
    fn failed(&self, error: &RedisError) {
        match &self.0.servers {
            _ if error.kind() == SHUT_DOWN => {}
            Servers::One(_) => self.degrade(error),
            Servers::Cluster(cluster) => {
                self.start_failing(error);
                cluster.refresh_soon();
            }
        }
    }

    fn start_failing(&self, error: &RedisError) -> Instant {
        let mut since = self.0.failing_since.lock();
        *since.get_or_insert_with(|| {
            tracing::warn!(%error, "a part of the Redis cluster does not answer; its keys are refused until a replica takes over");
            Instant::now()
        })
    }

    fn all_answer(&self) {
        if self.0.failing_since.lock().take().is_some() {
            tracing::info!("all parts of the Redis cluster answer again");
        }
        self.0.outage.succeeded(Instant::now());
        self.0.degraded.store(false, Ordering::Relaxed);
        metrics::gauge!("svc_mcp_degraded").set(0.0);
    }

    /// Checks whether Redis is back. Call it twice a second.
    pub async fn probe(&self) {
        match &self.0.servers {
            Servers::One(node) => match node.query::<()>(&probe(None), false).await {
                Ok(()) => self.all_answer(),
                Err(error) => self.degrade(&error),
            },
            Servers::Cluster(cluster) => self.probe_cluster(cluster).await,
        }
    }

    async fn probe_cluster(&self, cluster: &Cluster) {
        let mut masters = cluster.masters();
        if masters.is_empty() {
            let refreshed = cluster.refresh().await;
            masters = cluster.masters();
            if masters.is_empty() {
                return self.degrade(&refreshed.err().unwrap_or_else(no_server));
            }
        }
        let (count, mut probes) = (masters.len(), JoinSet::new());
        for (bucket, node) in masters {
            probes.spawn(async move { node.query::<()>(&probe(Some(bucket)), false).await });
        }
        let (mut reached, mut failed) = (0, None);
        for result in probes.join_all().await {
            match result {
                Ok(()) => reached += 1,
                // It answers, for example that it waits for the failover of another one.
                Err(error) if !error.is_io_error() => {
                    reached += 1;
                    failed = Some(error);
                }
                Err(error) => failed = Some(error),
            }
        }
        let Some(error) = failed else {
            self.all_answer();
            return cluster.refresh_regularly().await;
        };
        let since = self.start_failing(&error);
        // The masters vote for the failover, so it needs more than half of them.
        if 2 * reached <= count || since.elapsed() > FAILOVER_TIMEOUT {
            self.degrade(&error);
        }
        let _ = cluster.refresh().await;
    }

    /// One step of a key's window, which is found by `KeyState::window_digest`. `at` is for tests: the service uses the clock
    /// of Redis. `None`: Redis did not answer. If the state is not degraded then, it does again after a failover.
    pub async fn step(
        &self,
        window: &KeyDigest,
        (brand, plan, stamps): (&BrandId, &PlanId, Stamps),
        step: Step,
        at: Option<Ticks>,
    ) -> Option<StepOutcome> {
        let run = async {
            let mut route = self.route(self.bucket_of(brand)).await?;
            loop {
                let (reply, outcome) = oneshot::channel();
                let (window, brand, plan) = (*window, brand.clone(), plan.clone());
                let (bucket, asking) = (route.bucket, route.asking);
                let request = StepRequest { window, brand, plan, stamps, step, at, bucket, asking, reply };
                // Sending and receiving fail only while the runtime shuts down.
                if !route.node.send_step(request) {
                    return Err(shut_down());
                }
                match outcome.await.unwrap_or_else(|_| Err(shut_down())) {
                    Ok(outcome) => return Ok(outcome),
                    Err(error) => self.redirect(&mut route, error).await?,
                }
            }
        };
        run.await.inspect_err(|error| self.failed(error)).ok()
    }

    /// The current stamps of a brand and a plan. Missing stamps are created.
    pub async fn stamps(&self, brand: &BrandId, plan: &PlanId) -> Option<Stamps> {
        let bucket = self.bucket_of(brand);
        let mut command = redis::cmd("EVAL");
        command.arg(READ_STAMPS).arg(2).arg(brand_key(bucket, brand)).arg(plan_key(bucket, plan));
        command.arg(self.new_stamp()).arg(self.new_stamp());
        let read: RedisResult<(u64, u64)> = self.query(bucket, &command).await;
        let (brand, plan) = read.inspect_err(|error| self.failed(error)).ok()?;
        Some(Stamps { brand, plan })
    }

    /// Tells every instance that a brand or plan has changed.
    pub(crate) async fn announce(&self, target: &ChangeTarget) {
        let mut writes = JoinSet::new();
        for (bucket, key) in self.stamp_keys(target) {
            let mut command = redis::cmd("SET");
            command.arg(key).arg(self.new_stamp());
            let state = self.clone();
            writes.spawn(async move { state.query::<()>(bucket, &command).await });
        }
        let failed = writes.join_all().await.into_iter().find_map(Result::err);
        if let Some(error) = failed {
            self.failed(&error);
            tokio::time::sleep(PUBLISH_DELAY_WITHOUT_REDIS).await;
        }
    }

    /// The stamps that a change sets: in a cluster, a plan has one for each bucket.
    fn stamp_keys(&self, target: &ChangeTarget) -> Vec<(Option<Bucket>, String)> {
        match (target, &self.0.servers) {
            (ChangeTarget::Brand(brand), _) => {
                let bucket = self.bucket_of(brand);
                vec![(bucket, brand_key(bucket, brand))]
            }
            (ChangeTarget::Plan(plan), Servers::One(_)) => vec![(None, plan_key(None, plan))],
            (ChangeTarget::Plan(plan), Servers::Cluster(_)) => {
                Bucket::all().map(|bucket| (Some(bucket), plan_key(Some(bucket), plan))).collect()
            }
        }
    }

    /// Deletes the stamp of an erased brand. The windows of its keys end by themselves.
    pub(crate) async fn forget_brand(&self, brand: &BrandId) {
        let bucket = self.bucket_of(brand);
        let mut command = redis::cmd("DEL");
        command.arg(brand_key(bucket, brand));
        if let Err(error) = self.query::<()>(bucket, &command).await {
            self.failed(&error);
        }
    }

    async fn query<T: FromRedisValue>(&self, bucket: Option<Bucket>, command: &Cmd) -> RedisResult<T> {
        let mut route = self.route(bucket).await?;
        loop {
            match route.node.query(command, route.asking).await {
                Ok(value) => return Ok(value),
                Err(error) => self.redirect(&mut route, error).await?,
            }
        }
    }

    async fn route(&self, bucket: Option<Bucket>) -> RedisResult<Route> {
        let node = match (&self.0.servers, bucket) {
            (Servers::One(node), _) => Arc::clone(node),
            (Servers::Cluster(cluster), Some(bucket)) => cluster.node_of(bucket).await?,
            (Servers::Cluster(_), None) => return Err(no_server()),
        };
        Ok(Route { node, bucket, asking: false, redirects: 0 })
    }

    /// Follows the servers of a cluster to another one. Any other error is returned.
    async fn redirect(&self, route: &mut Route, error: RedisError) -> RedisResult<()> {
        let (Servers::Cluster(cluster), Some(bucket)) = (&self.0.servers, route.bucket) else {
            return Err(error);
        };
        if route.redirects >= MAX_REDIRECTS {
            return Err(error);
        }
        let (node, asking) = match cluster.redirect(bucket, &route.node, &error).await {
            Some(Redirect::Again) => (cluster.node_of(bucket).await?, false),
            Some(Redirect::Ask(node)) => (node, true),
            None => return Err(error),
        };
        (route.node, route.asking) = (node, asking);
        route.redirects += 1;
        Ok(())
    }

    fn bucket_of(&self, brand: &BrandId) -> Option<Bucket> {
        matches!(self.0.servers, Servers::Cluster(_)).then(|| Bucket::of_brand(brand))
    }

    /// Never zero: zero stands for a key state that was read without stamps.
    fn new_stamp(&self) -> u64 {
        rand::Rng::next_u64(&mut self.0.entropy.clone()) | 1
    }
}

/// A write: a Redis that is out of memory, or a replica, answers a PING but cannot count.
fn probe(bucket: Option<Bucket>) -> Cmd {
    let mut write = redis::cmd("SET");
    write.arg(probe_key(bucket)).arg(1).arg("EX").arg(60);
    write
}

/// The kind of error that shows that the runtime shuts down, not that Redis fails.
const SHUT_DOWN: ErrorKind = ErrorKind::Client;

fn shut_down() -> RedisError {
    (SHUT_DOWN, "the service shuts down").into()
}

impl std::fmt::Debug for RedisState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisState").field("degraded", &self.is_degraded()).finish_non_exhaustive()
    }
}

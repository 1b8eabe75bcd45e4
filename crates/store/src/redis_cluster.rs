//! The servers of a Redis Cluster, and which of them holds a bucket.
//!
//! The client's own cluster connection is not used: it sends no pipeline over several slots, and no `WAIT` behind a script to
//! the script's server. Both are needed to count many keys in one round trip without forgetting any at a failover.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::RwLock;
use redis::{ErrorKind, RedisError, RedisResult, ServerErrorKind};
use tokio::{sync::Mutex, task::JoinSet};

use crate::{
    redis_client::{ClusterUrl, RedisSettingsError},
    redis_keys::Bucket,
    redis_node::Node,
    redis_topology::{Topology, absolute},
};

/// The servers are not asked more often.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
/// How often they are asked while all is well: replicas come and go.
const REGULAR_REFRESH_INTERVAL: Duration = Duration::from_secs(5);
/// How long a command waits before it tries a slot again whose keys are being moved.
const TRY_AGAIN_DELAY: Duration = Duration::from_millis(20);

pub(crate) struct Cluster {
    url: ClusterUrl,
    timeout: Duration,
    servers: RwLock<Servers>,
    /// When the servers were asked last. Held while they are asked.
    refresh: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Servers {
    /// By bucket. `None`: no server that was asked knows a master.
    of_buckets: Vec<Option<Arc<Node>>>,
    all: HashMap<String, Arc<Node>>,
}

/// Where a command is sent next.
pub(crate) enum Redirect {
    /// To the node of its bucket.
    Again,
    /// To this node, which is about to get the bucket.
    Ask(Arc<Node>),
}

impl Cluster {
    pub(crate) fn new(url: ClusterUrl, timeout: Duration) -> Result<Self, RedisSettingsError> {
        // Faults of the settings are reported when the service starts.
        for seed in &url.seeds {
            url.client(seed)?;
        }
        Ok(Self { url, timeout, servers: RwLock::default(), refresh: Mutex::default() })
    }

    pub(crate) async fn node_of(&self, bucket: Bucket) -> RedisResult<Arc<Node>> {
        if let Some(node) = self.known_node_of(bucket) {
            return Ok(node);
        }
        self.refresh().await?;
        self.known_node_of(bucket).ok_or_else(no_server)
    }

    fn known_node_of(&self, bucket: Bucket) -> Option<Arc<Node>> {
        self.servers.read().of_buckets.get(bucket.index()).cloned().flatten()
    }

    /// The masters, each with one of its buckets.
    pub(crate) fn masters(&self) -> Vec<(Bucket, Arc<Node>)> {
        let servers = self.servers.read();
        let mut masters: Vec<(Bucket, Arc<Node>)> = Vec::new();
        for (bucket, node) in Bucket::all().zip(&servers.of_buckets) {
            if let Some(node) = node
                && !masters.iter().any(|(_, known)| known.address == node.address)
            {
                masters.push((bucket, Arc::clone(node)));
            }
        }
        masters
    }

    /// What to do about an error of a command that was not run. `None`: it is not such an error.
    pub(crate) async fn redirect(
        &self,
        bucket: Bucket,
        asked: &Node,
        error: &RedisError,
    ) -> Option<Redirect> {
        match error.kind() {
            ErrorKind::Server(ServerErrorKind::TryAgain) => {
                tokio::time::sleep(TRY_AGAIN_DELAY).await;
                Some(Redirect::Again)
            }
            ErrorKind::Server(kind @ (ServerErrorKind::Moved | ServerErrorKind::Ask)) => {
                let (endpoint, _) = error.redirect_node()?;
                let node = self.node_at(&absolute(endpoint, &asked.address)?).ok()?;
                if kind == ServerErrorKind::Ask {
                    return Some(Redirect::Ask(node));
                }
                let mut servers = self.servers.write();
                if let Some(of_bucket) = servers.of_buckets.get_mut(bucket.index()) {
                    *of_bucket = Some(node);
                }
                Some(Redirect::Again)
            }
            _ => None,
        }
    }

    fn node_at(&self, address: &str) -> Result<Arc<Node>, RedisSettingsError> {
        if let Some(node) = self.servers.read().all.get(address) {
            return Ok(Arc::clone(node));
        }
        let node = Arc::new(Node::new(address.to_owned(), self.url.client(address)?, self.timeout)?);
        let mut servers = self.servers.write();
        Ok(Arc::clone(servers.all.entry(address.to_owned()).or_insert(node)))
    }

    /// Asks in the background which server holds what, unless somebody is asking already.
    pub(crate) fn refresh_soon(self: &Arc<Self>) {
        if self.refresh.try_lock().is_ok() {
            let cluster = Arc::clone(self);
            tokio::spawn(async move { cluster.refresh().await });
        }
    }

    /// Notices that a master has got or lost a replica. Call it regularly.
    pub(crate) async fn refresh_regularly(&self) {
        let asked_at = *self.refresh.lock().await;
        if asked_at.is_none_or(|at| at.elapsed() >= REGULAR_REFRESH_INTERVAL) {
            // A failure shows at the next probe.
            let _ = self.refresh().await;
        }
    }

    /// Asks the servers which of them holds what. More than half of the answers are enough.
    pub(crate) async fn refresh(&self) -> RedisResult<()> {
        let mut asked_at = self.refresh.lock().await;
        if asked_at.is_some_and(|at| at.elapsed() < REFRESH_INTERVAL) {
            return Ok(());
        }
        let result = self.ask_servers().await;
        *asked_at = Some(Instant::now());
        result
    }

    async fn ask_servers(&self) -> RedisResult<()> {
        let mut asked = JoinSet::new();
        for address in self.known_addresses() {
            let Ok(node) = self.node_at(&address) else { continue };
            asked.spawn(async move {
                let text: String = node.query(redis::cmd("CLUSTER").arg("NODES"), false).await?;
                Ok::<_, RedisError>((node, text))
            });
        }
        let (count, mut answers, mut last_error) = (asked.len(), Vec::new(), None);
        while let Some(answer) = asked.join_next().await {
            match answer {
                Ok(Ok((node, text))) => {
                    answers.extend(Topology::parse(&text, &node.address, self.url.is_tls));
                }
                Ok(Err(error)) => last_error = Some(error),
                Err(_) => {}
            }
            if 2 * answers.len() > count {
                break;
            }
        }
        if answers.is_empty() {
            return Err(last_error.unwrap_or_else(no_server));
        }
        self.apply(&answers);
        Ok(())
    }

    fn known_addresses(&self) -> Vec<String> {
        let servers = self.servers.read();
        let mut addresses: Vec<String> = servers.all.keys().cloned().collect();
        let new = self.url.seeds.iter().filter(|seed| !servers.all.contains_key(*seed));
        addresses.extend(new.cloned());
        addresses
    }

    fn apply(&self, answers: &[Topology]) {
        let mut of_buckets = Vec::new();
        for bucket in Bucket::all() {
            let master = Topology::master_of(answers, bucket.slot());
            let node = master.and_then(|master| {
                let node = self.node_at(&master.address).ok()?;
                node.replication.has_replica.store(master.has_replica, std::sync::atomic::Ordering::Relaxed);
                Some(node)
            });
            of_buckets.push(node);
        }
        let addresses: Vec<&String> = answers.iter().flat_map(|answer| &answer.addresses).collect();
        // All are connected to, so that they can be asked when others fail.
        for address in &addresses {
            let _ = self.node_at(address);
        }
        let mut servers = self.servers.write();
        servers.of_buckets = of_buckets;
        servers.all.retain(|address, _| addresses.contains(&address) || self.url.seeds.contains(address));
    }
}

pub(crate) fn no_server() -> RedisError {
    (ErrorKind::Server(ServerErrorKind::ClusterDown), "no server has this part of the cluster").into()
}

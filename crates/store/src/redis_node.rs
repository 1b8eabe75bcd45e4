//! One Redis server: its connection, and the batcher of its steps.

use std::{
    fmt,
    sync::{Arc, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use redis::{
    Client, Cmd, FromRedisValue, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::sync::mpsc;

use crate::{
    redis_batcher::{self, Replication, StepRequest},
    redis_client::RedisSettingsError,
};

pub(crate) struct Node {
    /// `host:port`, for messages and to find the node again.
    pub(crate) address: String,
    redis: ConnectionManager,
    /// Started with the first step.
    batcher: OnceLock<mpsc::UnboundedSender<StepRequest>>,
    pub(crate) replication: Replication,
}

impl Node {
    /// Does not wait for the server.
    pub(crate) fn new(
        address: String,
        client: Client,
        timeout: Duration,
    ) -> Result<Self, RedisSettingsError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(timeout))
            .set_response_timeout(Some(timeout))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(100));
        let redis =
            ConnectionManager::new_lazy_with_config(client, config).map_err(RedisSettingsError::Url)?;
        // Shorter than the timeout of the whole reply.
        let replication = Replication { has_replica: Arc::new(AtomicBool::new(false)), timeout: timeout / 2 };
        Ok(Self { address, redis, batcher: OnceLock::new(), replication })
    }

    /// Returns false only while the runtime shuts down.
    pub(crate) fn send_step(&self, request: StepRequest) -> bool {
        let batcher = self.batcher.get_or_init(|| {
            let (sender, requests) = mpsc::unbounded_channel();
            tokio::spawn(redis_batcher::run(self.redis.clone(), self.replication.clone(), requests));
            sender
        });
        batcher.send(request).is_ok()
    }

    /// With `asking`, the server also serves keys that are being moved to it.
    pub(crate) async fn query<T: FromRedisValue>(&self, command: &Cmd, asking: bool) -> RedisResult<T> {
        let mut redis = self.redis.clone();
        if !asking {
            return command.query_async(&mut redis).await;
        }
        let mut pipeline = redis::pipe();
        pipeline.cmd("ASKING").ignore().add_command(command.clone());
        let (value,) = pipeline.query_async(&mut redis).await?;
        Ok(value)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("address", &self.address).finish_non_exhaustive()
    }
}

//! How the connections to the database are used, for the metrics. It costs no query.

use crate::{Store, engine::Engine};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionUse {
    /// Open, and used by a query.
    pub used: u32,
    /// Open, and free.
    pub idle: u32,
    /// How many may be open.
    pub max: u32,
    /// Requests that wait for the database.
    pub waiting: u32,
}

impl Store {
    pub fn connection_use(&self) -> ConnectionUse {
        let of_pool = |size: u32, idle: usize, max: u32| (size, u32::try_from(idle).unwrap_or(size), max);
        let pools = match &self.engine {
            // Without the connection for uses of keys: no request waits for it.
            Engine::Sqlite { writers, readers, .. } => [writers.requests(), readers]
                .map(|pool| of_pool(pool.size(), pool.num_idle(), pool.options().get_max_connections()))
                .to_vec(),
            Engine::Postgres { pool, .. } => {
                vec![of_pool(pool.size(), pool.num_idle(), pool.options().get_max_connections())]
            }
        };
        let waiting = self.admission.waiting();
        pools.into_iter().fold(
            ConnectionUse { used: 0, idle: 0, max: 0, waiting },
            |all, (open, idle, max)| {
                // The two numbers are read one after the other, so they may not fit together.
                let used = all.used + open.saturating_sub(idle);
                ConnectionUse { used, idle: all.idle + idle, max: all.max + max, ..all }
            },
        )
    }

    pub fn engine_name(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite { .. } => "sqlite",
            Engine::Postgres { .. } => "postgresql",
        }
    }

    pub fn uses_redis(&self) -> bool {
        self.redis.is_some()
    }
}

//! A whole installation on this machine: PostgreSQL, Redis and several `svc-mcp serve` behind `HAProxy`. Tests can stop,
//! freeze or disconnect each part.

mod balancer;
mod installation;
mod instance;
mod proxy;
mod servers;

pub use balancer::Balancer;
pub use installation::{
    BRAND, Cluster, ClusterOptions, InstanceProxies, PLAN, RATE_WINDOW, REVEAL_KEYS, USER,
};
pub use instance::{Instance, PausedProcesses};
pub use proxy::{ProxyMode, TcpProxy};
pub use servers::{PostgresServer, RedisServer, execute, query_one};

//! Limits for clients.

use std::time::Duration;

use clap::{Args, builder::RangedU64ValueParser};
use svc_mcp_access::{Network, Networks};

use super::values::{network, seconds};

/// Limits for clients.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Maximum number of open connections, 1 to 1000000; further ones wait
    #[arg(long, env = "SVC_MAX_CONNECTIONS", default_value_t = 4096, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,

    /// Maximum number of open connections of one address (IPv6: one /64 network), 0 to 1000000; further ones are closed; 0: no limit;
    /// unset: a quarter of the maximum for public addresses, and no limit for private ones, where proxies are
    #[arg(long, env = "SVC_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N",
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub max_connections_per_address: Option<u32>,

    /// Networks or addresses of the proxies in front of the service, separated by commas: `Forwarded` or `X-Forwarded-For`
    /// of these tells the client's address, and they have no limit of connections; unset: none
    #[arg(long, env = "SVC_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<Network>,

    /// Maximum number of requests in flight, 1 to 1000000; further ones are answered 503 at once
    #[arg(long, env = "SVC_MAX_REQUESTS", default_value_t = 1024, value_name = "N",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub max_requests: usize,

    /// Maximum number of requests of a user to the management API in a minute, for each instance, 0 to 65535; operators are not
    /// limited; 0: no limit
    #[arg(long, env = "SVC_MANAGEMENT_LIMIT", default_value_t = 120, value_name = "N")]
    pub management_limit: u16,

    /// Seconds a client may take to send a request's header, 0.1 to 3600; like the next two, at most a quarter of the shortest later
    #[arg(long, env = "SVC_HEADER_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds(0.1..=3600.0))]
    pub header_timeout: Duration,

    /// Seconds a connection may wait for its next request, 0.1 to 3600; unset: the same as for the header
    #[arg(long, env = "SVC_IDLE_TIMEOUT", value_name = "SECONDS", value_parser = seconds(0.1..=3600.0))]
    pub idle_timeout: Option<Duration>,

    /// Seconds in which a client must read some of the response, 0.1 to 3600
    #[arg(long, env = "SVC_WRITE_TIMEOUT", default_value = "30", value_name = "SECONDS", value_parser = seconds(0.1..=3600.0))]
    pub write_timeout: Duration,

    /// Seconds a client may take to send a request's body, 0.1 to 3600
    #[arg(long, env = "SVC_BODY_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds(0.1..=3600.0))]
    pub body_timeout: Duration,

    /// Seconds that requests in flight may take at shutdown, 0 to 3600
    #[arg(long, env = "SVC_SHUTDOWN_GRACE", default_value = "20", value_name = "SECONDS", value_parser = seconds(0.0..=3600.0))]
    pub shutdown_grace: Duration,

    /// Seconds between reporting not ready and closing the listener, so that load balancers notice, 0 to 3600
    #[arg(long, env = "SVC_DRAIN_DELAY", default_value = "0", value_name = "SECONDS", value_parser = seconds(0.0..=3600.0))]
    pub drain_delay: Duration,
}

impl LimitArgs {
    /// `None`: no proxy is trusted.
    pub(crate) fn trusted_proxies(&self) -> Option<Networks> {
        (!self.trusted_proxies.is_empty()).then(|| self.trusted_proxies.iter().copied().collect())
    }
}

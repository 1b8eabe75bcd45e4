//! Where data is stored.

use std::path::PathBuf;

use clap::Args;
use svc_mcp_access::Secret;

use super::values::secret;

/// Where data is stored. Every subcommand takes these.
#[derive(Debug, Clone, Args)]
pub struct StoreArgs {
    /// Directory of the database and the generated secrets
    #[arg(long, env = "SVC_DATA_DIR", default_value = "./data", value_name = "DIR")]
    pub data_dir: PathBuf,

    /// postgres://… for PostgreSQL; unset: SQLite in the data directory
    #[arg(long, env = "SVC_DATABASE_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub database_url: Option<Secret>,

    /// Maximum number of connections to PostgreSQL, 2 to 1000
    #[arg(long, env = "SVC_DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub database_connections: u32,

    /// redis://… (rediss://… with TLS; `redis+cluster://HOST,HOST` for a cluster) for one rate limit across all instances; unset: each process counts for itself
    #[arg(long, env = "SVC_REDIS_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub redis_url: Option<Secret>,

    /// File with the certificate (PEM) of a private authority, for rediss://…; the system's are trusted too
    #[arg(long, env = "SVC_REDIS_CA_FILE", value_name = "FILE", requires = "redis_url")]
    pub redis_ca_file: Option<PathBuf>,

    /// Sealing keys for revealing, as id:base64-of-32-bytes[,…]: the first one seals, all open; `off` turns
    /// revealing off; unset: made in the data directory (SQLite) or off (PostgreSQL)
    #[arg(long, env = "SVC_REVEAL_KEYS", value_name = "KEYS", value_parser = secret, hide_env_values = true)]
    pub reveal_keys: Option<Secret>,
}

impl StoreArgs {
    pub(crate) fn is_postgres(&self) -> bool {
        let schemes = ["postgres://", "postgresql://"];
        self.database_url
            .as_ref()
            .is_some_and(|url| schemes.iter().any(|scheme| url.expose().starts_with(scheme)))
    }
}

//! What can be set, each by a flag and by its variable.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use svc_mcp_access::Secret;

/// Where the service keeps its things. Shared by every subcommand.
#[derive(Debug, Clone, Args)]
pub struct StoreArgs {
    /// Where the database and generated secrets are kept
    #[arg(long, env = "SVC_DATA_DIR", default_value = "./data", value_name = "DIR")]
    pub data_dir: PathBuf,

    /// postgres://… for PostgreSQL; unset: SQLite in the data directory
    #[arg(long, env = "SVC_DATABASE_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub database_url: Option<Secret>,

    /// Connections to PostgreSQL, at most
    #[arg(long, env = "SVC_DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N")]
    pub database_connections: u32,

    /// redis://… for one rate limit over several instances; unset: counted in this process
    #[arg(long, env = "SVC_REDIS_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub redis_url: Option<Secret>,

    /// Sealing keys for revealing, as id:base64-of-32-bytes[,…]: the first one seals, all open; `off` turns
    /// revealing off; unset: made in the data directory (SQLite) or off (PostgreSQL)
    #[arg(long, env = "SVC_REVEAL_KEYS", value_name = "KEYS", value_parser = secret, hide_env_values = true)]
    pub reveal_keys: Option<Secret>,
}

/// How application JWTs are checked.
#[derive(Debug, Clone, Args)]
pub struct JwtArgs {
    /// Shared secret for HS256, 32 bytes or more; unset: made in the data directory (SQLite)
    #[arg(long, env = "SVC_JWT_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true)]
    pub jwt_secret: Option<Secret>,

    /// Where the public keys for RS256, ES256 or EdDSA are published
    #[arg(long, env = "SVC_JWT_JWKS_URL", value_name = "URL", conflicts_with = "jwt_secret")]
    pub jwt_jwks_url: Option<String>,

    /// The same as a file
    #[arg(long, env = "SVC_JWT_JWKS_FILE", value_name = "FILE", conflicts_with_all = ["jwt_secret", "jwt_jwks_url"])]
    pub jwt_jwks_file: Option<PathBuf>,

    /// Required `iss`
    #[arg(long, env = "SVC_JWT_ISSUER", value_name = "TEXT")]
    pub jwt_issuer: Option<String>,

    /// Required `aud`
    #[arg(long, env = "SVC_JWT_AUDIENCE", value_name = "TEXT")]
    pub jwt_audience: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// Address to listen on
    #[arg(long, env = "SVC_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,

    /// Address for Prometheus metrics at /metrics; unset: none
    #[arg(long, env = "SVC_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// Where the service is reached from outside; unset: http:// and the listening address
    #[arg(long, env = "SVC_PUBLIC_URL", value_name = "URL", value_parser = web_address)]
    pub public_url: Option<String>,

    /// Origins that browsers may call the API from, with commas; unset: none
    #[arg(long, env = "SVC_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<String>,

    /// Hosts, or host:port, that tools may reach although they are not public, with commas; unset: none
    #[arg(long, env = "SVC_OUTBOUND_ALLOW", value_name = "HOSTS", value_delimiter = ',')]
    pub outbound_allow: Vec<String>,

    #[command(flatten)]
    pub log: LogArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub jobs: JobArgs,

    #[command(flatten)]
    pub keywords: KeywordArgs,

    #[command(flatten)]
    pub mail: MailArgs,

    #[command(flatten)]
    pub store: StoreArgs,

    #[command(flatten)]
    pub jwt: JwtArgs,
}

/// How report mails leave.
#[derive(Debug, Clone, Args)]
pub struct MailArgs {
    /// smtp://[user:password@]host[:port][?tls=required|opportunistic|none], smtps://…, or file: and a directory that
    /// mails are written into; unset: none are sent
    #[arg(long, env = "SVC_SMTP_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// Who mails are from, such as `Acme reports <reports@example.com>`; needed with a mail server
    #[arg(long, env = "SVC_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// Where answers to mails go; unset: to who they are from
    #[arg(long, env = "SVC_MAIL_REPLY_TO", value_name = "ADDRESS")]
    pub mail_reply_to: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// What to log: error, warn, info, debug (each request), or a filter such as `svc_mcp=debug`
    #[arg(long, env = "SVC_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// How to write the log
    #[arg(long, env = "SVC_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// How much a client may ask of the server.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Connections at a time; further ones wait
    #[arg(long, env = "SVC_MAX_CONNECTIONS", default_value_t = 4096, value_name = "N")]
    pub max_connections: u32,

    /// Requests that are answered at a time; further ones are told at once to come again (503)
    #[arg(long, env = "SVC_MAX_REQUESTS", default_value_t = 1024, value_name = "N")]
    pub max_requests: usize,

    /// Seconds a client may take to send a request's head; it is cut off within a quarter of that more
    #[arg(long, env = "SVC_HEADER_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds)]
    pub header_timeout: Duration,

    /// Seconds a client may take to send a request's body
    #[arg(long, env = "SVC_BODY_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds)]
    pub body_timeout: Duration,

    /// Seconds that requests in flight get at shutdown
    #[arg(long, env = "SVC_SHUTDOWN_GRACE", default_value = "20", value_name = "SECONDS", value_parser = seconds)]
    pub shutdown_grace: Duration,

    /// Seconds between turning not ready and closing the listener, for load balancers to notice
    #[arg(long, env = "SVC_DRAIN_DELAY", default_value = "0", value_name = "SECONDS", value_parser = seconds)]
    pub drain_delay: Duration,
}

/// Who does the work that outlives a request.
#[derive(Debug, Clone, Args)]
pub struct JobArgs {
    /// Audits and analyses that run at the same time here, and as many posts and mails; 0: other instances do it
    #[arg(long, env = "SVC_JOB_WORKERS", default_value_t = 2, value_name = "N")]
    pub job_workers: u32,

    /// Seconds after which the work of an instance that fell silent is taken over
    #[arg(long, env = "SVC_JOB_LEASE", default_value = "30", value_name = "SECONDS", value_parser = seconds)]
    pub job_lease: Duration,
}

/// Who knows how often keywords are searched for.
#[derive(Debug, Clone, Args)]
pub struct KeywordArgs {
    /// Where keyword research asks for keywords and their volumes, in the JSON that docs/api.md describes; unset: nowhere
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_url: Option<Secret>,

    /// Sent to it as `Authorization: Bearer …`
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_TOKEN", value_name = "TOKEN", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_token: Option<Secret>,
}

#[expect(clippy::unnecessary_wraps, reason = "the shape clap asks for")]
fn secret(text: &str) -> Result<Secret, String> {
    Ok(Secret::new(text.to_owned()))
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "must be a number of seconds, zero or more".to_owned())
}

fn web_address(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || url.query().is_some() {
        return Err("must be an http or https address without a query".into());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

fn origin(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    let origin = url.origin().ascii_serialization();
    if origin == text { Ok(origin) } else { Err(format!("must be an origin such as {origin}")) }
}

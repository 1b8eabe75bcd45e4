//! The settings. Each has a flag and an environment variable.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use svc_mcp_access::{Network, Networks, Secret, network::NetworkError};
use svc_mcp_tools::net::{UrlError, parse_http_url};

use crate::jwt::OperatorClaim;

/// Where data is stored. Every subcommand takes these.
#[derive(Debug, Clone, Args)]
pub struct StoreArgs {
    /// Directory of the database and the generated secrets
    #[arg(long, env = "SVC_DATA_DIR", default_value = "./data", value_name = "DIR")]
    pub data_dir: PathBuf,

    /// postgres://… for PostgreSQL; unset: SQLite in the data directory
    #[arg(long, env = "SVC_DATABASE_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub database_url: Option<Secret>,

    /// Maximum number of connections to PostgreSQL
    #[arg(long, env = "SVC_DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N")]
    pub database_connections: u32,

    /// redis://… (rediss://… with TLS; redis+cluster://HOST,HOST for a cluster) for one rate limit across all instances; unset: each process counts for itself
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

/// How application JWTs are checked.
#[derive(Debug, Clone, Args)]
pub struct JwtArgs {
    /// Shared secret for HS256, 32 bytes or more; unset: made in the data directory (SQLite)
    #[arg(long, env = "SVC_JWT_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true)]
    pub jwt_secret: Option<Secret>,

    /// URL of the public keys (JWK set) for RS256, ES256 or EdDSA: https, or http on this machine
    #[arg(long, env = "SVC_JWT_JWKS_URL", value_name = "URL", conflicts_with = "jwt_secret")]
    pub jwt_jwks_url: Option<String>,

    /// File with the public keys (JWK set)
    #[arg(long, env = "SVC_JWT_JWKS_FILE", value_name = "FILE", conflicts_with_all = ["jwt_secret", "jwt_jwks_url"])]
    pub jwt_jwks_file: Option<PathBuf>,

    /// Seconds after which public keys that could not be read again are no longer trusted, 60 or more
    #[arg(long, env = "SVC_JWT_JWKS_MAX_AGE", default_value = "86400", value_name = "SECONDS", value_parser = jwks_max_age)]
    pub jwt_jwks_max_age: Duration,

    /// Required `iss`
    #[arg(long, env = "SVC_JWT_ISSUER", value_name = "TEXT")]
    pub jwt_issuer: Option<String>,

    /// Required `aud`
    #[arg(long, env = "SVC_JWT_AUDIENCE", value_name = "TEXT")]
    pub jwt_audience: Option<String>,

    /// What makes a user an operator: a claim that is this text, or a list that contains it. Dots separate the names of
    /// nested claims (`realm_access.roles=operator`); a name with `://` is taken as a whole
    /// (`https://example.com/roles=operator`); any other name can be written as a JSON pointer (`/my.claim=operator`)
    #[arg(
        long,
        env = "SVC_JWT_OPERATOR_CLAIM",
        default_value = "svc_role=operator",
        value_name = "CLAIM=VALUE"
    )]
    pub jwt_operator_claim: OperatorClaim,
}

#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// Address to listen on
    #[arg(long, env = "SVC_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,

    /// Address for Prometheus metrics at /metrics; unset: none
    #[arg(long, env = "SVC_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// The service's public address; unset: http:// and the listening address
    #[arg(long, env = "SVC_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<String>,

    /// Origins whose pages may call the API, separated by commas; unset: none
    #[arg(long, env = "SVC_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<String>,

    /// Private hosts (or host:port) that tools may reach, separated by commas; unset: none
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
    pub events: EventArgs,

    #[command(flatten)]
    pub store: StoreArgs,

    #[command(flatten)]
    pub jwt: JwtArgs,
}

/// How report mails are sent.
#[derive(Debug, Clone, Args)]
pub struct MailArgs {
    /// smtp://[user:password@]host[:port][?tls=required|opportunistic|none], smtps://…, or `file:DIR` to write mails
    /// into a directory; unset: no mails are sent
    #[arg(long, env = "SVC_SMTP_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// Sender of mails, such as `Acme reports <reports@example.com>`; required with a mail server
    #[arg(long, env = "SVC_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// Address for replies to mails; unset: the sender
    #[arg(long, env = "SVC_MAIL_REPLY_TO", value_name = "ADDRESS")]
    pub mail_reply_to: Option<String>,
}

/// Where the operator gets the events of all brands.
#[derive(Debug, Clone, Args)]
pub struct EventArgs {
    /// URL that gets every event as a Standard Webhook: https, or http on this machine; the same on all instances; unset:
    /// only the endpoints of brands get events
    #[arg(long, env = "SVC_EVENTS_URL", value_name = "URL", value_parser = secret, hide_env_values = true,
        requires = "events_secret")]
    pub events_url: Option<Secret>,

    /// Secret that signs these events: `whsec_` followed by 24 to 64 bytes in base64
    #[arg(long, env = "SVC_EVENTS_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true,
        requires = "events_url")]
    pub events_secret: Option<Secret>,
}

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// What to log: error, warn, info, debug (each request), or a filter such as `svc_mcp=debug`
    #[arg(long, env = "SVC_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// Format of the log
    #[arg(long, env = "SVC_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Limits for clients.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Maximum number of open connections; further ones wait
    #[arg(long, env = "SVC_MAX_CONNECTIONS", default_value_t = 4096, value_name = "N")]
    pub max_connections: u32,

    /// Maximum number of open connections of one address (IPv6: one /64 network); further ones are closed; 0: no limit;
    /// unset: a quarter of the maximum for public addresses, and no limit for private ones, where proxies are
    #[arg(long, env = "SVC_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub max_connections_per_address: Option<u32>,

    /// Networks or addresses of the proxies in front of the service, separated by commas: `Forwarded` or `X-Forwarded-For`
    /// of these tells the client's address, and they have no limit of connections; unset: none
    #[arg(long, env = "SVC_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<Network>,

    /// Maximum number of requests in flight; further ones are answered 503 at once
    #[arg(long, env = "SVC_MAX_REQUESTS", default_value_t = 1024, value_name = "N")]
    pub max_requests: usize,

    /// Maximum number of requests of a user to the management API in a minute, for each instance; operators are not
    /// limited; 0: no limit
    #[arg(long, env = "SVC_MANAGEMENT_LIMIT", default_value_t = 120, value_name = "N")]
    pub management_limit: u16,

    /// Seconds a client may take to send a request's header; like the next two, at most a quarter of the shortest later
    #[arg(long, env = "SVC_HEADER_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds)]
    pub header_timeout: Duration,

    /// Seconds a connection may wait for its next request; unset: the same as for the header
    #[arg(long, env = "SVC_IDLE_TIMEOUT", value_name = "SECONDS", value_parser = seconds)]
    pub idle_timeout: Option<Duration>,

    /// Seconds in which a client must read some of the response
    #[arg(long, env = "SVC_WRITE_TIMEOUT", default_value = "30", value_name = "SECONDS", value_parser = seconds)]
    pub write_timeout: Duration,

    /// Seconds a client may take to send a request's body
    #[arg(long, env = "SVC_BODY_TIMEOUT", default_value = "15", value_name = "SECONDS", value_parser = seconds)]
    pub body_timeout: Duration,

    /// Seconds that requests in flight may take at shutdown
    #[arg(long, env = "SVC_SHUTDOWN_GRACE", default_value = "20", value_name = "SECONDS", value_parser = seconds)]
    pub shutdown_grace: Duration,

    /// Seconds between reporting not ready and closing the listener, so that load balancers notice
    #[arg(long, env = "SVC_DRAIN_DELAY", default_value = "0", value_name = "SECONDS", value_parser = seconds)]
    pub drain_delay: Duration,
}

/// Background jobs.
#[derive(Debug, Clone, Args)]
pub struct JobArgs {
    /// Workers for audits, as many for analyses, and as many for posts and mails; 0: other instances run the jobs
    #[arg(long, env = "SVC_JOB_WORKERS", default_value_t = 2, value_name = "N")]
    pub job_workers: u32,

    /// Seconds after which another instance takes over the job of an instance that stopped responding
    #[arg(long, env = "SVC_JOB_LEASE", default_value = "30", value_name = "SECONDS", value_parser = seconds)]
    pub job_lease: Duration,
}

/// The provider of search volumes.
#[derive(Debug, Clone, Args)]
pub struct KeywordArgs {
    /// URL of the keyword provider; docs/api.md describes its JSON; unset: no provider
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_url: Option<Secret>,

    /// Token for the provider, sent as `Authorization: Bearer …`
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_TOKEN", value_name = "TOKEN", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_token: Option<Secret>,
}

impl LimitArgs {
    /// `None`: no proxy is trusted.
    pub(crate) fn trusted_proxies(&self) -> Option<Networks> {
        (!self.trusted_proxies.is_empty()).then(|| self.trusted_proxies.iter().copied().collect())
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("must be a number of seconds, zero or more")]
    Seconds,
    #[error("must be at least {} seconds", MIN_JWKS_MAX_AGE.as_secs())]
    JwksMaxAge,
    #[error(transparent)]
    HttpUrl(#[from] UrlError),
    #[error("must be an address without a query")]
    Query,
    #[error("must be an address: {0}")]
    Url(#[from] url::ParseError),
    #[error("must be an origin such as {0}")]
    Origin(String),
}

#[expect(clippy::unnecessary_wraps, reason = "clap expects a Result")]
fn secret(text: &str) -> Result<Secret, SettingError> {
    Ok(Secret::new(text.to_owned()))
}

pub(crate) fn seconds(text: &str) -> Result<Duration, SettingError> {
    let number: f64 = text.parse().map_err(|_| SettingError::Seconds)?;
    Duration::try_from_secs_f64(number).map_err(|_| SettingError::Seconds)
}

fn network(text: &str) -> Result<Network, NetworkError> {
    text.trim().parse()
}

/// A shorter time would refuse tokens at the first failed request.
const MIN_JWKS_MAX_AGE: Duration = Duration::from_mins(1);

fn jwks_max_age(text: &str) -> Result<Duration, SettingError> {
    let age = seconds(text)?;
    if age < MIN_JWKS_MAX_AGE { Err(SettingError::JwksMaxAge) } else { Ok(age) }
}

fn public_url(text: &str) -> Result<String, SettingError> {
    if parse_http_url(text)?.query().is_some() {
        return Err(SettingError::Query);
    }
    Ok(text.trim().trim_end_matches('/').to_owned())
}

fn origin(text: &str) -> Result<String, SettingError> {
    let origin = url::Url::parse(text)?.origin().ascii_serialization();
    if origin == text { Ok(origin) } else { Err(SettingError::Origin(origin)) }
}

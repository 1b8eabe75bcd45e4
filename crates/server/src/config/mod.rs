//! The settings. Each has a flag, an environment variable and a key in the configuration file.
//!
//! To add one, add a field with a flag, a variable and a help text. A secret has `hide_env_values`.

mod accent;
mod events;
pub(crate) mod example_secrets;
mod jobs;
mod jwt;
mod keywords;
mod limits;
mod log;
mod mail;
mod nearest;
mod page;
mod sign_in;
pub(crate) mod sources;
mod store;
mod summary;
mod traces;
mod values;
mod warnings;

use std::net::SocketAddr;

use clap::Args;

use self::values::{origin, public_url};
pub use self::{
    accent::{Accent, AccentError},
    events::EventArgs,
    jobs::JobArgs,
    jwt::JwtArgs,
    keywords::KeywordArgs,
    limits::LimitArgs,
    log::{LogArgs, LogFormat, Switch},
    mail::MailArgs,
    page::PageArgs,
    sign_in::SignInArgs,
    store::StoreArgs,
    traces::{EndpointError, InvalidPairs, TraceArgs},
};
pub(crate) use self::{summary::Summary, traces::pairs, warnings::warnings};

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
    pub traces: TraceArgs,

    #[command(flatten)]
    pub store: StoreArgs,

    #[command(flatten)]
    pub jwt: JwtArgs,

    #[command(flatten)]
    pub sign_in: SignInArgs,

    #[command(flatten)]
    pub page: PageArgs,
}

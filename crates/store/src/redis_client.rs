//! The clients of Redis and of the servers of a Redis Cluster: over TCP, or over TLS with the authorities that they trust.

use std::{io, path::PathBuf, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use redis::{Client, ConnectionAddr, IntoConnectionInfo, TlsCertificates};
use rustls::pki_types::{CertificateDer, pem::PemObject};
use svc_mcp_access::Secret;

const REDIS_TIMEOUT: Duration = Duration::from_millis(500);

/// Where Redis is.
#[derive(Debug, Clone)]
pub struct RedisSettings {
    /// `redis://…`, or `redis+cluster://HOST:PORT,HOST:PORT` for a cluster; `rediss` for TLS.
    pub url: Secret,
    /// Certificates (PEM) of a private authority. They are trusted in addition to the system's.
    pub ca_file: Option<PathBuf>,
    /// How long the service waits for Redis before it goes on without it.
    pub timeout: Duration,
}

/// Why the settings cannot be used. The message never contains the URL, which has a password.
#[derive(Debug, thiserror::Error)]
pub enum RedisSettingsError {
    #[error("SVC_REDIS_URL: {0}")]
    Url(#[source] redis::RedisError),
    #[error(
        "SVC_REDIS_URL: a cluster is redis+cluster://HOST:PORT,HOST:PORT (rediss+cluster with TLS), with USER:PASSWORD@ \
         before the first host if it needs them, and without a database"
    )]
    ClusterUrl,
    #[error(
        "SVC_REDIS_URL: `#insecure` is not supported: set SVC_REDIS_CA_FILE to the authority of the certificate"
    )]
    Insecure,
    #[error("SVC_REDIS_CA_FILE: needs a URL that begins with rediss:// in SVC_REDIS_URL")]
    NoTls,
    #[error("SVC_REDIS_CA_FILE: cannot read {}", .0.display())]
    CaFile(PathBuf, #[source] io::Error),
    #[error("SVC_REDIS_CA_FILE: {} has no certificate in PEM format", .0.display())]
    NoCertificate(PathBuf),
    #[error("SVC_REDIS_CA_FILE: the certificates cannot be used: {0}")]
    Certificates(#[source] redis::RedisError),
}

impl RedisSettings {
    pub fn new(url: Secret) -> Self {
        Self { url, ca_file: None, timeout: REDIS_TIMEOUT }
    }

    /// `None`: the URL is not that of a cluster.
    pub(crate) fn cluster(&self) -> Result<Option<ClusterUrl>, RedisSettingsError> {
        let url = self.url.expose();
        let (is_tls, rest) =
            match (url.strip_prefix("redis+cluster://"), url.strip_prefix("rediss+cluster://")) {
                (Some(rest), _) => (false, rest),
                (_, Some(rest)) => (true, rest),
                _ => return Ok(None),
            };
        let (credentials, hosts) = rest.rsplit_once('@').unwrap_or(("", rest));
        let seeds: Option<Vec<String>> = hosts.trim_end_matches('/').split(',').map(seed_address).collect();
        Ok(Some(ClusterUrl {
            is_tls,
            seeds: seeds.ok_or(RedisSettingsError::ClusterUrl)?,
            credentials: Secret::new(credentials.to_owned()),
            ca_file: self.ca_file.clone(),
        }))
    }

    pub(crate) fn client(&self) -> Result<Client, RedisSettingsError> {
        client(self.url.expose(), self.ca_file.as_ref())
    }
}

/// The servers of a cluster that are asked first, and how all of them are reached.
#[derive(Debug)]
pub(crate) struct ClusterUrl {
    pub(crate) is_tls: bool,
    /// `host:port`
    pub(crate) seeds: Vec<String>,
    credentials: Secret,
    ca_file: Option<PathBuf>,
}

impl ClusterUrl {
    /// The client of the server at `host:port`.
    pub(crate) fn client(&self, address: &str) -> Result<Client, RedisSettingsError> {
        let scheme = if self.is_tls { "rediss" } else { "redis" };
        let url = match self.credentials.expose() {
            "" => Secret::new(format!("{scheme}://{address}")),
            credentials => Secret::new(format!("{scheme}://{credentials}@{address}")),
        };
        client(url.expose(), self.ca_file.as_ref())
    }
}

fn seed_address(host: &str) -> Option<String> {
    let is_host = |text: &str| !text.is_empty() && !text.contains(['/', '?', '#', ' ']);
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let has_port = has_port && (!host.starts_with('[') || host.contains("]:"));
    is_host(host).then(|| if has_port { host.to_owned() } else { format!("{host}:6379") })
}

fn client(url: &str, ca_file: Option<&PathBuf>) -> Result<Client, RedisSettingsError> {
    let info = url.into_connection_info().map_err(RedisSettingsError::Url)?;
    let is_tls = match info.addr() {
        ConnectionAddr::TcpTls { insecure: true, .. } => return Err(RedisSettingsError::Insecure),
        ConnectionAddr::TcpTls { .. } => true,
        _ => false,
    };
    let Some(file) = ca_file else { return Client::open(info).map_err(RedisSettingsError::Url) };
    if !is_tls {
        return Err(RedisSettingsError::NoTls);
    }
    let own = std::fs::read(file).map_err(|error| RedisSettingsError::CaFile(file.clone(), error))?;
    let count = CertificateDer::pem_slice_iter(&own).flatten().count();
    if count == 0 {
        return Err(RedisSettingsError::NoCertificate(file.clone()));
    }
    let certificates = TlsCertificates { client_tls: None, root_cert: Some(with_system_roots(own)) };
    Client::build_with_tls(info, certificates).map_err(RedisSettingsError::Certificates)
}

/// The client replaces the system's authorities by those it is given, so they are added here.
fn with_system_roots(mut pem: Vec<u8>) -> Vec<u8> {
    for certificate in rustls_native_certs::load_native_certs().certs {
        let text = BASE64_STANDARD.encode(certificate);
        pem.extend(format!("\n-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n").bytes());
    }
    pem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(url: &str) -> Result<Option<ClusterUrl>, RedisSettingsError> {
        RedisSettings::new(Secret::new(url.to_owned())).cluster()
    }

    #[test]
    fn cluster_urls_name_servers() {
        let url = cluster("redis+cluster://a,b:7000,[::1]:7001/").expect("a URL").expect("a cluster");
        assert_eq!((url.seeds.join(" ").as_str(), url.is_tls), ("a:6379 b:7000 [::1]:7001", false));
        let url = cluster("rediss+cluster://svc:p%40ss@a:1,b:2").expect("a URL").expect("a cluster");
        assert_eq!((url.seeds.join(" ").as_str(), url.is_tls), ("a:1 b:2", true));
        let client = url.client("c:3").expect("a client");
        assert_eq!(client.get_connection_info().redis_settings().password(), Some("p@ss"));
        assert!(!format!("{url:?}").contains("p%40ss"), "{url:?}");
        assert!(cluster("redis://a:6379/1").expect("a URL").is_none());
    }

    #[test]
    fn cluster_urls_without_servers_or_with_a_database_are_refused() {
        for url in ["redis+cluster://", "redis+cluster://a,", "redis+cluster://a/1", "redis+cluster://a?x=1"]
        {
            assert!(matches!(cluster(url), Err(RedisSettingsError::ClusterUrl)), "{url}");
        }
    }
}

//! The client of Redis: over TCP, or over TLS with the authorities that it trusts.

use std::{io, path::PathBuf, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use redis::{Client, ConnectionAddr, IntoConnectionInfo, TlsCertificates};
use rustls::pki_types::{CertificateDer, pem::PemObject};
use svc_mcp_access::Secret;

const REDIS_TIMEOUT: Duration = Duration::from_millis(500);

/// Where Redis is.
#[derive(Debug, Clone)]
pub struct RedisSettings {
    /// `redis://…`, or `rediss://…` for TLS.
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

    pub(crate) fn client(&self) -> Result<Client, RedisSettingsError> {
        let info = self.url.expose().into_connection_info().map_err(RedisSettingsError::Url)?;
        let is_tls = match info.addr() {
            ConnectionAddr::TcpTls { insecure: true, .. } => return Err(RedisSettingsError::Insecure),
            ConnectionAddr::TcpTls { .. } => true,
            _ => false,
        };
        let Some(file) = &self.ca_file else { return Client::open(info).map_err(RedisSettingsError::Url) };
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
}

/// The client replaces the system's authorities by those it is given, so they are added here.
fn with_system_roots(mut pem: Vec<u8>) -> Vec<u8> {
    for certificate in rustls_native_certs::load_native_certs().certs {
        let text = BASE64_STANDARD.encode(certificate);
        pem.extend(format!("\n-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n").bytes());
    }
    pem
}

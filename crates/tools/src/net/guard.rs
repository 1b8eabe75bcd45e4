//! Decides where a request may go. Host names are not trusted: the addresses they resolve to are checked.

use std::{collections::BTreeSet, net::IpAddr};

use url::{Host, Url};

use super::{
    special_purpose::{SpecialPurpose, special_purpose},
    url::{UrlError, check_http_url},
};

/// The blocked ports of the Fetch standard. They belong to other protocols, and browsers refuse them too.
const BLOCKED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Longer than `MAX_URL_CHARS`, because redirects and signed download links can be long.
const MAX_REQUEST_URL_CHARS: usize = 8 * 1024;

/// Allows public servers, and the hosts that the operator names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    /// `host` or `host:port`, normalized as in a URL.
    allowed: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a host: write `example.internal`, `example.internal:8080`, `192.0.2.1:8080` or `[2001:db8::1]:8080`"
)]
pub struct InvalidHostError(String);

/// Which addresses a request may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressPolicy {
    PublicOnly,
    /// The operator allowed the host.
    Any,
}

/// Why a request is not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GuardError {
    #[error("the URL {0}")]
    Url(#[from] UrlError),
    #[error("port {0} belongs to another protocol")]
    Port(u16),
    // The message does not contain the address: it would tell a stranger about the internal network.
    #[error("the host is not a public server: its address belongs to {}", .0.description())]
    Address(SpecialPurpose),
    #[error("it redirects the request body to another site")]
    BodyToOtherOrigin,
}

impl Guard {
    /// Allows only public servers.
    pub fn strict() -> Self {
        Self::default()
    }

    /// Also allows these hosts, whatever their addresses are: `host` with any port, or `host:port`.
    pub fn allowing(hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, InvalidHostError> {
        let allowed =
            hosts.into_iter().map(|host| normalize_host(host.as_ref().trim())).collect::<Result<_, _>>()?;
        Ok(Self { allowed })
    }

    pub(super) fn check(&self, url: &Url) -> Result<AddressPolicy, GuardError> {
        check_http_url(url, MAX_REQUEST_URL_CHARS)?;
        let host = url.host().ok_or(UrlError::NotHttp)?;
        let port = url.port_or_known_default().ok_or(UrlError::NotHttp)?;
        if self.allows(&host, port) {
            return Ok(AddressPolicy::Any);
        }
        if BLOCKED_PORTS.contains(&port) {
            return Err(GuardError::Port(port));
        }
        // The resolver checks the addresses of a name. An IP address in the URL is never resolved.
        match ip_address(&host).and_then(special_purpose) {
            Some(purpose) => Err(GuardError::Address(purpose)),
            None => Ok(AddressPolicy::PublicOnly),
        }
    }

    fn allows(&self, host: &Host<&str>, port: u16) -> bool {
        !self.allowed.is_empty() && {
            let host = host.to_string();
            self.allowed.contains(&format!("{host}:{port}")) || self.allowed.contains(&host)
        }
    }
}

fn ip_address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        Host::Domain(name) => name.parse().ok(),
    }
}

/// Normalizes a host as a URL does, so that the two can be compared.
fn normalize_host(host: &str) -> Result<String, InvalidHostError> {
    let invalid = || InvalidHostError(host.to_owned());
    // The URL parser drops the default port, so a host without a port gets one that is not a default.
    let has_port =
        host.rsplit_once(':').is_some_and(|(before, _)| !before.contains(':') || before.ends_with(']'));
    let url =
        Url::parse(&format!("http://{host}{}/", if has_port { "" } else { ":1" })).map_err(|_| invalid())?;
    let is_bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    // A URL may contain `*` in its host. An operator who writes it expects a wildcard, which does not exist here.
    let name = url.host_str().filter(|name| is_bare && !name.contains('*')).ok_or_else(invalid)?;
    if has_port {
        let port = url.port_or_known_default().ok_or_else(invalid)?;
        Ok(format!("{name}:{port}"))
    } else {
        Ok(name.to_owned())
    }
}

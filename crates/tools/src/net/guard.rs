//! Where a request may go. Names decide nothing by themselves: an address does, and only after it was looked up.

use std::{collections::BTreeSet, net::IpAddr};

use url::{Host, Url};

use super::addresses::{Special, special};

/// Services that a browser does not speak to either (the Fetch standard's blocked ports): a request to one of them
/// can only be meant to confuse it.
const BLOCKED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Public servers alone, and the hosts that the operator names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    /// `host` or `host:port`, as an address spells them.
    allowed: BTreeSet<String>,
}

/// A setting that names no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no host: write `example.internal`, `example.internal:8080`, `192.0.2.1:8080` or `[2001:db8::1]:8080`"
)]
pub struct HostFault(String);

/// By which of the two clients a request goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Every address is checked.
    Checked,
    /// The operator has named the host.
    Allowed,
}

/// Why a request does not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("only http and https addresses are visited")]
    Scheme,
    #[error("the address has no host")]
    NoHost,
    #[error("the address has a user name or password in it")]
    Credentials,
    #[error("port {0} belongs to another kind of service")]
    Port(u16),
    // Which address a name has is not said: it would tell a stranger about the inner network.
    #[error("the host is not a public server: its address is that of {}", .0.words())]
    Address(Special),
    #[error("it redirects what was sent to another site")]
    BodyElsewhere,
    #[error("the host is not one that this work is about")]
    OtherHost,
}

impl Guard {
    /// Public servers alone.
    pub fn strict() -> Self {
        Self::default()
    }

    /// Also these hosts, whatever their addresses are: `host` with any port, or `host:port`.
    pub fn allowing(hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, HostFault> {
        let allowed =
            hosts.into_iter().map(|host| spelled(host.as_ref().trim())).collect::<Result<_, _>>()?;
        Ok(Self { allowed })
    }

    pub(super) fn way(&self, url: &Url) -> Result<Way, Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme);
        }
        let host = url.host().ok_or(Refusal::NoHost)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Credentials);
        }
        let port = url.port_or_known_default().ok_or(Refusal::Scheme)?;
        if self.allows(&host, port) {
            return Ok(Way::Allowed);
        }
        if BLOCKED_PORTS.contains(&port) {
            return Err(Refusal::Port(port));
        }
        // A name is looked up when a connection is made, and checked there. A number is never looked up.
        match number(&host).and_then(special) {
            Some(special) => Err(Refusal::Address(special)),
            None => Ok(Way::Checked),
        }
    }

    fn allows(&self, host: &Host<&str>, port: u16) -> bool {
        !self.allowed.is_empty() && {
            let host = host.to_string();
            self.allowed.contains(&format!("{host}:{port}")) || self.allowed.contains(&host)
        }
    }
}

fn number(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        Host::Domain(name) => name.parse().ok(),
    }
}

/// As an address spells it, so that both are compared in one notation.
fn spelled(host: &str) -> Result<String, HostFault> {
    let fault = || HostFault(host.to_owned());
    // With a port behind it that is no scheme's own, none is lost in the spelling.
    let has_port =
        host.rsplit_once(':').is_some_and(|(before, _)| !before.contains(':') || before.ends_with(']'));
    let url =
        Url::parse(&format!("http://{host}{}/", if has_port { "" } else { ":1" })).map_err(|_| fault())?;
    let is_bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    // A star is a name like any other to an address, and never what the operator meant.
    let name = url.host_str().filter(|name| is_bare && !name.contains('*')).ok_or_else(fault)?;
    if has_port {
        let port = url.port_or_known_default().ok_or_else(fault)?;
        Ok(format!("{name}:{port}"))
    } else {
        Ok(name.to_owned())
    }
}

//! Where a request comes from: the connection's peer, or the client behind a trusted proxy.

use std::{convert::Infallible, net::IpAddr};

use axum::extract::FromRequestParts;
use http::{HeaderMap, request::Parts};
use svc_mcp_access::Networks;

use super::forwarded;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    address: IpAddr,
    /// Only then are the headers of proxies read.
    is_proxy: bool,
}

impl Peer {
    pub(crate) fn new(address: IpAddr, proxies: Option<&Networks>) -> Self {
        let address = address.to_canonical();
        Self { address, is_proxy: proxies.is_some_and(|proxies| proxies.contains(address)) }
    }

    /// The client of a request on this connection.
    pub(crate) fn client(self, proxies: Option<&Networks>, headers: &HeaderMap) -> ClientAddress {
        match proxies.filter(|_| self.is_proxy) {
            Some(proxies) => ClientAddress(forwarded::client_address(self.address, proxies, headers)),
            None => ClientAddress(self.address),
        }
    }
}

/// The address of the client of a request. The router's requests carry it as an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl ClientAddress {
    /// The dispatcher adds the extension to every request. Without it, the address is one that no network of a key has.
    pub(crate) fn of(parts: &Parts) -> Self {
        parts.extensions.get().copied().unwrap_or(Self(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED)))
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

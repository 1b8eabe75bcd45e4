//! DNS lookups. The addresses that pass the check here are the addresses that the client connects to, so a DNS answer
//! that changes later has no effect.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{
    guard::{AddressPolicy, GuardError},
    special_purpose::special_purpose,
};

/// A DNS answer can contain hundreds of addresses.
const MAX_ADDRESSES: usize = 16;

#[async_trait::async_trait]
pub trait DnsResolver: Send + Sync {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait::async_trait]
impl DnsResolver for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // Subdomains of `localhost` are the machine itself (RFC 6761, 6.3). Not every system knows that.
        let host = if host.ends_with(".localhost") { "localhost" } else { host };
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}

/// Returns only addresses that the policy allows.
pub(super) struct FilteringResolver {
    pub(super) resolver: Arc<dyn DnsResolver>,
    pub(super) policy: AddressPolicy,
}

impl Resolve for FilteringResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Arc::clone(&self.resolver);
        let policy = self.policy;
        Box::pin(async move {
            let found = resolver.resolve(name.as_str()).await?;
            let addresses = match policy {
                AddressPolicy::Any => found,
                AddressPolicy::PublicOnly => public_addresses(found)?,
            };
            // The client sets the port from the URL.
            let addresses =
                addresses.into_iter().take(MAX_ADDRESSES).map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Fails if every address is a special-purpose one.
fn public_addresses(mut addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, GuardError> {
    let mut refused = None;
    addresses.retain(|address| {
        let purpose = special_purpose(*address);
        refused = refused.or(purpose);
        purpose.is_none()
    });
    match refused {
        Some(purpose) if addresses.is_empty() => Err(GuardError::Address(purpose)),
        _ => Ok(addresses),
    }
}

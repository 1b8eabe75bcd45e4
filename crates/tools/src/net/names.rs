//! The look-up of names. What it finds is checked here, and these very addresses are connected to: an answer that
//! changes afterwards changes nothing.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{
    addresses::special,
    guard::{Refusal, Way},
};

/// No host needs more; an answer can hold hundreds.
const MOST_ADDRESSES: usize = 16;

/// Finds the addresses of a name.
#[async_trait::async_trait]
pub trait Names: Send + Sync {
    async fn addresses_of(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// As the machine finds them.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemNames;

#[async_trait::async_trait]
impl Names for SystemNames {
    async fn addresses_of(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // Names below it are the machine itself and never asked of DNS (RFC 6761, 6.3); not every system knows.
        let host = if host.ends_with(".localhost") { "localhost" } else { host };
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}

pub(super) struct Lookup {
    pub(super) names: Arc<dyn Names>,
    pub(super) way: Way,
}

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let names = Arc::clone(&self.names);
        let way = self.way;
        Box::pin(async move {
            let found = names.addresses_of(name.as_str()).await?;
            let addresses = match way {
                Way::Allowed => found,
                Way::Checked => public_of(found)?,
            };
            // The port is the address's in the request.
            let addresses =
                addresses.into_iter().take(MOST_ADDRESSES).map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// The public ones of these addresses. With none left, the reason why.
fn public_of(found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Refusal> {
    let mut refused = None;
    let mut public = found;
    public.retain(|address| {
        let why = special(*address);
        refused = refused.or(why);
        why.is_none()
    });
    match refused {
        Some(why) if public.is_empty() => Err(Refusal::Address(why)),
        _ => Ok(public),
    }
}

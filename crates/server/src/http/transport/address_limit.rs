//! How many connections one address may have open.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use svc_mcp_access::Networks;

use super::client_network::client_network;
use crate::config::LimitArgs;

/// Counts the open connections of each address. It has at most one entry for each open connection.
#[derive(Debug)]
pub(super) struct AddressLimit {
    /// `None`: no limit.
    max: Option<u32>,
    /// Whether the limit also holds for addresses that a proxy in front of the service has.
    counts_local: bool,
    /// A trusted proxy has the connections of many clients, and no limit.
    proxies: Option<Networks>,
    open: Mutex<HashMap<IpAddr, u32>>,
}

impl AddressLimit {
    pub(super) fn new(limits: &LimitArgs) -> Arc<Self> {
        let (max, counts_local) = match limits.max_connections_per_address {
            Some(max) => (Some(max).filter(|max| *max > 0), true),
            None => (Some(limits.max_connections.div_ceil(4)), false),
        };
        Arc::new(Self { max, counts_local, proxies: limits.trusted_proxies(), open: Mutex::default() })
    }

    /// `None`: the address has as many connections as it may have.
    pub(super) fn try_acquire(self: &Arc<Self>, address: IpAddr) -> Option<AddressPermit> {
        let client = client_network(address);
        let is_proxy = self.proxies.as_ref().is_some_and(|proxies| proxies.contains(address));
        let is_counted = !is_proxy && (self.counts_local || !is_local(client));
        let Some(max) = self.max.filter(|_| is_counted) else {
            return Some(AddressPermit { counted: None });
        };
        let mut open = self.open();
        let count = open.entry(client).or_default();
        (*count < max).then(|| {
            *count += 1;
            AddressPermit { counted: Some((Arc::clone(self), client)) }
        })
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self, client: IpAddr) {
        let mut open = self.open();
        if let Some(count) = open.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&client);
            }
        }
    }
}

/// One connection of an address. Dropping it makes room for another.
#[derive(Debug)]
pub(super) struct AddressPermit {
    counted: Option<(Arc<AddressLimit>, IpAddr)>,
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        if let Some((limit, client)) = self.counted.take() {
            limit.release(client);
        }
    }
}

/// Addresses of the same machine or network, where proxies and load balancers are.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback() || address.is_private() || address.is_link_local() || is_shared(address)
        }
        // The network of `::1` is `::`.
        IpAddr::V6(address) => {
            address.is_unspecified() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// 100.64.0.0/10, which clusters and overlay networks use.
fn is_shared(address: Ipv4Addr) -> bool {
    address.to_bits() >> 22 == Ipv4Addr::new(100, 64, 0, 0).to_bits() >> 22
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(max: Option<u32>, counts_local: bool) -> Arc<AddressLimit> {
        Arc::new(AddressLimit { max, counts_local, proxies: None, open: Mutex::default() })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn each_address_has_its_own_limit_and_a_closed_connection_makes_room() {
        let limit = limit(Some(2), true);
        let acquire = |text: &str| limit.try_acquire(ip(text));
        let first = acquire("203.0.113.1").expect("the first");
        let _second = acquire("203.0.113.1").expect("the second");
        assert!(acquire("203.0.113.1").is_none());
        let _other = acquire("203.0.113.2").expect("another address");
        drop(first);
        assert!(acquire("203.0.113.1").is_some());
    }

    #[test]
    fn addresses_of_closed_connections_are_forgotten() {
        let limit = limit(Some(2), true);
        let permits: Vec<_> =
            (0..100).map(|last| limit.try_acquire(ip(&format!("203.0.113.{last}")))).collect();
        assert_eq!(limit.open().len(), 100);
        drop(permits);
        assert!(limit.open().is_empty());
    }

    #[test]
    fn trusted_proxies_have_no_limit() {
        let network = "203.0.113.0/28".parse::<svc_mcp_access::Network>().expect("a network");
        let limit = AddressLimit {
            max: Some(0),
            counts_local: true,
            proxies: Some([network].into_iter().collect()),
            open: Mutex::default(),
        };
        let limit = Arc::new(limit);
        for (address, is_admitted) in [
            ("203.0.113.1", true),
            ("::ffff:203.0.113.1", true),
            ("203.0.113.16", false),
            ("10.0.0.1", false),
        ] {
            assert_eq!(limit.try_acquire(ip(address)).is_some(), is_admitted, "{address}");
        }
    }

    #[test]
    fn local_addresses_are_counted_only_on_request() {
        for local in [
            "127.0.0.1",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_local(client_network(ip(local))), "{local}");
            assert!(limit(Some(0), false).try_acquire(ip(local)).is_some(), "{local}");
            assert!(limit(Some(0), true).try_acquire(ip(local)).is_none(), "{local}");
        }
        for public in ["203.0.113.1", "8.8.8.8", "100.63.0.1", "100.128.0.1", "172.32.0.1", "2001:4860::1"] {
            assert!(!is_local(client_network(ip(public))), "{public}");
            assert!(limit(Some(0), false).try_acquire(ip(public)).is_none(), "{public}");
            assert!(limit(None, true).try_acquire(ip(public)).is_some(), "{public}");
        }
    }
}

//! Which addresses belong to one client.

use std::net::{IpAddr, Ipv6Addr};

/// The address that stands for a client: one IPv6 client usually has a whole /64.
pub(crate) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_is_counted_by_network_and_mapped_ipv4_as_ipv4() {
        let network = |text: &str| client_network(text.parse().expect("an address"));
        for (one, other, same) in [
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::ffff:203.0.113.1", "203.0.113.1", true),
            ("::ffff:203.0.113.1", "::ffff:203.0.113.2", false),
        ] {
            assert_eq!(network(one) == network(other), same, "{one} and {other}");
        }
    }
}

//! Which addresses are nobody's public server: the special-purpose registries of IANA (RFC 6890), and what carries
//! one of those within another.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is for, if not for a public server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    Unspecified,
    Private,
    Shared,
    Loopback,
    LinkLocal,
    Metadata,
    Multicast,
    Broadcast,
    Documentation,
    Benchmarking,
    Tunnel,
    Reserved,
}

impl Special {
    pub fn words(self) -> &'static str {
        match self {
            Self::Unspecified => "this very host",
            Self::Private => "a private network",
            Self::Shared => "a provider's inner network",
            Self::Loopback => "this very machine",
            Self::LinkLocal => "the local network",
            Self::Metadata => "a cloud's metadata service",
            Self::Multicast => "a group of machines",
            Self::Broadcast => "every machine of a network",
            Self::Documentation => "no machine, only examples",
            Self::Benchmarking => "a test network",
            Self::Tunnel => "a tunnel",
            Self::Reserved => "no public server",
        }
    }
}

/// The ranges of IPv4 that no public server has. The narrower ones first.
const IPV4: &[(Ipv4Addr, u32, Special)] = &[
    (Ipv4Addr::new(169, 254, 169, 254), 32, Special::Metadata),
    (Ipv4Addr::new(169, 254, 170, 2), 32, Special::Metadata),
    (Ipv4Addr::new(100, 100, 100, 200), 32, Special::Metadata),
    (Ipv4Addr::new(192, 0, 0, 192), 32, Special::Metadata),
    // Public by its number, and yet answered by the virtual machine's own host.
    (Ipv4Addr::new(168, 63, 129, 16), 32, Special::Metadata),
    (Ipv4Addr::BROADCAST, 32, Special::Broadcast),
    (Ipv4Addr::UNSPECIFIED, 8, Special::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Special::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Special::Shared),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Special::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Special::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Special::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Special::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Special::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Special::Tunnel),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Special::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Special::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Special::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Special::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Special::Multicast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Special::Reserved),
];

/// The ranges of IPv6 that no public server has. The narrower ones first; all but `2000::/3` is refused in the end.
const IPV6: &[(Ipv6Addr, u32, Special)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, Special::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Special::Loopback),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128, Special::Metadata),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128, Special::Metadata),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Special::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Special::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Special::Private),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Special::Multicast),
    (Ipv6Addr::new(0x2001, 0x2, 0, 0, 0, 0, 0, 0), 48, Special::Benchmarking),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Special::Documentation),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Special::Documentation),
    // Teredo, ORCHID and other protocols' own.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, Special::Tunnel),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Special::Reserved),
    // 6to4: whatever IPv4 address it carries, no server has been reached by it for years.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, Special::Tunnel),
];

/// Where the translation to IPv4 (RFC 6052) carries its address.
const NAT64: Ipv6Addr = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0);
const GLOBAL_UNICAST: Ipv6Addr = Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0);

/// What this address is for, or nothing if it may be a public server's.
pub fn special(address: IpAddr) -> Option<Special> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<Special> {
    let found = IPV4.iter().find(|(net, bits, _)| {
        let mask = u32::MAX << (32 - bits);
        address.to_bits() & mask == net.to_bits() & mask
    });
    found.map(|(_, _, special)| *special)
}

fn special_v6(address: Ipv6Addr) -> Option<Special> {
    // These two are routed to the IPv4 address that they carry.
    if let Some(carried) = address.to_ipv4_mapped() {
        return special_v4(carried);
    }
    if is_within(address, NAT64, 96) {
        let [.., a, b, c, d] = address.octets();
        return special_v4(Ipv4Addr::new(a, b, c, d));
    }
    if let Some((_, _, special)) = IPV6.iter().find(|(net, bits, _)| is_within(address, *net, *bits)) {
        return Some(*special);
    }
    if is_isatap(address) {
        return Some(Special::Tunnel);
    }
    (!is_within(address, GLOBAL_UNICAST, 3)).then_some(Special::Reserved)
}

/// RFC 5214: an IPv4 address behind any prefix.
fn is_isatap(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    matches!(segments[4], 0 | 0x200) && segments[5] == 0x5efe
}

fn is_within(address: Ipv6Addr, net: Ipv6Addr, bits: u32) -> bool {
    let mask = u128::MAX << (128 - bits);
    address.to_bits() & mask == net.to_bits() & mask
}

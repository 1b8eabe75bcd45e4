//! Addresses that do not belong to public servers: IANA's special-purpose registries (RFC 6890), cloud metadata
//! services, and IPv6 addresses that embed such an IPv4 address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecialPurpose {
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

impl SpecialPurpose {
    pub fn description(self) -> &'static str {
        match self {
            Self::Unspecified => "this host",
            Self::Private => "a private network",
            Self::Shared => "a provider's internal network",
            Self::Loopback => "this machine",
            Self::LinkLocal => "the local network",
            Self::Metadata => "a cloud's metadata service",
            Self::Multicast => "a multicast group",
            Self::Broadcast => "a broadcast",
            Self::Documentation => "documentation examples",
            Self::Benchmarking => "a test network",
            Self::Tunnel => "a tunnel",
            Self::Reserved => "no public server",
        }
    }
}

/// Narrower ranges come first.
const IPV4: &[(Ipv4Addr, u32, SpecialPurpose)] = &[
    (Ipv4Addr::new(169, 254, 169, 254), 32, SpecialPurpose::Metadata),
    (Ipv4Addr::new(169, 254, 170, 2), 32, SpecialPurpose::Metadata),
    (Ipv4Addr::new(100, 100, 100, 200), 32, SpecialPurpose::Metadata),
    (Ipv4Addr::new(192, 0, 0, 192), 32, SpecialPurpose::Metadata),
    // A public address that the host of an Azure virtual machine answers.
    (Ipv4Addr::new(168, 63, 129, 16), 32, SpecialPurpose::Metadata),
    (Ipv4Addr::BROADCAST, 32, SpecialPurpose::Broadcast),
    (Ipv4Addr::UNSPECIFIED, 8, SpecialPurpose::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, SpecialPurpose::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, SpecialPurpose::Shared),
    (Ipv4Addr::new(127, 0, 0, 0), 8, SpecialPurpose::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, SpecialPurpose::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, SpecialPurpose::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, SpecialPurpose::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, SpecialPurpose::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, SpecialPurpose::Tunnel),
    (Ipv4Addr::new(192, 168, 0, 0), 16, SpecialPurpose::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, SpecialPurpose::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, SpecialPurpose::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, SpecialPurpose::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, SpecialPurpose::Multicast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, SpecialPurpose::Reserved),
];

/// Narrower ranges come first. Everything outside `2000::/3` is refused as well.
const IPV6: &[(Ipv6Addr, u32, SpecialPurpose)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, SpecialPurpose::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, SpecialPurpose::Loopback),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128, SpecialPurpose::Metadata),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128, SpecialPurpose::Metadata),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, SpecialPurpose::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, SpecialPurpose::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, SpecialPurpose::Private),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, SpecialPurpose::Multicast),
    (Ipv6Addr::new(0x2001, 0x2, 0, 0, 0, 0, 0, 0), 48, SpecialPurpose::Benchmarking),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, SpecialPurpose::Documentation),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, SpecialPurpose::Documentation),
    // Teredo, ORCHID and other protocol assignments.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, SpecialPurpose::Tunnel),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, SpecialPurpose::Reserved),
    // 6to4 is obsolete, whatever IPv4 address it embeds.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, SpecialPurpose::Tunnel),
];

/// The NAT64 prefix (RFC 6052). The last 32 bits are the IPv4 address.
const NAT64: Ipv6Addr = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0);
const GLOBAL_UNICAST: Ipv6Addr = Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0);

/// `None` for an address that may belong to a public server.
pub fn special_purpose(address: IpAddr) -> Option<SpecialPurpose> {
    match address {
        IpAddr::V4(address) => ipv4_purpose(address),
        IpAddr::V6(address) => ipv6_purpose(address),
    }
}

fn ipv4_purpose(address: Ipv4Addr) -> Option<SpecialPurpose> {
    let found = IPV4.iter().find(|(net, bits, _)| {
        let mask = u32::MAX << (32 - bits);
        address.to_bits() & mask == net.to_bits() & mask
    });
    found.map(|(_, _, purpose)| *purpose)
}

fn ipv6_purpose(address: Ipv6Addr) -> Option<SpecialPurpose> {
    // Mapped and NAT64 addresses are routed to the IPv4 address that they embed.
    if let Some(embedded) = address.to_ipv4_mapped() {
        return ipv4_purpose(embedded);
    }
    if is_within(address, NAT64, 96) {
        let [.., a, b, c, d] = address.octets();
        return ipv4_purpose(Ipv4Addr::new(a, b, c, d));
    }
    if let Some((_, _, purpose)) = IPV6.iter().find(|(net, bits, _)| is_within(address, *net, *bits)) {
        return Some(*purpose);
    }
    if is_isatap(address) {
        return Some(SpecialPurpose::Tunnel);
    }
    (!is_within(address, GLOBAL_UNICAST, 3)).then_some(SpecialPurpose::Reserved)
}

/// RFC 5214: an IPv4 address after any prefix.
fn is_isatap(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    matches!(segments[4], 0 | 0x200) && segments[5] == 0x5efe
}

fn is_within(address: Ipv6Addr, net: Ipv6Addr, bits: u32) -> bool {
    let mask = u128::MAX << (128 - bits);
    address.to_bits() & mask == net.to_bits() & mask
}

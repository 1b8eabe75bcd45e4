//! Which addresses are refused, in every form that carries them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use svc_mcp_tools::net::{Special, special};

/// First address, length of the prefix, what it is.
const REFUSED: &[(&str, u32, Special)] = &[
    ("0.0.0.0", 8, Special::Unspecified),
    ("10.0.0.0", 8, Special::Private),
    ("100.64.0.0", 10, Special::Shared),
    ("127.0.0.0", 8, Special::Loopback),
    ("169.254.0.0", 16, Special::LinkLocal),
    ("172.16.0.0", 12, Special::Private),
    ("192.0.0.0", 24, Special::Reserved),
    ("192.0.2.0", 24, Special::Documentation),
    ("192.88.99.0", 24, Special::Tunnel),
    ("192.168.0.0", 16, Special::Private),
    ("198.18.0.0", 15, Special::Benchmarking),
    ("198.51.100.0", 24, Special::Documentation),
    ("203.0.113.0", 24, Special::Documentation),
    ("224.0.0.0", 4, Special::Multicast),
    ("240.0.0.0", 4, Special::Reserved),
];

fn refused_v4() -> impl Strategy<Value = (Ipv4Addr, Special)> {
    (0..REFUSED.len(), any::<u32>()).prop_map(|(at, random)| {
        let (net, bits, kind) = REFUSED[at];
        let net: Ipv4Addr = net.parse().unwrap();
        (Ipv4Addr::from_bits(net.to_bits() | random & (u32::MAX >> bits)), kind)
    })
}

/// Every IPv6 address by which an IPv4 address may be reached: what comes before it in bits, and how far from the end
/// it stands.
fn forms(address: Ipv4Addr, random: u128) -> Vec<Ipv6Addr> {
    let bits = u128::from(address.to_bits());
    let carried = |prefix: &str, shift: u32| {
        Ipv6Addr::from_bits(prefix.parse::<Ipv6Addr>().unwrap().to_bits() | bits << shift)
    };
    let low = random & u128::from(u64::MAX);
    let with_low = |address: Ipv6Addr| Ipv6Addr::from_bits(address.to_bits() | low);
    vec![
        address.to_ipv6_mapped(),
        address.to_ipv6_compatible(),
        // SIIT (RFC 2765), NAT64 (RFC 6052), local-use NAT64 (RFC 8215)
        carried("::ffff:0:0:0", 0),
        carried("64:ff9b::", 0),
        carried("64:ff9b:1::", 0),
        // 6to4 (RFC 3056) with any host behind it
        with_low(carried("2002::", 80)),
        // Teredo (RFC 4380): the server in front, the client inverted at the end
        with_low(carried("2001::", 64)),
        Ipv6Addr::from_bits("2001::".parse::<Ipv6Addr>().unwrap().to_bits() | u128::from(!address.to_bits())),
        // ISATAP (RFC 5214) behind a public prefix
        carried("2600:1234:5678:9abc:0:5efe::", 0),
        carried("2600:1234:5678:9abc:200:5efe::", 0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_refused_ipv4_address_is_refused_in_every_form((address, kind) in refused_v4(), random in any::<u128>()) {
        let found = special(IpAddr::V4(address));
        let is_expected = found == Some(kind) || matches!(found, Some(Special::Metadata | Special::Broadcast));
        prop_assert!(is_expected, "{address}: {found:?}");
        for form in forms(address, random) {
            prop_assert!(special(IpAddr::V6(form)).is_some(), "{form} carries {address}");
        }
    }

    #[test]
    fn an_ipv4_address_outside_of_them_is_public(bits in any::<u32>()) {
        let address = Ipv4Addr::from_bits(bits);
        let is_refused = REFUSED.iter().any(|(net, length, _)| {
            net.parse::<Ipv4Addr>().unwrap().to_bits() ^ bits <= u32::MAX >> length
        });
        prop_assume!(!is_refused && bits != Ipv4Addr::new(168, 63, 129, 16).to_bits());
        prop_assert_eq!(special(IpAddr::V4(address)), None);
        // These two are routed to it, so they are as public as it is.
        prop_assert_eq!(special(IpAddr::V6(address.to_ipv6_mapped())), None);
    }

    #[test]
    fn no_ipv6_address_outside_of_global_unicast_is_public(bits in any::<u128>()) {
        let address = Ipv6Addr::from_bits(bits);
        prop_assume!(bits >> 125 != 1);
        prop_assert!(special(IpAddr::V6(address)).is_some());
    }
}

#[test]
fn the_edges_of_every_range() {
    for (net, bits, _) in REFUSED {
        let first = net.parse::<Ipv4Addr>().unwrap().to_bits();
        let last = first | u32::MAX >> bits;
        assert!(special(IpAddr::V4(Ipv4Addr::from_bits(first))).is_some(), "{net}");
        assert!(special(IpAddr::V4(Ipv4Addr::from_bits(last))).is_some(), "{net}");
    }
    for public in [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "8.8.8.8",
        "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "2a00:1450:4001::1",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
    ] {
        assert_eq!(special(public.parse().unwrap()), None, "{public}");
    }
}

#[test]
fn what_each_is_for() {
    for (address, kind) in [
        ("::", Special::Unspecified),
        ("::1", Special::Loopback),
        ("255.255.255.255", Special::Broadcast),
        ("169.254.169.254", Special::Metadata),
        ("169.254.170.2", Special::Metadata),
        ("100.100.100.200", Special::Metadata),
        ("192.0.0.192", Special::Metadata),
        ("168.63.129.16", Special::Metadata),
        ("fd00:ec2::254", Special::Metadata),
        ("fd20:ce::254", Special::Metadata),
        ("::ffff:169.254.169.254", Special::Metadata),
        ("64:ff9b::169.254.169.254", Special::Metadata),
        ("fc00::1", Special::Private),
        ("fdff:ffff::1", Special::Private),
        ("fec0::1", Special::Private),
        ("fe80::1", Special::LinkLocal),
        ("febf::1", Special::LinkLocal),
        ("ff02::1", Special::Multicast),
        ("2001:db8::1", Special::Documentation),
        ("3fff:fff::1", Special::Documentation),
        ("2001:2::1", Special::Benchmarking),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", Special::Tunnel),
        ("2002:7f00:1::1", Special::Tunnel),
        ("2002:808:808::1", Special::Tunnel),
        ("2001:10::1", Special::Reserved),
        ("100::1", Special::Reserved),
        ("::8.8.8.8", Special::Reserved),
        ("64:ff9b:1::1", Special::Reserved),
        ("5f00::1", Special::Reserved),
    ] {
        assert_eq!(special(address.parse().unwrap()), Some(kind), "{address}");
    }
}

//! Refused addresses, in every form that embeds them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use svc_mcp_tools::net::{SpecialPurpose, special_purpose};

/// First address, prefix length, purpose.
const REFUSED: &[(&str, u32, SpecialPurpose)] = &[
    ("0.0.0.0", 8, SpecialPurpose::Unspecified),
    ("10.0.0.0", 8, SpecialPurpose::Private),
    ("100.64.0.0", 10, SpecialPurpose::Shared),
    ("127.0.0.0", 8, SpecialPurpose::Loopback),
    ("169.254.0.0", 16, SpecialPurpose::LinkLocal),
    ("172.16.0.0", 12, SpecialPurpose::Private),
    ("192.0.0.0", 24, SpecialPurpose::Reserved),
    ("192.0.2.0", 24, SpecialPurpose::Documentation),
    ("192.88.99.0", 24, SpecialPurpose::Tunnel),
    ("192.168.0.0", 16, SpecialPurpose::Private),
    ("198.18.0.0", 15, SpecialPurpose::Benchmarking),
    ("198.51.100.0", 24, SpecialPurpose::Documentation),
    ("203.0.113.0", 24, SpecialPurpose::Documentation),
    ("224.0.0.0", 4, SpecialPurpose::Multicast),
    ("240.0.0.0", 4, SpecialPurpose::Reserved),
];

fn refused_v4() -> impl Strategy<Value = (Ipv4Addr, SpecialPurpose)> {
    (0..REFUSED.len(), any::<u32>()).prop_map(|(at, random)| {
        let (net, bits, purpose) = REFUSED[at];
        let net: Ipv4Addr = net.parse().unwrap();
        (Ipv4Addr::from_bits(net.to_bits() | random & (u32::MAX >> bits)), purpose)
    })
}

/// Every IPv6 form that embeds an IPv4 address.
fn forms(address: Ipv4Addr, random: u128) -> Vec<Ipv6Addr> {
    let bits = u128::from(address.to_bits());
    let embedded = |prefix: &str, shift: u32| {
        Ipv6Addr::from_bits(prefix.parse::<Ipv6Addr>().unwrap().to_bits() | bits << shift)
    };
    let low = random & u128::from(u64::MAX);
    let with_low = |address: Ipv6Addr| Ipv6Addr::from_bits(address.to_bits() | low);
    vec![
        address.to_ipv6_mapped(),
        address.to_ipv6_compatible(),
        // SIIT (RFC 2765), NAT64 (RFC 6052), local-use NAT64 (RFC 8215)
        embedded("::ffff:0:0:0", 0),
        embedded("64:ff9b::", 0),
        embedded("64:ff9b:1::", 0),
        // 6to4 (RFC 3056) with any host part
        with_low(embedded("2002::", 80)),
        // Teredo (RFC 4380): the server first, the inverted client last
        with_low(embedded("2001::", 64)),
        Ipv6Addr::from_bits("2001::".parse::<Ipv6Addr>().unwrap().to_bits() | u128::from(!address.to_bits())),
        // ISATAP (RFC 5214) after a public prefix
        embedded("2600:1234:5678:9abc:0:5efe::", 0),
        embedded("2600:1234:5678:9abc:200:5efe::", 0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refused_ipv4_address_is_refused_in_every_form((address, purpose) in refused_v4(), random in any::<u128>()) {
        let found = special_purpose(IpAddr::V4(address));
        let is_expected = found == Some(purpose) || matches!(found, Some(SpecialPurpose::Metadata | SpecialPurpose::Broadcast));
        prop_assert!(is_expected, "{address}: {found:?}");
        for form in forms(address, random) {
            prop_assert!(special_purpose(IpAddr::V6(form)).is_some(), "{form} embeds {address}");
        }
    }

    #[test]
    fn other_ipv4_addresses_are_public(bits in any::<u32>()) {
        let address = Ipv4Addr::from_bits(bits);
        let is_refused = REFUSED.iter().any(|(net, length, _)| {
            net.parse::<Ipv4Addr>().unwrap().to_bits() ^ bits <= u32::MAX >> length
        });
        prop_assume!(!is_refused && bits != Ipv4Addr::new(168, 63, 129, 16).to_bits());
        prop_assert_eq!(special_purpose(IpAddr::V4(address)), None);
        // The mapped form is routed to the same host.
        prop_assert_eq!(special_purpose(IpAddr::V6(address.to_ipv6_mapped())), None);
    }

    #[test]
    fn ipv6_addresses_outside_global_unicast_are_refused(bits in any::<u128>()) {
        let address = Ipv6Addr::from_bits(bits);
        prop_assume!(bits >> 125 != 1);
        prop_assert!(special_purpose(IpAddr::V6(address)).is_some());
    }
}

#[test]
fn first_and_last_address_of_every_range_are_refused() {
    for (net, bits, _) in REFUSED {
        let first = net.parse::<Ipv4Addr>().unwrap().to_bits();
        let last = first | u32::MAX >> bits;
        assert!(special_purpose(IpAddr::V4(Ipv4Addr::from_bits(first))).is_some(), "{net}");
        assert!(special_purpose(IpAddr::V4(Ipv4Addr::from_bits(last))).is_some(), "{net}");
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
        assert_eq!(special_purpose(public.parse().unwrap()), None, "{public}");
    }
}

#[test]
fn purpose_of_each_address() {
    for (address, purpose) in [
        ("::", SpecialPurpose::Unspecified),
        ("::1", SpecialPurpose::Loopback),
        ("255.255.255.255", SpecialPurpose::Broadcast),
        ("169.254.169.254", SpecialPurpose::Metadata),
        ("169.254.170.2", SpecialPurpose::Metadata),
        ("100.100.100.200", SpecialPurpose::Metadata),
        ("192.0.0.192", SpecialPurpose::Metadata),
        ("168.63.129.16", SpecialPurpose::Metadata),
        ("fd00:ec2::254", SpecialPurpose::Metadata),
        ("fd20:ce::254", SpecialPurpose::Metadata),
        ("::ffff:169.254.169.254", SpecialPurpose::Metadata),
        ("64:ff9b::169.254.169.254", SpecialPurpose::Metadata),
        ("fc00::1", SpecialPurpose::Private),
        ("fdff:ffff::1", SpecialPurpose::Private),
        ("fec0::1", SpecialPurpose::Private),
        ("fe80::1", SpecialPurpose::LinkLocal),
        ("febf::1", SpecialPurpose::LinkLocal),
        ("ff02::1", SpecialPurpose::Multicast),
        ("2001:db8::1", SpecialPurpose::Documentation),
        ("3fff:fff::1", SpecialPurpose::Documentation),
        ("2001:2::1", SpecialPurpose::Benchmarking),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", SpecialPurpose::Tunnel),
        ("2002:7f00:1::1", SpecialPurpose::Tunnel),
        ("2002:808:808::1", SpecialPurpose::Tunnel),
        ("2001:10::1", SpecialPurpose::Reserved),
        ("100::1", SpecialPurpose::Reserved),
        ("::8.8.8.8", SpecialPurpose::Reserved),
        ("64:ff9b:1::1", SpecialPurpose::Reserved),
        ("5f00::1", SpecialPurpose::Reserved),
    ] {
        assert_eq!(special_purpose(address.parse().unwrap()), Some(purpose), "{address}");
    }
}

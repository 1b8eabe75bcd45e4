//! Networks of IP addresses: where a key may be used from, and which proxies are trusted.

use std::{fmt, net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};
use serde::{Deserialize, Serialize};

/// The prefix of IPv4 addresses that are written as IPv6 (`::ffff:203.0.113.7`).
const MAPPED_PREFIX: u8 = 96;

/// One network, such as `203.0.113.0/24`. A single address is a network too (`/32` or `/128`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

/// Why a text is not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    #[error("must be an address such as 203.0.113.7, or a network such as 203.0.113.0/24 or 2001:db8::/32")]
    Unreadable,
    /// The text names an address inside a network, so it is unclear which of the two is meant.
    #[error("is an address inside a network; the network is {0}")]
    HostBits(Network),
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(parse_prefix(prefix)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NetworkError::Unreadable)?;
        let network = match prefix {
            Some(prefix) => IpNet::new(address, prefix).map_err(|_| NetworkError::Unreadable)?,
            None => address.into(),
        };
        let truncated = Self(canonical(network.trunc()));
        if network == network.trunc() { Ok(truncated) } else { Err(NetworkError::HostBits(truncated)) }
    }
}

fn parse_prefix(text: &str) -> Result<u8, NetworkError> {
    let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number && (text == "0" || !text.starts_with('0')));
    number.ok_or(NetworkError::Unreadable)
}

/// A network of IPv4 addresses that are written as IPv6 is an IPv4 network.
fn canonical(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else { return network };
    let prefix = mapped.prefix_len().checked_sub(MAPPED_PREFIX);
    match (mapped.addr().to_ipv4_mapped(), prefix) {
        (Some(address), Some(prefix)) => Ipv4Net::new(address, prefix).map_or(network, IpNet::V4),
        _ => network,
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of networks. One pointer wide, because every cached key has one of these, and few keys use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Networks(Box<Box<[IpNet]>>);

impl Networks {
    /// An IPv4 address that is written as IPv6 counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether the other set has every address of this one.
    pub fn is_within(&self, other: &Self) -> bool {
        let other = IpNet::aggregate(&other.0.to_vec());
        self.0.iter().all(|network| other.iter().any(|larger| larger.contains(network)))
    }

    pub fn to_texts(&self) -> Vec<String> {
        self.0.iter().map(IpNet::to_string).collect()
    }
}

impl FromIterator<Network> for Networks {
    /// Without duplicates, in the given order.
    fn from_iter<I: IntoIterator<Item = Network>>(networks: I) -> Self {
        let mut distinct: Vec<IpNet> = Vec::new();
        for Network(network) in networks {
            if !distinct.contains(&network) {
                distinct.push(network);
            }
        }
        Self(Box::new(distinct.into()))
    }
}

impl TryFrom<Vec<String>> for Networks {
    type Error = NetworkError;

    fn try_from(texts: Vec<String>) -> Result<Self, NetworkError> {
        texts.iter().map(|text| text.parse::<Network>()).collect()
    }
}

impl From<Networks> for Vec<String> {
    fn from(networks: Networks) -> Self {
        networks.to_texts()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn networks(texts: &[&str]) -> Networks {
        texts.iter().map(|text| text.parse::<Network>().expect("a network")).collect()
    }

    #[test]
    fn networks_are_normalised() {
        for (text, normal) in [
            ("203.0.113.7", "203.0.113.7/32"),
            ("203.0.113.0/24", "203.0.113.0/24"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("2001:DB8::1", "2001:db8::1/128"),
            ("2001:0db8:0:0::/32", "2001:db8::/32"),
            ("::/0", "::/0"),
            ("::ffff:203.0.113.7", "203.0.113.7/32"),
            ("::ffff:203.0.113.0/120", "203.0.113.0/24"),
            ("::ffff:0.0.0.0/96", "0.0.0.0/0"),
        ] {
            assert_eq!(text.parse::<Network>().map(|network| network.to_string()).as_deref(), Ok(normal));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "/24",
            "203.0.113.0/",
            "203.0.113.0/33",
            "203.0.113.0/+8",
            "203.0.113.0/08",
            "203.0.113.0/ 8",
            "203.0.113",
            "010.0.0.1",
            "2001:db8::/129",
            "fe80::1%eth0",
            "[2001:db8::1]",
            "203.0.113.0-203.0.113.9",
            "203.0.113.0/255.255.255.0",
            "acme.example",
        ] {
            assert_eq!(text.parse::<Network>(), Err(NetworkError::Unreadable), "{text}");
        }
        for (text, network) in [
            ("203.0.113.7/24", "203.0.113.0/24"),
            ("2001:db8::1/32", "2001:db8::/32"),
            ("::ffff:203.0.113.7/120", "203.0.113.0/24"),
        ] {
            let fault = text.parse::<Network>().expect_err("host bits are set");
            assert_eq!(
                fault.to_string(),
                format!("is an address inside a network; the network is {network}")
            );
        }
    }

    #[test]
    fn duplicates_are_removed_and_the_order_stays() {
        let found = networks(&["10.0.0.0/8", "2001:db8::/32", "::ffff:10.0.0.0/104", "2001:db8:0::/32"]);
        assert_eq!(found.to_texts(), ["10.0.0.0/8", "2001:db8::/32"]);
        let json = serde_json::to_string(&found).expect("JSON");
        assert_eq!(json, r#"["10.0.0.0/8","2001:db8::/32"]"#);
        assert_eq!(serde_json::from_str::<Networks>(&json).expect("it was written here"), found);
        assert!(serde_json::from_str::<Networks>(r#"["10.0.0.1/8"]"#).is_err());
    }

    #[test]
    fn address_is_compared_as_ipv4_if_it_is_one() {
        let found = networks(&["203.0.113.0/24", "2001:db8::/32"]);
        for (address, is_contained) in [
            ("203.0.113.0", true),
            ("203.0.113.255", true),
            ("203.0.114.0", false),
            ("::ffff:203.0.113.9", true),
            ("::ffff:203.0.112.9", false),
            ("2001:db8:ffff::1", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(found.contains(address.parse().expect("an address")), is_contained, "{address}");
        }
        let all_of_ipv6 = networks(&["::/0"]);
        assert!(!all_of_ipv6.contains("::ffff:203.0.113.9".parse().expect("an address")));
    }

    #[test]
    fn set_is_within_another_if_that_one_has_all_its_addresses() {
        for (inner, outer, is_within) in [
            (&["10.1.0.0/16"][..], &["10.0.0.0/8"][..], true),
            (&["10.0.0.0/8"], &["10.0.0.0/8"], true),
            (&["10.0.0.0/8"], &["10.1.0.0/16"], false),
            (&["10.0.0.0/8"], &["10.0.0.0/9", "10.128.0.0/9"], true),
            (&["10.0.0.0/8"], &["10.0.0.0/9", "10.128.0.0/10"], false),
            (&["10.1.2.3", "2001:db8::1"], &["10.0.0.0/8"], false),
            (&["10.1.2.3", "2001:db8::1"], &["2001:db8::/32", "10.0.0.0/8"], true),
        ] {
            assert_eq!(networks(inner).is_within(&networks(outer)), is_within, "{inner:?} {outer:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,60}") {
            if let Ok(network) = text.parse::<Network>() {
                prop_assert_eq!(network.to_string().parse(), Ok(network));
            }
        }

        #[test]
        fn every_address_has_its_network(bits in any::<u128>(), prefix in 0u8..=128, is_v4 in any::<bool>()) {
            let address = if is_v4 {
                IpAddr::V4(u32::try_from(bits >> 96).expect("32 bits").into())
            } else {
                IpAddr::V6(bits.into())
            };
            let text = format!("{address}/{}", if is_v4 { prefix / 4 } else { prefix });
            let network = match text.parse::<Network>() {
                Ok(network) | Err(NetworkError::HostBits(network)) => network,
                Err(NetworkError::Unreadable) => panic!("{text}"),
            };
            prop_assert!(Networks::from_iter([network]).contains(address) || !is_v4 && prefix < 96);
        }
    }
}

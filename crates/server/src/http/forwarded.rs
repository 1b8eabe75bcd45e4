//! The address of the client behind trusted proxies: `Forwarded` (RFC 7239) and `X-Forwarded-For`.
//!
//! Each proxy adds the address that its request came from at the right end of the header. What stands further left was
//! sent by the client and can be anything. So a header is read from the right, and only up to the first address that is
//! not a trusted proxy: nothing that the client wrote is read.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::{HeaderMap, HeaderName, header::FORWARDED};
use svc_mcp_access::Networks;

pub const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Proxies in a row. Addresses further left are not read.
const MAX_HOPS: usize = 32;
/// What one proxy adds. A longer part is malformed.
const MAX_HOP_BYTES: usize = 512;

/// The address of the client of a request that came from `peer`, which is a trusted proxy.
///
/// A part of a header that is malformed, or that hides the address (`unknown`, `_hidden`), ends the walk: the last address
/// before it counts. If both headers are there and do not agree, neither counts, because a proxy that sets one of them may
/// pass on the other one from the client.
pub fn client_address(peer: IpAddr, proxies: &Networks, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    let follow = |name: &HeaderName, syntax: Syntax| {
        headers.contains_key(name).then(|| follow(peer, proxies, headers, name, syntax))
    };
    match (follow(&FORWARDED, Syntax::Forwarded), follow(&X_FORWARDED_FOR, Syntax::Plain)) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(address), _) | (None, Some(address)) => address,
        (None, None) => peer,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    /// `for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"`
    Forwarded,
    /// `203.0.113.7, 2001:db8::1`
    Plain,
}

fn follow(
    peer: IpAddr,
    proxies: &Networks,
    headers: &HeaderMap,
    name: &HeaderName,
    syntax: Syntax,
) -> IpAddr {
    let lines = headers.get_all(name).iter().rev();
    let parts = lines.flat_map(|line| PartsFromRight { left: Some(line.as_bytes()), syntax });
    let mut last = peer;
    for part in parts.take(MAX_HOPS) {
        let part = part.trim_ascii();
        if part.is_empty() {
            continue;
        }
        let address = match syntax {
            Syntax::Forwarded => forwarded_for(part),
            Syntax::Plain => std::str::from_utf8(part).ok().and_then(node_address),
        };
        let Some(address) = address else { break };
        last = address.to_canonical();
        if !proxies.contains(last) {
            break;
        }
    }
    last
}

/// The parts of a header between its commas, from the right. A comma in a quoted string separates nothing.
struct PartsFromRight<'a> {
    left: Option<&'a [u8]>,
    syntax: Syntax,
}

impl<'a> Iterator for PartsFromRight<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.left.take()?;
        let mut is_quoted = false;
        for (at, byte) in line.iter().enumerate().rev().take(MAX_HOP_BYTES) {
            match byte {
                b'"' if self.syntax == Syntax::Forwarded && !is_escaped(line, at) => is_quoted = !is_quoted,
                b',' if !is_quoted => {
                    self.left = Some(&line[..at]);
                    return Some(&line[at + 1..]);
                }
                _ => {}
            }
        }
        // The last part, or one that is too long: then it is malformed, and nothing after it is read.
        Some(line)
    }
}

/// Whether an odd number of backslashes precedes this byte.
fn is_escaped(line: &[u8], at: usize) -> bool {
    let backslashes = line[..at].iter().rev().take(MAX_HOP_BYTES).take_while(|byte| **byte == b'\\').count();
    !backslashes.is_multiple_of(2)
}

/// The address in `for=…` of one part.
fn forwarded_for(part: &[u8]) -> Option<IpAddr> {
    if part.len() > MAX_HOP_BYTES {
        return None;
    }
    let mut rest = std::str::from_utf8(part).ok()?;
    let mut found = None;
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => split_quoted(quoted)?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if name.trim().eq_ignore_ascii_case("for") && found.replace(node_address(value.trim_end())?).is_some()
        {
            return None;
        }
        rest = match after.trim_start() {
            "" => "",
            after => after.strip_prefix(';')?.trim_start(),
        };
    }
    found
}

/// Splits after the quotation mark that ends a quoted string. An address needs no escapes, so they stay as they are.
fn split_quoted(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !is_escaped => return Some((&text[..at], &text[at + 1..])),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

/// An address with or without a port: `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
fn node_address(node: &str) -> Option<IpAddr> {
    if let Some(bracketed) = node.strip_prefix('[') {
        let (address, port) = bracketed.split_once(']')?;
        let has_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return address.parse::<Ipv6Addr>().ok().filter(|_| has_port).map(IpAddr::V6);
    }
    if let Ok(address) = node.parse() {
        return Some(address);
    }
    let (address, port) = node.split_once(':')?;
    address.parse::<Ipv4Addr>().ok().filter(|_| is_port(port)).map(IpAddr::V4)
}

/// A number, or a name that hides it (`_a1`).
fn is_port(text: &str) -> bool {
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    is_number || text.strip_prefix('_').is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;
    use svc_mcp_access::Network;

    use super::*;

    const PEER: &str = "10.0.0.1";

    fn proxies() -> Networks {
        let networks = ["10.0.0.0/8", "fd00::/8"];
        networks.iter().map(|text| text.parse::<Network>().expect("a network")).collect()
    }

    /// The client of a request with these header lines.
    fn client(lines: &[(&str, &[u8])]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.append(name, HeaderValue::from_bytes(value).expect("a value"));
        }
        client_address(PEER.parse().expect("an address"), &proxies(), &headers).to_string()
    }

    #[test]
    fn first_address_from_the_right_that_is_no_proxy_is_the_client() {
        for (value, expected) in [
            ("203.0.113.7", "203.0.113.7"),
            ("203.0.113.7:4711", "203.0.113.7"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("1.1.1.1, 203.0.113.7", "203.0.113.7"),
            ("1.1.1.1, 203.0.113.7, 10.1.1.1,fd00::1 , 10.2.2.2", "203.0.113.7"),
            ("203.0.113.7,, ,", "203.0.113.7"),
            // All of them are proxies: the client is the first one.
            ("10.9.9.9, 10.1.1.1", "10.9.9.9"),
            ("", PEER),
            (" , ", PEER),
        ] {
            assert_eq!(client(&[("x-forwarded-for", value.as_bytes())]), expected, "{value}");
        }
        for (value, expected) in [
            ("for=203.0.113.7", "203.0.113.7"),
            ("For=\"203.0.113.7:4711\"", "203.0.113.7"),
            ("proto=https; for=203.0.113.7 ;by=10.0.0.1", "203.0.113.7"),
            ("for=\"[2001:db8::1]:_port\";host=\"a, for=1.1.1.1\"", "2001:db8::1"),
            ("for=203.0.113.7;host=\"a\\\", for=1.1.1.1;b=\\\"\"", "203.0.113.7"),
            ("for=1.1.1.1, for=203.0.113.7;proto=http, for=10.1.1.1", "203.0.113.7"),
            ("for=203.0.113.7;", "203.0.113.7"),
        ] {
            assert_eq!(client(&[("forwarded", value.as_bytes())]), expected, "{value}");
        }
    }

    #[test]
    fn malformed_and_hidden_addresses_end_the_walk() {
        for value in [
            "unknown",
            "_hidden",
            "1.1.1.1 2.2.2.2",
            "203.0.113.7:",
            "203.0.113.7:x",
            "203.0.113.7:123456",
            "[::1",
            "[203.0.113.7]",
            "localhost",
            "203.0.113.07",
            "fe80::1%eth0",
            "\"203.0.113.7\"",
            "1.1.1.1;10.1.1.1",
        ] {
            assert_eq!(
                client(&[("x-forwarded-for", format!("1.1.1.1, {value}").as_bytes())]),
                PEER,
                "{value}"
            );
            let behind = format!("1.1.1.1, {value}, 10.1.1.1");
            assert_eq!(client(&[("x-forwarded-for", behind.as_bytes())]), "10.1.1.1", "{value}");
        }
        for value in [
            "for=unknown",
            "for=_hidden",
            "by=203.0.113.7",
            "for",
            "for=",
            "for=\"203.0.113.7",
            "203.0.113.7",
            "for=1.1.1.1;for=203.0.113.7",
            "for=203.0.113.7 proto=http",
            "for=\"203.0.113\\.7\"",
            "for==203.0.113.7",
        ] {
            assert_eq!(client(&[("forwarded", format!("for=1.1.1.1, {value}").as_bytes())]), PEER, "{value}");
        }
        assert_eq!(client(&[("x-forwarded-for", b"203.0.113.7, \xff\xfe")]), PEER);
    }

    #[test]
    fn lines_of_a_header_are_one_list() {
        let lines: [(&str, &[u8]); 3] = [
            ("x-forwarded-for", b"1.1.1.1"),
            ("x-forwarded-for", b"203.0.113.7, 10.3.3.3"),
            ("x-forwarded-for", b"10.1.1.1"),
        ];
        assert_eq!(client(&lines), "203.0.113.7");
    }

    #[test]
    fn two_headers_must_agree() {
        let forwarded: (&str, &[u8]) = ("forwarded", b"for=1.1.1.1, for=203.0.113.7");
        assert_eq!(client(&[forwarded, ("x-forwarded-for", b"2.2.2.2, 203.0.113.7")]), "203.0.113.7");
        assert_eq!(client(&[forwarded, ("x-forwarded-for", b"203.0.113.8")]), PEER);
        assert_eq!(client(&[forwarded, ("x-forwarded-for", b"unknown")]), PEER);
    }

    #[test]
    fn length_and_number_of_hops_are_bounded() {
        let long = format!("203.0.113.7{}", " ".repeat(MAX_HOP_BYTES));
        assert_eq!(client(&[("x-forwarded-for", format!("1.1.1.1,{long},10.1.1.1").as_bytes())]), "10.1.1.1");
        let far = format!("203.0.113.7{}", ", 10.1.1.1".repeat(MAX_HOPS));
        assert_eq!(client(&[("x-forwarded-for", far.as_bytes())]), "10.1.1.1");
        let near = format!("203.0.113.7{}", ", 10.1.1.1".repeat(MAX_HOPS - 1));
        assert_eq!(client(&[("x-forwarded-for", near.as_bytes())]), "203.0.113.7");
    }

    fn header_bytes() -> impl Strategy<Value = Vec<u8>> {
        let any_byte =
            prop::collection::vec(any::<u8>().prop_filter("a header", |byte| is_allowed(*byte)), 0..200);
        let likely = "[ ,;=\"\\\\\\[\\]:._a-f0-9for]{0,120}".prop_map(String::into_bytes);
        prop_oneof![any_byte, likely]
    }

    fn is_allowed(byte: u8) -> bool {
        byte == b'\t' || byte >= b' ' && byte != 0x7f
    }

    fn public_address() -> impl Strategy<Value = IpAddr> {
        let v4 = any::<u32>().prop_map(|bits| IpAddr::V4(bits.into()));
        let v6 = any::<u128>().prop_map(|bits| IpAddr::V6(bits.into()));
        prop_oneof![v4, v6].prop_filter("no proxy", |address| !proxies().contains(*address))
    }

    proptest! {
        /// Nothing that a client sends can change the address that the proxy adds.
        #[test]
        fn client_cannot_choose_its_address(
            sent in header_bytes(),
            address in public_address(),
            hops in 0usize..4,
            has_own_line in any::<bool>(),
        ) {
            let expected = address.to_canonical().to_string();
            let proxy_hops = |hop: &str| hop.repeat(hops);
            let quoted = if address.is_ipv6() { format!("\"[{address}]:80\"") } else { address.to_string() };
            for (name, added) in [
                ("x-forwarded-for", format!("{address}{}", proxy_hops(",10.1.2.3"))),
                ("forwarded", format!("for={quoted};proto=http{}", proxy_hops(", for=10.1.2.3"))),
            ] {
                let joined = [&sent[..], b", ", added.as_bytes()].concat();
                let lines: &[(&str, &[u8])] = if has_own_line {
                    &[(name, &sent), (name, added.as_bytes())]
                } else {
                    &[(name, &joined)]
                };
                prop_assert_eq!(client(lines), expected.clone(), "{}", name);
            }
        }

        #[test]
        fn every_header_is_read_or_ignored(sent in header_bytes(), other in header_bytes()) {
            for lines in [&[("forwarded", &sent[..])][..], &[("x-forwarded-for", &sent), ("forwarded", &other)]] {
                client(lines);
            }
        }
    }
}

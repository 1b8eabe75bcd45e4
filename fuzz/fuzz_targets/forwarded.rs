//! Nothing that a client sends in the headers of proxies can change the address that the last proxy adds.
#![no_main]

use std::sync::LazyLock;

use http::{HeaderMap, HeaderValue, header::FORWARDED};
use libfuzzer_sys::fuzz_target;
use svc_mcp::http::forwarded::{X_FORWARDED_FOR, client_address};
use svc_mcp_access::{Network, Networks};

static PROXIES: LazyLock<Networks> = LazyLock::new(|| {
    ["10.0.0.0/8", "fd00::/8"].into_iter().map(|text| text.parse::<Network>().expect("a network")).collect()
});

fuzz_target!(|data: &[u8]| {
    let peer = "10.0.0.1".parse().expect("an address");
    let client: std::net::IpAddr = "203.0.113.7".parse().expect("an address");
    for (name, added) in [
        (X_FORWARDED_FOR, "203.0.113.7"),
        (X_FORWARDED_FOR, "203.0.113.7:80, 10.1.2.3"),
        (FORWARDED, "for=203.0.113.7"),
        (FORWARDED, "proto=https;for=\"203.0.113.7:80\";host=\"a, b\\\"\", for=\"[fd00::1]\""),
    ] {
        let Ok(sent) = HeaderValue::from_bytes(data) else { return };
        let joined = HeaderValue::from_bytes(&[data, b",", added.as_bytes()].concat()).expect("two values");
        // The proxy adds its own line, or appends to the client's.
        let mut own_line = HeaderMap::new();
        own_line.append(&name, sent.clone());
        own_line.append(&name, HeaderValue::from_static(added));
        let appended = HeaderMap::from_iter([(name.clone(), joined)]);
        for headers in [&own_line, &appended] {
            assert_eq!(client_address(peer, &PROXIES, headers), client, "{name}: {added}");
        }
        // Without a proxy's part, anything may be found, but nothing panics.
        client_address(peer, &PROXIES, &HeaderMap::from_iter([(name, sent)]));
    }
});

//! Which requests are refused, by address, name and redirect, and which hosts the operator allows.

use std::{
    io,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use svc_mcp_tools::net::{DnsResolver, Guard, Limits, NetError, Outbound, Request, Response};

use crate::servers::{Server, answer, path, redirect};

/// Notations of 127.0.0.1 and of other loopback addresses.
const LOOPBACK: &[&str] = &[
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0X7F000001",
    "017700000001",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.",
    "127.000.000.001",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "0",
    "0.0.0.0",
    "[::]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "sub.localhost",
];

const INTERNAL: &[&str] = &[
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "255.255.255.255",
    "224.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "240.0.0.1",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[2002:a00:1::]",
    "[2001:0:a00:1::1]",
];

fn get(address: &str) -> Request {
    let limits = Limits { timeout: Duration::from_secs(5), ..Limits::default() };
    Request { limits, ..Request::get(address.parse().unwrap()) }
}

fn is_refused(answer: &Result<Response, NetError>) -> bool {
    matches!(answer, Err(NetError::Refused(_)))
}

/// Not every machine can resolve these two names.
fn is_unresolved(host: &str, answer: &Result<Response, NetError>) -> bool {
    matches!(host, "localhost." | "sub.localhost") && matches!(answer, Err(NetError::Dns))
}

#[tokio::test]
async fn internal_address_is_refused_in_every_notation() {
    let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    let outbound = Outbound::new(Guard::strict()).unwrap();
    for host in LOOPBACK.iter().chain(INTERNAL) {
        for scheme in ["http", "https"] {
            let address = format!("{scheme}://{host}:{}/", internal.port());
            let answer = outbound.send(get(&address)).await;
            assert!(is_refused(&answer) || is_unresolved(host, &answer), "{address}: {answer:?}");
        }
    }
    assert_eq!(internal.connections(), 0);
}

#[tokio::test]
async fn redirect_to_an_internal_address_is_refused() {
    let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    let port = internal.port();
    let external = Server::answering(move |request| {
        let host = path(request).trim_start_matches('/');
        redirect("302 Found", &format!("http://{host}:{port}/"))
    })
    .await;
    let outbound = external.outbound();
    for host in LOOPBACK.iter().chain(INTERNAL).filter(|host| host.is_ascii() && !host.contains('%')) {
        let answer = outbound.send(Request::get(external.url(&format!("/{host}")))).await;
        assert!(is_refused(&answer) || is_unresolved(host, &answer), "{host}: {answer:?}");
    }
    assert_eq!(internal.connections(), 0);
    assert!(external.connections() > 40);
}

/// Returns one answer after the other, and then the last one again.
struct FakeResolver {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    lookups: Mutex<Vec<String>>,
}

impl FakeResolver {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().rev().map(|one| one.iter().map(|ip| ip.parse().unwrap()).collect());
        Arc::new(Self { answers: Mutex::new(answers.collect()), lookups: Mutex::default() })
    }
}

#[async_trait::async_trait]
impl DnsResolver for FakeResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.lookups.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        answer.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

#[tokio::test]
async fn name_of_an_internal_address_is_refused() {
    let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    for address in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "fe80::1",
        "fd00::1",
        "0.0.0.0",
        "64:ff9b::7f00:1",
    ] {
        let outbound = Outbound::with_resolver(Guard::strict(), FakeResolver::new(&[&[address]])).unwrap();
        let answer = outbound.send(get(&format!("http://public.example:{}/", internal.port()))).await;
        assert!(is_refused(&answer), "{address}: {answer:?}");
        // The error must not reveal the internal network.
        assert!(!answer.unwrap_err().to_string().contains(address), "{address}");
    }
    assert_eq!(internal.connections(), 0);
}

/// In the public range, but not assigned.
const UNASSIGNED: &str = "2e00::1";

#[tokio::test]
async fn dns_answer_that_changes_after_the_check_has_no_effect() {
    let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    let resolver = FakeResolver::new(&[&[UNASSIGNED], &["127.0.0.1"]]);
    let outbound =
        Outbound::with_resolver(Guard::strict(), Arc::clone(&resolver) as Arc<dyn DnsResolver>).unwrap();
    let limits = Limits { timeout: Duration::from_millis(500), ..Limits::default() };
    let address = format!("http://rebinding.example:{}/", internal.port());
    let first = outbound.send(Request { limits, ..get(&address) }).await;
    assert!(matches!(first, Err(NetError::Connect | NetError::Timeout)), "{first:?}");
    // One lookup: the checked addresses are used for the connection.
    assert_eq!(*resolver.lookups.lock().unwrap(), ["rebinding.example"]);
    let second = outbound.send(get(&address)).await;
    assert!(is_refused(&second), "{second:?}");
    assert_eq!(internal.connections(), 0);
}

#[tokio::test]
async fn internal_addresses_in_a_mixed_answer_are_ignored() {
    let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    let limits = Limits { timeout: Duration::from_millis(500), ..Limits::default() };
    let mixed: [&[&str]; 2] = [&["127.0.0.1", UNASSIGNED], &[UNASSIGNED, "::ffff:127.0.0.1", "127.0.0.1"]];
    for answers in mixed {
        let outbound = Outbound::with_resolver(Guard::strict(), FakeResolver::new(&[answers])).unwrap();
        let address = format!("http://mixed.example:{}/", internal.port());
        let answer = outbound.send(Request { limits, ..get(&address) }).await;
        assert!(matches!(answer, Err(NetError::Connect | NetError::Timeout)), "{answer:?}");
    }
    assert_eq!(internal.connections(), 0);
}

#[tokio::test]
async fn name_without_addresses_is_unreachable() {
    let resolvers: [Arc<FakeResolver>; 2] = [FakeResolver::new(&[]), FakeResolver::new(&[&[]])];
    for resolver in resolvers {
        let outbound = Outbound::with_resolver(Guard::strict(), resolver).unwrap();
        let answer = outbound.send(get("http://nowhere.example/")).await;
        assert!(matches!(answer, Err(NetError::Dns | NetError::Connect)), "{answer:?}");
    }
}

#[tokio::test]
async fn operator_allows_a_host_with_or_without_its_port() {
    let server = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
    let port = server.port();
    let with = |allowed: &str| {
        let guard = Guard::allowing([allowed]).unwrap();
        Outbound::with_resolver(guard, FakeResolver::new(&[&["127.0.0.1"]])).unwrap()
    };
    for allowed in
        ["site.internal".to_owned(), format!("SITE.internal:{port}"), format!(" site.internal:{port} ")]
    {
        let answer = with(&allowed).send(get(&format!("http://site.internal:{port}/"))).await.unwrap();
        assert_eq!(answer.body, b"internal");
    }
    for (allowed, address) in [
        // Another port, another name of the machine, its address, a subdomain, a longer name.
        ("site.internal:1".to_owned(), format!("http://site.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://other.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://127.0.0.1:{port}/")),
        ("site.internal".to_owned(), format!("http://www.site.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://site.internal.evil.example:{port}/")),
        ("127.0.0.1".to_owned(), format!("http://site.internal:{port}/")),
    ] {
        let answer = with(&allowed).send(get(&address)).await;
        assert!(is_refused(&answer), "{allowed} does not allow {address}: {answer:?}");
    }
    // An allowed address is allowed in every notation.
    for host in ["127.0.0.1", "2130706433", "0x7f.1"] {
        let answer = with("127.1").send(get(&format!("http://{host}:{port}/"))).await;
        assert_eq!(answer.unwrap().body, b"internal", "{host}");
    }
}

#[test]
fn invalid_host_settings_are_refused() {
    for wrong in ["", "http://a", "a/b", "a b", "u@a", "a:x", "a:99999", "a?b", "a#b", "::1", "[::1", "*"] {
        let guard = Guard::allowing(["fine.example", wrong]);
        assert!(guard.is_err(), "{wrong:?}: {guard:?}");
    }
    let guard = Guard::allowing(["a", "a:80", "a:443", "[::1]", "[::1]:8080", "10.0.0.1:3000"]);
    assert!(guard.is_ok(), "{guard:?}");
}

#[tokio::test]
async fn other_schemes_credentials_and_blocked_ports_are_refused() {
    let server = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let outbound = server.outbound();
    let authority = server.authority();
    for address in [
        "ftp://example.com/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1:6379/_x".to_owned(),
        "data:text/plain,x".to_owned(),
        "javascript:alert(1)".to_owned(),
        format!("ws://{authority}/"),
        format!("http://user@{authority}/"),
        format!("http://user:secret@{authority}/"),
        "http://example.com:25/".to_owned(),
        "http://example.com:22/".to_owned(),
        "https://example.com:6667/".to_owned(),
    ] {
        let answer = outbound.send(get(&address)).await;
        assert!(is_refused(&answer), "{address}: {answer:?}");
        assert!(!answer.unwrap_err().to_string().contains("secret"));
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn no_redirect_text_bypasses_the_guard() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (internal, location, external) = runtime.block_on(async {
        let internal = Server::answering(|_| answer("200 OK", &[], b"internal")).await;
        let location = Arc::new(Mutex::new(String::new()));
        let target = Arc::clone(&location);
        let external =
            Server::answering(move |_| redirect("307 Temporary Redirect", &target.lock().unwrap())).await;
        (internal, location, external)
    });
    // Every name resolves to an internal address, so the test sends nothing to the internet.
    let guard = Guard::allowing([external.authority()]).unwrap();
    let outbound = Outbound::with_resolver(guard, FakeResolver::new(&[&["127.0.0.1"]])).unwrap();
    let pieces = |more: String| {
        let fixed = ["http:", "https:", "//", "/", "\\\\", "@", "?", "#", "\t", "user:", "x."];
        prop_oneof![
            3 => prop::sample::select(fixed.to_vec()).prop_map(str::to_owned),
            1 => Just(more),
            1 => "[ -/:-~à-ÿ。]{0,4}",
        ]
    };
    let hosts: Vec<&str> = LOOPBACK.iter().chain(INTERNAL).copied().collect();
    let texts = (
        prop::collection::vec(pieces(external.authority()), 0..4),
        prop::sample::select(hosts),
        prop::collection::vec(pieces(format!(":{}", internal.port())), 0..4),
    );
    let texts = texts.prop_map(|(before, host, after)| before.concat() + host + &after.concat());
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&texts, |text| {
            location.lock().unwrap().clone_from(&text);
            let limits =
                Limits { timeout: Duration::from_millis(300), max_redirects: 2, ..Limits::default() };
            let request = Request { limits, ..Request::get(external.url("/")) };
            let answer = runtime.block_on(outbound.send(request));
            prop_assert_eq!(internal.connections(), 0, "{:?} reached an internal server: {:?}", text, answer);
            prop_assert!(answer.is_err() || answer.unwrap().status == 307, "{:?}", text);
            Ok(())
        })
        .unwrap();
}

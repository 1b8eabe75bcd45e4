//! Where a request does not go, by address, by name, by redirect, and what the operator lets through.

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
use svc_mcp_tools::net::{Answer, Guard, Limits, Names, NetError, Outbound, Request};

use crate::servers::{Server, answer, path, redirect};

/// Every notation of 127.0.0.1 that some program somewhere reads as such.
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

const INNER: &[&str] = &[
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
    let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
    Request { limits, ..Request::get(address.parse().unwrap()) }
}

fn is_refused(answer: &Result<Answer, NetError>) -> bool {
    matches!(answer, Err(NetError::Refused(_)))
}

/// Not every machine knows these two names of itself.
fn is_unknown(host: &str, answer: &Result<Answer, NetError>) -> bool {
    matches!(host, "localhost." | "sub.localhost") && matches!(answer, Err(NetError::Unreachable(_)))
}

#[tokio::test]
async fn no_notation_of_an_inner_address_is_visited() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
    let outbound = Outbound::new(Guard::strict()).unwrap();
    for host in LOOPBACK.iter().chain(INNER) {
        for scheme in ["http", "https"] {
            let address = format!("{scheme}://{host}:{}/", inner.port());
            let answer = outbound.send(get(&address)).await;
            assert!(is_refused(&answer) || is_unknown(host, &answer), "{address}: {answer:?}");
        }
    }
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn no_redirect_leads_to_an_inner_address() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
    let port = inner.port();
    let outer = Server::answering(move |request| {
        let host = path(request).trim_start_matches('/');
        redirect("302 Found", &format!("http://{host}:{port}/"))
    })
    .await;
    let outbound = outer.outbound();
    for host in LOOPBACK.iter().chain(INNER).filter(|host| host.is_ascii() && !host.contains('%')) {
        let answer = outbound.send(Request::get(outer.url(&format!("/{host}")))).await;
        assert!(is_refused(&answer) || is_unknown(host, &answer), "{host}: {answer:?}");
    }
    assert_eq!(inner.connections(), 0);
    assert!(outer.connections() > 40);
}

/// Answers of a name server, one after the other; the last one stays.
struct Answers {
    waiting: Mutex<Vec<Vec<IpAddr>>>,
    asked: Mutex<Vec<String>>,
}

impl Answers {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().rev().map(|one| one.iter().map(|ip| ip.parse().unwrap()).collect());
        Arc::new(Self { waiting: Mutex::new(answers.collect()), asked: Mutex::default() })
    }
}

#[async_trait::async_trait]
impl Names for Answers {
    async fn addresses_of(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut waiting = self.waiting.lock().unwrap();
        let answer = if waiting.len() > 1 { waiting.pop() } else { waiting.last().cloned() };
        answer.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

#[tokio::test]
async fn a_name_of_an_inner_address_is_not_visited() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
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
        let outbound = Outbound::with_names(Guard::strict(), Answers::new(&[&[address]])).unwrap();
        let answer = outbound.send(get(&format!("http://public.example:{}/", inner.port()))).await;
        assert!(is_refused(&answer), "{address}: {answer:?}");
        // What the name stands for is the inner network's business.
        assert!(!answer.unwrap_err().to_string().contains(address), "{address}");
    }
    assert_eq!(inner.connections(), 0);
}

/// Public by its number, and given to nobody: no packet for it gets far.
const NOBODYS: &str = "2e00::1";

#[tokio::test]
async fn an_answer_that_changes_after_the_check_changes_nothing() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
    let names = Answers::new(&[&[NOBODYS], &["127.0.0.1"]]);
    let outbound = Outbound::with_names(Guard::strict(), Arc::clone(&names) as Arc<dyn Names>).unwrap();
    let limits = Limits { time: Duration::from_millis(500), ..Limits::default() };
    let address = format!("http://rebinding.example:{}/", inner.port());
    let first = outbound.send(Request { limits, ..get(&address) }).await;
    assert!(matches!(first, Err(NetError::Unreachable(_) | NetError::Timeout)), "{first:?}");
    // Looked up once: what was checked is what was connected to.
    assert_eq!(*names.asked.lock().unwrap(), ["rebinding.example"]);
    let second = outbound.send(get(&address)).await;
    assert!(is_refused(&second), "{second:?}");
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn of_a_mixed_answer_the_inner_addresses_are_left_out() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
    let limits = Limits { time: Duration::from_millis(500), ..Limits::default() };
    let mixed: [&[&str]; 2] = [&["127.0.0.1", NOBODYS], &[NOBODYS, "::ffff:127.0.0.1", "127.0.0.1"]];
    for answers in mixed {
        let outbound = Outbound::with_names(Guard::strict(), Answers::new(&[answers])).unwrap();
        let address = format!("http://mixed.example:{}/", inner.port());
        let answer = outbound.send(Request { limits, ..get(&address) }).await;
        assert!(matches!(answer, Err(NetError::Unreachable(_) | NetError::Timeout)), "{answer:?}");
    }
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn a_name_without_addresses_is_unreachable() {
    let names: [Arc<Answers>; 2] = [Answers::new(&[]), Answers::new(&[&[]])];
    for names in names {
        let outbound = Outbound::with_names(Guard::strict(), names).unwrap();
        let answer = outbound.send(get("http://nowhere.example/")).await;
        assert!(matches!(answer, Err(NetError::Unreachable(_))), "{answer:?}");
    }
}

#[tokio::test]
async fn the_operator_lets_a_host_through_by_name_with_or_without_its_port() {
    let server = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
    let port = server.port();
    let with = |allowed: &str| {
        let guard = Guard::allowing([allowed]).unwrap();
        Outbound::with_names(guard, Answers::new(&[&["127.0.0.1"]])).unwrap()
    };
    for allowed in
        ["site.internal".to_owned(), format!("SITE.internal:{port}"), format!(" site.internal:{port} ")]
    {
        let answer = with(&allowed).send(get(&format!("http://site.internal:{port}/"))).await.unwrap();
        assert_eq!(answer.body, b"inner");
    }
    for (allowed, address) in [
        // Another port, another name for the same machine, the machine's number, a name below, a longer name.
        ("site.internal:1".to_owned(), format!("http://site.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://other.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://127.0.0.1:{port}/")),
        ("site.internal".to_owned(), format!("http://www.site.internal:{port}/")),
        ("site.internal".to_owned(), format!("http://site.internal.evil.example:{port}/")),
        ("127.0.0.1".to_owned(), format!("http://site.internal:{port}/")),
    ] {
        let answer = with(&allowed).send(get(&address)).await;
        assert!(is_refused(&answer), "{allowed} does not mean {address}: {answer:?}");
    }
    // An allowed number is meant in every notation.
    for host in ["127.0.0.1", "2130706433", "0x7f.1"] {
        let answer = with("127.1").send(get(&format!("http://{host}:{port}/"))).await;
        assert_eq!(answer.unwrap().body, b"inner", "{host}");
    }
}

#[test]
fn a_setting_that_names_no_host_is_refused_by_its_name() {
    for wrong in ["", "http://a", "a/b", "a b", "u@a", "a:x", "a:99999", "a?b", "a#b", "::1", "[::1", "*"] {
        let fault = Guard::allowing(["fine.example", wrong]);
        assert!(fault.is_err(), "{wrong:?}: {fault:?}");
    }
    let guard = Guard::allowing(["a", "a:80", "a:443", "[::1]", "[::1]:8080", "10.0.0.1:3000"]);
    assert!(guard.is_ok(), "{guard:?}");
}

#[tokio::test]
async fn what_is_no_plain_web_address_is_refused() {
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
fn no_text_in_a_redirect_leads_past_the_guard() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (inner, location, outer) = runtime.block_on(async {
        let inner = Server::answering(|_| answer("200 OK", &[], b"inner")).await;
        let location = Arc::new(Mutex::new(String::new()));
        let told = Arc::clone(&location);
        let outer =
            Server::answering(move |_| redirect("307 Temporary Redirect", &told.lock().unwrap())).await;
        (inner, location, outer)
    });
    // Any name is an inner one, and no two numbers stand beside each other: the test asks nobody outside.
    let guard = Guard::allowing([outer.authority()]).unwrap();
    let outbound = Outbound::with_names(guard, Answers::new(&[&["127.0.0.1"]])).unwrap();
    let pieces = |more: String| {
        let fixed = ["http:", "https:", "//", "/", "\\\\", "@", "?", "#", "\t", "user:", "x."];
        prop_oneof![
            3 => prop::sample::select(fixed.to_vec()).prop_map(str::to_owned),
            1 => Just(more),
            1 => "[ -/:-~à-ÿ。]{0,4}",
        ]
    };
    let hosts: Vec<&str> = LOOPBACK.iter().chain(INNER).copied().collect();
    let texts = (
        prop::collection::vec(pieces(outer.authority()), 0..4),
        prop::sample::select(hosts),
        prop::collection::vec(pieces(format!(":{}", inner.port())), 0..4),
    );
    let texts = texts.prop_map(|(before, host, after)| before.concat() + host + &after.concat());
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&texts, |text| {
            location.lock().unwrap().clone_from(&text);
            let limits = Limits { time: Duration::from_millis(300), redirects: 2, ..Limits::default() };
            let request = Request { limits, ..Request::get(outer.url("/")) };
            let answer = runtime.block_on(outbound.send(request));
            prop_assert_eq!(inner.connections(), 0, "{:?} led inside: {:?}", text, answer);
            prop_assert!(answer.is_err() || answer.unwrap().status == 307, "{:?}", text);
            Ok(())
        })
        .unwrap();
}

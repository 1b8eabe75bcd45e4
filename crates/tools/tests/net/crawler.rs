//! The audit over real connections.

use std::{collections::BTreeSet, ops::ControlFlow, time::Duration};

use svc_mcp_tools::{
    audit::{
        Address, End, Plan, Scope, Stage, crawl,
        fetch::{Fetch, FetchFault, Method, Request},
    },
    net::{Crawler, Guard, Outbound},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::servers::{Server, answer, path, redirect};

fn request(address: &str, method: Method) -> Request {
    Request { address: Address::parse(address).unwrap(), method, largest_body: 10 }
}

#[tokio::test]
async fn an_answer_is_as_the_audit_wants_it() {
    let server = Server::answering(|request| match path(request) {
        "/moved" => redirect("301 Moved", "/elsewhere"),
        "/long" => answer("200 OK", &[], b"0123456789+"),
        _ => {
            answer("404 Not Found", &[("X-Two", "one"), ("X-Two", "two"), ("X-Odd", "\u{fc}")], b"0123456789")
        }
    })
    .await;
    let crawler = Crawler::new(server.outbound(), Scope::new([server.authority()]));
    let get = |path: &str| crawler.fetch(request(server.url(path).as_str(), Method::Get));
    let moved = get("/moved").await.unwrap();
    assert_eq!((moved.status, moved.header("location")), (301, Some("/elsewhere")), "it is not followed");
    let long = get("/long").await.unwrap();
    assert_eq!((long.body.as_slice(), long.cut), (&b"0123456789"[..], true));
    let missing = get("/missing").await.unwrap();
    assert_eq!((missing.status, missing.body.len(), missing.cut), (404, 10, false));
    assert_eq!(missing.headers("x-two").collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(missing.header("x-odd"), Some("\u{fc}"));
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn other_hosts_get_a_head_and_nothing_else() {
    let own = Server::answering(|_| answer("200 OK", &[], b"own")).await;
    let other = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let guard = Guard::allowing([own.authority(), other.authority()]).unwrap();
    let crawler = Crawler::new(Outbound::new(guard).unwrap(), Scope::new([own.authority()]));
    let address = other.url("/page").to_string();
    assert_eq!(crawler.fetch(request(&address, Method::Get)).await, Err(FetchFault::Refused));
    assert_eq!(other.connections(), 0);
    assert_eq!(crawler.fetch(request(&address, Method::Head)).await.unwrap().status, 200);
    assert!(other.requests()[0].starts_with("HEAD /page "));
}

#[tokio::test]
async fn every_fault_has_its_name() {
    let stalled = Server::serving(|_, mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let plain = Server::raw(|mut stream| async move {
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(b"nonsense\r\n\r\n").await;
    })
    .await;
    let gone = Server::answering(|_| Vec::new()).await;
    let closed = gone.authority();
    drop(gone);
    tokio::task::yield_now().await;
    let hosts = [stalled.authority(), plain.authority(), closed.clone(), "nothing.invalid".to_owned()];
    let scope = Scope::new(hosts.iter().map(String::as_str).chain(["10.0.0.1"]));
    let outbound = Outbound::new(Guard::allowing(&hosts).unwrap()).unwrap();
    let crawler = Crawler::new(outbound, scope).within(Duration::from_millis(500));
    for (address, fault) in [
        (stalled.url("/").to_string(), FetchFault::Timeout),
        (plain.url("/").to_string(), FetchFault::Unreadable),
        (format!("https://{}/", plain.authority()), FetchFault::Tls),
        (format!("http://{closed}/"), FetchFault::Connection),
        ("http://10.0.0.1/".to_owned(), FetchFault::Refused),
    ] {
        let fetched = crawler.fetch(Request { largest_body: 100, ..request(&address, Method::Get) }).await;
        assert_eq!(fetched, Err(fault), "{address}");
    }
    // Not every machine has a name server that answers at once.
    let unknown = crawler.fetch(request("http://nothing.invalid/", Method::Get)).await;
    assert!(matches!(unknown, Err(FetchFault::Name | FetchFault::Timeout)), "{unknown:?}");
}

const PAGES: u32 = 300;

/// A page that links to its neighbours, to a moved page, to a missing one and to another site.
fn page(number: u32, elsewhere: &str) -> Vec<u8> {
    let link = |to: u32| if to < PAGES { format!("<a href=/p/{to}>page {to}</a>") } else { String::new() };
    let links = link(number * 2 + 1) + &link(number * 2 + 2);
    let html = format!(
        "<!doctype html><html lang=en><title>Page number {number} of the site</title><h1>Page {number}</h1>{links}\
         <a href=/old/{number}>moved</a><a href=/gone>missing</a><a href={elsewhere}>elsewhere</a><a href=/private/x>no</a>"
    );
    answer("200 OK", &[("Content-Type", "text/html; charset=utf-8")], html.as_bytes())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_of_some_hundred_pages_is_crawled_whole_while_the_watcher_looks_on() {
    let other = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let elsewhere = other.url("/").to_string();
    let server = Server::answering(move |request| {
        let path = path(request);
        let number = path.rsplit('/').next().and_then(|number| number.parse::<u32>().ok());
        match (path, number) {
            ("/robots.txt", _) => answer("200 OK", &[], b"User-agent: *\nDisallow: /private/\n"),
            ("/", _) => page(0, &elsewhere),
            (path, Some(number)) if path.starts_with("/p/") => page(number, &elsewhere),
            (path, Some(number)) if path.starts_with("/old/") => {
                redirect("301 Moved", &format!("/p/{number}"))
            }
            _ => answer("404 Not Found", &[], b"nothing here"),
        }
    })
    .await;
    let guard = Guard::allowing([server.authority(), other.authority()]).unwrap();
    let crawler = Crawler::new(Outbound::new(guard).unwrap(), Scope::new([server.authority()]));
    let mut plan = Plan::new(server.url("/").as_str());
    plan.max_pages = 1000;
    let mut seen = Vec::new();
    let site = crawl(&plan, &crawler, &mut |progress| {
        seen.push(progress.clone());
        ControlFlow::Continue(())
    })
    .await
    .unwrap();

    assert_eq!(site.end, End::Complete);
    let count =
        |wanted: fn(u16) -> bool| site.pages.iter().filter(|page| page.status.is_some_and(wanted)).count();
    // `/` and `/p/0`, to which `/old/0` leads, are the same page at two addresses.
    assert_eq!(count(|status| status == 200), PAGES as usize + 1);
    assert_eq!(count(|status| status == 301), PAGES as usize);
    assert_eq!(count(|status| status == 404), 1);
    assert_eq!(site.forbidden, [server.url("/private/x").to_string()]);
    assert_eq!(site.tried.len(), 1);
    let urls: BTreeSet<_> = site.pages.iter().map(|page| &page.url).collect();
    assert_eq!(urls.len(), site.pages.len(), "no page twice");
    let asked = server.requests();
    assert!(!asked.iter().any(|request| path(request).starts_with("/private/")), "robots.txt holds");
    assert!(other.requests()[0].starts_with("HEAD / "));

    let pages: Vec<u32> = seen
        .iter()
        .filter(|progress| progress.stage == Stage::Pages)
        .map(|progress| progress.visited)
        .collect();
    let expected: Vec<u32> = (1..).take(site.pages.len()).collect();
    assert_eq!(pages, expected, "one look for each page");
    assert_eq!(seen.last().map(|progress| (progress.stage, progress.waiting)), Some((Stage::OtherLinks, 0)));
    assert!(seen.iter().any(|progress| progress.waiting > 50));
}

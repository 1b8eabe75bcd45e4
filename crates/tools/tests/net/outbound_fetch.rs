//! The crawler over real connections.

use std::{collections::BTreeSet, ops::ControlFlow, time::Duration};

use svc_mcp_tools::{
    CpuPool,
    audit::{
        CrawlPlan, CrawlScope, OutboundFetch, PageUrl, Stage, StopReason, crawl,
        fetch::{Fetch, FetchError, FetchRequest, Method},
    },
    cpu_pool::BrandCpu,
    net::{Guard, Outbound},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::servers::{Server, answer, path, redirect};

pub(crate) fn cpu() -> BrandCpu {
    CpuPool::default().for_brand(&"acme".parse().unwrap())
}

fn request(url: &str, method: Method) -> FetchRequest {
    FetchRequest { url: PageUrl::parse(url).unwrap(), method, max_body_bytes: 10 }
}

#[tokio::test]
async fn response_is_not_redirected_and_its_body_is_bounded() {
    let server = Server::answering(|request| match path(request) {
        "/moved" => redirect("301 Moved", "/elsewhere"),
        "/long" => answer("200 OK", &[], b"0123456789+"),
        _ => {
            answer("404 Not Found", &[("X-Two", "one"), ("X-Two", "two"), ("X-Odd", "\u{fc}")], b"0123456789")
        }
    })
    .await;
    let crawler = OutboundFetch::new(server.outbound(), CrawlScope::new([server.authority()]), cpu());
    let get = |path: &str| crawler.fetch(request(server.url(path).as_str(), Method::Get));
    let moved = get("/moved").await.unwrap();
    assert_eq!(
        (moved.status, moved.header("location")),
        (301, Some("/elsewhere")),
        "the redirect is not followed"
    );
    let long = get("/long").await.unwrap();
    assert_eq!((long.body.as_slice(), long.truncated), (&b"0123456789"[..], true));
    let missing = get("/missing").await.unwrap();
    assert_eq!((missing.status, missing.body.len(), missing.truncated), (404, 10, false));
    assert_eq!(missing.headers("x-two").collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(missing.header("x-odd"), Some("\u{fc}"));
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn hosts_outside_the_scope_get_only_head_requests() {
    let own = Server::answering(|_| answer("200 OK", &[], b"own")).await;
    let other = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let guard = Guard::allowing([own.authority(), other.authority()]).unwrap();
    let scope = CrawlScope::new([own.authority()]);
    let crawler = OutboundFetch::new(Outbound::new(guard).unwrap(), scope, cpu());
    let address = other.url("/page").to_string();
    assert_eq!(crawler.fetch(request(&address, Method::Get)).await, Err(FetchError::Refused));
    assert_eq!(other.connections(), 0);
    assert_eq!(crawler.fetch(request(&address, Method::Head)).await.unwrap().status, 200);
    assert!(other.requests()[0].starts_with("HEAD /page "));
}

#[tokio::test]
async fn every_kind_of_failure_has_its_error() {
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
    let scope = CrawlScope::new(hosts.iter().map(String::as_str).chain(["10.0.0.1"]));
    let outbound = Outbound::new(Guard::allowing(&hosts).unwrap()).unwrap();
    let crawler = OutboundFetch::new(outbound, scope, cpu()).with_timeout(Duration::from_millis(500));
    for (address, error) in [
        (stalled.url("/").to_string(), FetchError::Timeout),
        (plain.url("/").to_string(), FetchError::Unreadable),
        (format!("https://{}/", plain.authority()), FetchError::Tls),
        (format!("http://{closed}/"), FetchError::Connection),
        ("http://10.0.0.1/".to_owned(), FetchError::Refused),
    ] {
        let fetched =
            crawler.fetch(FetchRequest { max_body_bytes: 100, ..request(&address, Method::Get) }).await;
        assert_eq!(fetched, Err(error), "{address}");
    }
    // Not every machine has a name server that responds quickly.
    let unknown = crawler.fetch(request("http://nothing.invalid/", Method::Get)).await;
    assert!(matches!(unknown, Err(FetchError::Dns | FetchError::Timeout)), "{unknown:?}");
}

const PAGES: u32 = 300;

/// A page with links to other pages, to a redirect, to a missing page and to another site.
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
async fn site_of_several_hundred_pages_is_crawled_completely() {
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
    let scope = CrawlScope::new([server.authority()]);
    let crawler = OutboundFetch::new(Outbound::new(guard).unwrap(), scope, cpu());
    let mut plan = CrawlPlan::new(server.url("/").as_str());
    plan.max_pages = 1000;
    let mut seen = Vec::new();
    let site = crawl(&plan, &crawler, &mut |progress| {
        seen.push(progress.clone());
        ControlFlow::Continue(())
    })
    .await
    .unwrap();

    assert_eq!(site.end, StopReason::Complete);
    let count =
        |wanted: fn(u16) -> bool| site.pages.iter().filter(|page| page.status.is_some_and(wanted)).count();
    // `/old/0` redirects to `/p/0`, which is the same page as `/`.
    assert_eq!(count(|status| status == 200), PAGES as usize + 1);
    assert_eq!(count(|status| status == 301), PAGES as usize);
    assert_eq!(count(|status| status == 404), 1);
    assert_eq!(site.forbidden, [server.url("/private/x").to_string()]);
    assert_eq!(site.tried.len(), 1);
    let urls: BTreeSet<_> = site.pages.iter().map(|page| &page.url).collect();
    assert_eq!(urls.len(), site.pages.len(), "no page is visited twice");
    let asked = server.requests();
    assert!(!asked.iter().any(|request| path(request).starts_with("/private/")), "robots.txt is obeyed");
    assert!(other.requests()[0].starts_with("HEAD / "));

    let pages: Vec<u32> = seen
        .iter()
        .filter(|progress| progress.stage == Stage::Pages)
        .map(|progress| progress.visited)
        .collect();
    let expected: Vec<u32> = (1..).take(site.pages.len()).collect();
    assert_eq!(pages, expected, "one progress report for each page");
    assert_eq!(seen.last().map(|progress| (progress.stage, progress.waiting)), Some((Stage::OtherLinks, 0)));
    assert!(seen.iter().any(|progress| progress.waiting > 50));
}

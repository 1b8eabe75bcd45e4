//! The demo's web sites: the brand's own, with typical faults, and two competitors. They share one listener; the
//! `Host` header decides which one answers.

use std::net::SocketAddr;

use anyhow::Context;
use axum::{
    Router,
    extract::Request,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use http::{StatusCode, header};
use tokio::{net::TcpListener, task::JoinHandle};
use tower::ServiceExt;

/// Names below `localhost` always resolve to this machine (RFC 6761).
const COMPETITORS: [&str; 2] = ["beans.localhost", "roast.localhost"];

/// The running sites. Dropping this stops them.
#[derive(Debug)]
pub(crate) struct Sites {
    address: SocketAddr,
    server: JoinHandle<()>,
}

impl Sites {
    /// Listens on the given address, or on any free port if that one is in use.
    pub(crate) async fn start(preferred: SocketAddr) -> anyhow::Result<Self> {
        let any_port = SocketAddr::new(preferred.ip(), 0);
        let listener = match TcpListener::bind(preferred).await {
            Ok(listener) => listener,
            Err(_) => TcpListener::bind(any_port).await.context("cannot serve the sample site")?,
        };
        let address = listener.local_addr()?;
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, router(address)).await;
        });
        Ok(Self { address, server })
    }

    /// The brand's own site.
    pub(crate) fn own(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn competitors(&self) -> Vec<String> {
        COMPETITORS.map(|name| format!("http://{name}:{}", self.address.port())).to_vec()
    }

    /// The hosts that the outbound client must allow.
    pub(crate) fn authorities(&self) -> Vec<String> {
        let sites = std::iter::once(self.own()).chain(self.competitors());
        sites.map(|site| site.trim_start_matches("http://").to_owned()).collect()
    }
}

impl Drop for Sites {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn router(address: SocketAddr) -> Router {
    let (own, beans, roast) = (acme(address), beans(), roast());
    Router::new().fallback(move |request: Request| async move {
        let name =
            request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let site = match name.split(':').next() {
            Some("beans.localhost") => beans,
            Some("roast.localhost") => roast,
            _ => own,
        };
        let answer: Result<Response, _> = site.oneshot(request).await;
        answer.into_response()
    })
}

fn acme(address: SocketAddr) -> Router {
    let sitemap = include_str!("site/acme/sitemap.xml").replace("{site}", &format!("http://{address}"));
    let robots = format!("User-agent: *\nDisallow: /cart\n\nSitemap: http://{address}/sitemap.xml\n");
    let sitemap = move || async move { ([(header::CONTENT_TYPE, "application/xml")], sitemap) };
    let broken = || async { (StatusCode::INTERNAL_SERVER_ERROR, "out of order") };
    Router::new()
        .route("/", get(|| async { Html(include_str!("site/acme/index.html")) }))
        .route("/menu", get(|| async { Html(include_str!("site/acme/menu.html")) }))
        .route("/about", get(|| async { Html(include_str!("site/acme/about.html")) }))
        .route("/blog/winter-roast", get(|| async { Html(include_str!("site/acme/winter-roast.html")) }))
        .route("/blog/Choosing_Beans", get(|| async { Html(include_str!("site/acme/choosing-beans.html")) }))
        .route("/shop", get(|| async { Redirect::permanent("/store") }))
        .route("/store", get(|| async { Redirect::permanent("/menu") }))
        .route("/order", get(broken))
        .route("/robots.txt", get(move || async move { robots }))
        .route("/sitemap.xml", get(sitemap))
}

fn beans() -> Router {
    Router::new()
        .route("/", get(|| async { Html(include_str!("site/beans/index.html")) }))
        .route("/cold-brew", get(|| async { Html(include_str!("site/beans/cold-brew.html")) }))
}

fn roast() -> Router {
    Router::new()
        .route("/", get(|| async { Html(include_str!("site/roast/index.html")) }))
        .route("/courses", get(|| async { Html(include_str!("site/roast/courses.html")) }))
}

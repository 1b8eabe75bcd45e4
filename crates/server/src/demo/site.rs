//! The demo brand's own site: a few pages with the faults that real sites have.

use std::net::SocketAddr;

use axum::{
    Router,
    response::{Html, IntoResponse, Redirect},
    routing::get,
};
use http::{StatusCode, header};
use tokio::{net::TcpListener, task::JoinHandle};

/// A site that is up, until it is dropped.
#[derive(Debug)]
pub(crate) struct Site {
    address: SocketAddr,
    server: JoinHandle<()>,
}

impl Site {
    /// On the address wished for, or on any free one if that is taken.
    pub(crate) async fn start(wished: SocketAddr) -> Result<Self, String> {
        let anywhere = SocketAddr::new(wished.ip(), 0);
        let listener = match TcpListener::bind(wished).await {
            Ok(listener) => listener,
            Err(_) => TcpListener::bind(anywhere)
                .await
                .map_err(|error| format!("cannot serve the sample site: {error}"))?,
        };
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, pages(address)).await;
        });
        Ok(Self { address, server })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the guarded client must let through for this site to be read.
    pub(crate) fn authority(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn pages(address: SocketAddr) -> Router {
    let sitemap = include_str!("site/sitemap.xml").replace("{site}", &format!("http://{address}"));
    let robots = format!("User-agent: *\nDisallow: /cart\n\nSitemap: http://{address}/sitemap.xml\n");
    let sitemap = move || async move { ([(header::CONTENT_TYPE, "application/xml")], sitemap) };
    Router::new()
        .route("/", get(|| async { Html(include_str!("site/index.html")) }))
        .route("/menu", get(|| async { Html(include_str!("site/menu.html")) }))
        .route("/about", get(|| async { Html(include_str!("site/about.html")) }))
        .route("/blog/winter-roast", get(|| async { Html(include_str!("site/winter-roast.html")) }))
        .route("/blog/Choosing_Beans", get(|| async { Html(include_str!("site/choosing-beans.html")) }))
        .route("/shop", get(|| async { Redirect::permanent("/store") }))
        .route("/store", get(|| async { Redirect::permanent("/menu") }))
        .route(
            "/order",
            get(|| async { (StatusCode::INTERNAL_SERVER_ERROR, "out of order").into_response() }),
        )
        .route("/robots.txt", get(move || async move { robots }))
        .route("/sitemap.xml", get(sitemap))
}

//! A website on a free port.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    http::{Request, Response, StatusCode},
};
use tokio::{net::TcpListener, sync::Semaphore};

#[derive(Debug, Clone)]
pub struct Site {
    pub url: String,
    pages: Arc<Mutex<HashMap<String, (u16, String)>>>,
    requested: Arc<Mutex<Vec<String>>>,
    gate: Arc<Semaphore>,
}

impl Site {
    /// Serves these pages (path, HTML) with status 200.
    pub async fn with(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the test site works");
        let site = Self {
            url: format!("http://{}", listener.local_addr().expect("the test site works")),
            pages: Arc::default(),
            requested: Arc::default(),
            gate: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS / 2)),
        };
        for (path, html) in pages {
            site.put(path, 200, html);
        }
        let served = site.clone();
        let router = Router::new().fallback(move |request: Request<Body>| {
            let site = served.clone();
            async move { site.respond(request.uri().path()).await }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    pub fn put(&self, path: &str, status: u16, html: &str) {
        self.pages.lock().expect("the test site works").insert(path.to_owned(), (status, html.to_owned()));
    }

    /// The host and port, in the form of `--outbound-allow`.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub fn request_count(&self, path: &str) -> usize {
        self.requested
            .lock()
            .expect("the test site works")
            .iter()
            .filter(|requested| *requested == path)
            .count()
    }

    /// Sends `count` more responses. Later requests wait until `respond_to_all`.
    pub fn respond_only_to(&self, count: usize) {
        self.gate.forget_permits(usize::MAX);
        self.gate.add_permits(count);
    }

    pub fn respond_to_all(&self) {
        self.gate.add_permits(1_000_000);
    }

    async fn respond(&self, path: &str) -> Response<Body> {
        self.requested.lock().expect("the test site works").push(path.to_owned());
        self.gate.acquire().await.expect("the test site works").forget();
        let found = self.pages.lock().expect("the test site works").get(path).cloned();
        let (status, html) = found.unwrap_or((404, "not found".to_owned()));
        let content_type = if path == "/robots.txt" { "text/plain" } else { "text/html; charset=utf-8" };
        Response::builder()
            .status(StatusCode::from_u16(status).expect("the test site works"))
            .header("content-type", content_type)
            .body(Body::from(html))
            .expect("the test site works")
    }
}

//! A site of one's own, on a free port.

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
    asked: Arc<Mutex<Vec<String>>>,
    gate: Arc<Semaphore>,
}

impl Site {
    /// Pages by their paths, all of them there.
    pub async fn with(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a test's own site works");
        let site = Self {
            url: format!("http://{}", listener.local_addr().expect("a test's own site works")),
            pages: Arc::default(),
            asked: Arc::default(),
            gate: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS / 2)),
        };
        for (path, html) in pages {
            site.put(path, 200, html);
        }
        let answering = site.clone();
        let router = Router::new().fallback(move |request: Request<Body>| {
            let site = answering.clone();
            async move { site.answer(request.uri().path()).await }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    pub fn put(&self, path: &str, status: u16, html: &str) {
        self.pages
            .lock()
            .expect("a test's own site works")
            .insert(path.to_owned(), (status, html.to_owned()));
    }

    /// The host and port, as `--outbound-allow` takes it.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub fn times_asked(&self, path: &str) -> usize {
        self.asked.lock().expect("a test's own site works").iter().filter(|asked| *asked == path).count()
    }

    /// After so many more answers the site falls silent.
    pub fn answer_only(&self, more: usize) {
        self.gate.forget_permits(usize::MAX);
        self.gate.add_permits(more);
    }

    pub fn answer_all(&self) {
        self.gate.add_permits(1_000_000);
    }

    async fn answer(&self, path: &str) -> Response<Body> {
        self.asked.lock().expect("a test's own site works").push(path.to_owned());
        self.gate.acquire().await.expect("a test's own site works").forget();
        let found = self.pages.lock().expect("a test's own site works").get(path).cloned();
        let (status, html) = found.unwrap_or((404, "nothing here".to_owned()));
        let kind = if path.ends_with(".txt") { "text/plain" } else { "text/html; charset=utf-8" };
        Response::builder()
            .status(StatusCode::from_u16(status).expect("a test's own site works"))
            .header("content-type", kind)
            .body(Body::from(html))
            .expect("a test's own site works")
    }
}

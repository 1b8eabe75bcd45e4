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

#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) url: String,
    pages: Arc<Mutex<HashMap<String, (u16, String)>>>,
    asked: Arc<Mutex<Vec<String>>>,
    gate: Arc<Semaphore>,
}

impl Site {
    /// Pages by their paths, all of them there.
    pub(crate) async fn with(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
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

    pub(crate) fn put(&self, path: &str, status: u16, html: &str) {
        self.pages.lock().unwrap().insert(path.to_owned(), (status, html.to_owned()));
    }

    /// The host and port, as `--outbound-allow` takes it.
    pub(crate) fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub(crate) fn times_asked(&self, path: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == path).count()
    }

    /// After so many more answers the site falls silent.
    pub(crate) fn answer_only(&self, more: usize) {
        self.gate.forget_permits(usize::MAX);
        self.gate.add_permits(more);
    }

    pub(crate) fn answer_all(&self) {
        self.gate.add_permits(1_000_000);
    }

    async fn answer(&self, path: &str) -> Response<Body> {
        self.asked.lock().unwrap().push(path.to_owned());
        self.gate.acquire().await.unwrap().forget();
        let found = self.pages.lock().unwrap().get(path).cloned();
        let (status, html) = found.unwrap_or((404, "nothing here".to_owned()));
        let kind = if path.ends_with(".txt") { "text/plain" } else { "text/html; charset=utf-8" };
        Response::builder()
            .status(StatusCode::from_u16(status).unwrap())
            .header("content-type", kind)
            .body(Body::from(html))
            .unwrap()
    }
}

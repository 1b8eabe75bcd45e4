//! A website that wastes the time and the memory of its visitors.

use std::{
    convert::Infallible,
    fmt::Write as _,
    io::Write as _,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{Request, Response},
};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream;
use tokio::{net::TcpListener, sync::watch};

const LINKS_PER_PAGE: usize = 200;
const URLS_PER_SITEMAP: usize = 70_000;
const SITEMAPS: usize = 2_000;
/// A page of 64 MB is compressed to some hundred KB.
const MEMBERS_OF_PACKED_PAGE: usize = 64;
/// Longer than any client waits.
const TARPIT_DELAY: Duration = Duration::from_mins(30);
const DRIP_INTERVAL: Duration = Duration::from_millis(200);

/// Below these paths any name is a different page of the same kind.
pub(super) const PAGE_KINDS: [&str; 4] = ["endless", "slow", "huge", "packed"];

#[derive(Debug)]
pub struct HostileSite {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    is_paused: watch::Sender<bool>,
}

/// What the handlers share.
#[derive(Debug, Clone)]
struct Pages {
    url: String,
    sitemap: Bytes,
    packed_page: Bytes,
    requests: Arc<AtomicU64>,
    is_paused: watch::Receiver<bool>,
}

impl HostileSite {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the hostile site listens");
        let address = listener.local_addr().expect("the hostile site listens");
        let (is_paused, paused) = watch::channel(false);
        let url = format!("http://{address}");
        let site = Self { address, requests: Arc::default(), is_paused };
        let pages = Pages {
            sitemap: packed_sitemap(&url),
            packed_page: packed_page(),
            url,
            requests: Arc::clone(&site.requests),
            is_paused: paused,
        };
        let router = Router::new().fallback(move |request: Request<Body>| {
            let pages = pages.clone();
            async move { pages.respond(request.uri().path()).await }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn request_count(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }

    /// Holds back all responses, so that crawls cost nothing until `resume`.
    pub fn pause(&self) {
        self.is_paused.send_replace(true);
    }

    pub fn resume(&self) {
        self.is_paused.send_replace(false);
    }
}

impl Pages {
    async fn respond(mut self, path: &str) -> Response<Body> {
        self.requests.fetch_add(1, Ordering::SeqCst);
        // An error means that the test has ended.
        let _ = self.is_paused.wait_for(|paused| !paused).await;
        let segments: Vec<&str> = path.trim_start_matches('/').splitn(2, '/').collect();
        match segments[..] {
            ["robots.txt"] => response("text/plain", self.robots()),
            ["sitemap.xml"] => response("application/xml", self.sitemap_index()),
            [name] if name.starts_with("sitemap-") => response("application/gzip", self.sitemap),
            ["hook", _] => {
                tokio::time::sleep(TARPIT_DELAY).await;
                response("text/plain", "")
            }
            ["slow", name] => response("text/html", slow_page(name, self.is_paused)),
            ["huge", name] => response("text/html", huge_page(name)),
            ["packed", _] => {
                let mut response = response("text/html", self.packed_page);
                response.headers_mut().insert("content-encoding", "gzip".parse().expect("a valid header"));
                response
            }
            _ => response("text/html", endless_page(path)),
        }
    }

    fn robots(&self) -> String {
        let mut text = format!("User-agent: *\nAllow: /\nSitemap: {}/sitemap.xml\n", self.url);
        for number in 0..SITEMAPS {
            let _ = writeln!(text, "Sitemap: {}/sitemap-r{number}.xml.gz", self.url);
        }
        text
    }

    fn sitemap_index(&self) -> String {
        let mut xml = "<sitemapindex>".to_owned();
        for number in 0..SITEMAPS {
            let _ = write!(xml, "<sitemap><loc>{}/sitemap-{number}.xml.gz</loc></sitemap>", self.url);
        }
        xml + "</sitemapindex>"
    }
}

fn response(content_type: &str, body: impl Into<Body>) -> Response<Body> {
    Response::builder().header("content-type", content_type).body(body.into()).expect("a valid response")
}

/// Every page links to pages that nobody has seen before.
fn endless_page(path: &str) -> String {
    let name = path.replace('/', "-");
    let mut html = format!("<title>Page {name}</title><h1>{name}</h1>");
    for number in 0..LINKS_PER_PAGE {
        let kind = PAGE_KINDS[if number % 20 == 0 { number / 20 % PAGE_KINDS.len() } else { 0 }];
        // The names of linked pages must not grow with the depth.
        let parent = &name[name.len().saturating_sub(40)..];
        let _ = write!(html, "<p><a href='/{kind}/{number}{parent}'>Text of link {number}</a></p>");
    }
    html
}

/// One byte at a time, without an end.
fn slow_page(name: &str, is_paused: watch::Receiver<bool>) -> Body {
    let head = format!("<title>Slow {name}</title><p>");
    let drips = stream::unfold((Some(head), is_paused), async |(head, mut is_paused)| {
        if head.is_none() {
            tokio::time::sleep(DRIP_INTERVAL).await;
            let _ = is_paused.wait_for(|paused| !paused).await;
        }
        let chunk = Bytes::from(head.unwrap_or_else(|| "a".to_owned()));
        Some((Ok::<_, Infallible>(chunk), (None, is_paused)))
    });
    Body::from_stream(drips)
}

/// As fast as the visitor reads, without an end.
fn huge_page(name: &str) -> Body {
    let head = Bytes::from(format!("<title>Huge {name}</title>"));
    let block = Bytes::from("<p>All work and no play</p>".repeat(2_000));
    let chunks = stream::unfold(head, move |chunk| {
        let block = block.clone();
        async move { Some((Ok::<_, Infallible>(chunk), block)) }
    });
    Body::from_stream(chunks)
}

fn packed_page() -> Bytes {
    // Members of a gzip file may be repeated, which is faster than compressing all of it.
    gzip(&"<p>a</p>".repeat(128 * 1024)).repeat(MEMBERS_OF_PACKED_PAGE).into()
}

fn packed_sitemap(url: &str) -> Bytes {
    let mut xml = "<urlset>".to_owned();
    for number in 0..URLS_PER_SITEMAP {
        let _ = write!(xml, "<url><loc>{url}/endless/from-the-sitemap-{number}</loc></url>");
    }
    gzip(&(xml + "</urlset>")).into()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish())
        .expect("memory for the compressed text")
}

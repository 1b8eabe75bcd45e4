//! Sites in memory, with a record of the requests.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use svc_mcp_tools::audit::{
    CrawlPlan, Page, PageUrl, Site, crawl,
    fetch::{Fetch, FetchError, FetchRequest, FetchResponse, Method},
};

pub(crate) const HOME: &str = "https://brand.test/";

#[derive(Default)]
pub(crate) struct FakeWeb {
    responses: HashMap<String, Result<FetchResponse, FetchError>>,
    cached: HashMap<String, Page>,
    pub(crate) requests: Mutex<Vec<(Method, String)>>,
    pub(crate) delays: Mutex<Vec<Duration>>,
    in_flight: AtomicUsize,
    pub(crate) max_in_flight: AtomicUsize,
}

/// Accepts a path on the brand's site, or a URL.
fn absolute(path: &str) -> String {
    if path.starts_with('/') { format!("https://brand.test{path}") } else { path.to_owned() }
}

impl FakeWeb {
    pub(crate) fn with(
        mut self,
        path: &str,
        status: u16,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let body = body.as_ref().to_vec();
        self.responses.insert(
            absolute(path),
            Ok(FetchResponse { status, headers, body, truncated: false, first_byte_ms: 20 }),
        );
        self
    }

    pub(crate) fn html(self, path: &str, html: impl AsRef<[u8]>) -> Self {
        self.with(path, 200, &SOUND_HEADERS, html)
    }

    #[expect(clippy::needless_pass_by_value, reason = "the page belongs to the web afterwards")]
    pub(crate) fn page(self, path: &str, page: Sample) -> Self {
        let html = page.render(&absolute(path));
        self.html(path, html)
    }

    pub(crate) fn text(self, path: &str, text: &str) -> Self {
        self.with(path, 200, &[("content-type", "text/plain")], text)
    }

    pub(crate) fn redirect(self, path: &str, to: &str) -> Self {
        self.with(path, 301, &[("location", to)], "")
    }

    pub(crate) fn error(mut self, path: &str, error: FetchError) -> Self {
        self.responses.insert(absolute(path), Err(error));
        self
    }

    pub(crate) fn slow(mut self, path: &str, first_byte_ms: u32) -> Self {
        if let Some(Ok(answer)) = self.responses.get_mut(&absolute(path)) {
            answer.first_byte_ms = first_byte_ms;
        }
        self
    }

    /// Changes a header of an existing page.
    pub(crate) fn header(mut self, path: &str, name: &str, value: Option<&str>) -> Self {
        if let Some(Ok(answer)) = self.responses.get_mut(&absolute(path)) {
            answer.headers.retain(|(key, _)| key != name);
            answer.headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        }
        self
    }

    pub(crate) fn without(mut self, path: &str) -> Self {
        self.responses.remove(&absolute(path));
        self
    }

    /// A sitemap with these paths.
    pub(crate) fn sitemap(self, paths: &[&str]) -> Self {
        let entries: String = paths
            .iter()
            .map(|path| format!("<url><loc>{}</loc></url>", absolute(path)))
            .collect::<Vec<_>>()
            .concat();
        let xml = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>");
        self.with("/sitemap.xml", 200, &[("content-type", "application/xml")], xml)
    }

    /// With the pages that an interrupted crawl has read.
    pub(crate) fn with_cached_pages(self, pages: Vec<Page>) -> Self {
        Self { cached: pages.into_iter().map(|page| (page.url.clone(), page)).collect(), ..self }
    }

    pub(crate) fn crawl(&self, plan: &CrawlPlan) -> Site {
        block_on(crawl(plan, self, &mut |_| ControlFlow::Continue(()))).unwrap()
    }

    pub(crate) fn site(&self) -> Site {
        self.crawl(&CrawlPlan::new(HOME))
    }

    pub(crate) fn times_requested(&self, path: &str) -> usize {
        let url = absolute(path);
        self.requests.lock().unwrap().iter().filter(|(_, requests)| *requests == url).count()
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[async_trait::async_trait]
impl Fetch for FakeWeb {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let now = self.in_flight.fetch_add(1, SeqCst) + 1;
        self.max_in_flight.fetch_max(now, SeqCst);
        // Lets other requests run, as during the response time of a server.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        self.in_flight.fetch_sub(1, SeqCst);
        self.requests.lock().unwrap().push((request.method, request.url.to_string()));
        let missing = FetchResponse { status: 404, ..FetchResponse::default() };
        let mut answer = self.responses.get(request.url.as_str()).cloned().unwrap_or(Ok(missing))?;
        if request.method == Method::Head {
            answer.body.clear();
        }
        answer.truncated = answer.body.len() > request.max_body_bytes;
        answer.body.truncate(request.max_body_bytes);
        Ok(answer)
    }

    async fn cached_page(&self, url: &PageUrl) -> Option<Page> {
        self.cached.get(url.as_str()).cloned()
    }

    async fn sleep(&self, duration: Duration) {
        self.delays.lock().unwrap().push(duration);
    }
}

const SOUND_HEADERS: [(&str, &str); 4] = [
    ("content-type", "text/html; charset=utf-8"),
    ("strict-transport-security", "max-age=31536000"),
    ("content-security-policy", "default-src 'self'"),
    ("x-content-type-options", "nosniff"),
];

/// A page without issues. A test changes one part of it.
#[derive(Clone)]
pub(crate) struct Sample {
    name: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) html_attributes: String,
    pub(crate) canonical: Option<String>,
    pub(crate) viewport: String,
    pub(crate) social: String,
    pub(crate) json_ld: String,
    pub(crate) head: String,
    pub(crate) h1: String,
    pub(crate) text: String,
    pub(crate) body: String,
}

impl Sample {
    /// Each name gives a different text.
    pub(crate) fn new(name: &str) -> Self {
        let seed = name.bytes().fold(7_usize, |sum, byte| (sum * 31 + usize::from(byte)) % 9_973);
        let text =
            (0..260).map(|n| format!("word{} ", (seed + n * 7919) % 10_007)).collect::<Vec<_>>().concat();
        Self {
            name: name.to_owned(),
            title: format!("All that there is to know of {name}"),
            description: format!("What {name} is, what it is for, and where to get it."),
            html_attributes: "lang=\"en\"".to_owned(),
            canonical: None,
            viewport: "<meta name=\"viewport\" content=\"width=device-width\">".to_owned(),
            social: String::new(),
            json_ld: r#"{"@context":"https://schema.org","@type":"WebPage"}"#.to_owned(),
            head: String::new(),
            h1: format!("<h1>About {name}</h1>"),
            text,
            body: String::new(),
        }
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Adds links with descriptive texts.
    pub(crate) fn links(self, paths: &[&str]) -> Self {
        let links: String = paths
            .iter()
            .map(|path| format!("<a href=\"{path}\">To {path}</a> "))
            .collect::<Vec<_>>()
            .concat();
        self.set(|page| page.body.push_str(&links))
    }

    pub(crate) fn render(&self, url: &str) -> String {
        let Self {
            name, title, description, html_attributes, viewport, json_ld, head, h1, text, body, ..
        } = self;
        let canonical =
            self.canonical.clone().unwrap_or_else(|| format!("<link rel=\"canonical\" href=\"{url}\">"));
        let social = if self.social.is_empty() {
            format!(
                "<meta property=\"og:title\" content=\"{name}\"><meta property=\"og:type\" content=\"website\">\
                 <meta property=\"og:image\" content=\"/i.png\"><meta property=\"og:url\" content=\"{url}\">\
                 <meta name=\"twitter:card\" content=\"summary\">"
            )
        } else {
            self.social.clone()
        };
        let element = |text: &str, open: &str, close: &str| {
            if text.is_empty() { String::new() } else { format!("{open}{text}{close}") }
        };
        let title = element(title, "<title>", "</title>");
        let description = element(description, "<meta name=\"description\" content=\"", "\">");
        let json_ld = element(json_ld, "<script type=\"application/ld+json\">", "</script>");
        format!(
            "<!doctype html><html {html_attributes}><head><meta charset=\"utf-8\">{title}{description}{viewport}\
             {canonical}{social}{json_ld}{head}</head><body>{h1}<p>{text}</p>{body}</body></html>"
        )
    }
}

/// A site of two pages without issues.
pub(crate) fn sound() -> FakeWeb {
    FakeWeb::default()
        .text("/robots.txt", "User-agent: *\nAllow: /\nSitemap: https://brand.test/sitemap.xml\n")
        .sitemap(&["/", "/about"])
        .page("/", Sample::new("home").links(&["/about"]))
        .page("/about", Sample::new("about").links(&["/"]))
}

/// The sound site with a change of its second page.
pub(crate) fn about(change: impl FnOnce(&mut Sample)) -> FakeWeb {
    sound().page("/about", Sample::new("about").links(&["/"]).set(change))
}

/// The sound site with a third page.
pub(crate) fn third(page: Sample) -> FakeWeb {
    sound()
        .page("/", Sample::new("home").links(&["/about", "/third"]))
        .sitemap(&["/", "/about", "/third"])
        .page("/third", page)
}

pub(crate) fn head(text: &str) -> FakeWeb {
    about(|page| text.clone_into(&mut page.head))
}

pub(crate) fn body(text: &str) -> FakeWeb {
    about(|page| page.body.push_str(text))
}

pub(crate) fn robots(text: &str) -> FakeWeb {
    sound().text("/robots.txt", &format!("{text}\nSitemap: https://brand.test/sitemap.xml\n"))
}

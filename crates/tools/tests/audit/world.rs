//! A web in memory: answers by address, and a record of who asked for what.

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
    Address, Page, Plan, Site, crawl,
    fetch::{Fetch, FetchFault, Fetched, Method, Request},
};

pub(crate) const HOME: &str = "https://brand.test/";

#[derive(Default)]
pub(crate) struct World {
    answers: HashMap<String, Result<Fetched, FetchFault>>,
    known: HashMap<String, Page>,
    pub(crate) asked: Mutex<Vec<(Method, String)>>,
    pub(crate) pauses: Mutex<Vec<Duration>>,
    under_way: AtomicUsize,
    pub(crate) most_under_way: AtomicUsize,
}

/// A path on the brand's site, or a whole address.
fn whole(path: &str) -> String {
    if path.starts_with('/') { format!("https://brand.test{path}") } else { path.to_owned() }
}

impl World {
    pub(crate) fn with(
        mut self,
        path: &str,
        status: u16,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let body = body.as_ref().to_vec();
        self.answers
            .insert(whole(path), Ok(Fetched { status, headers, body, cut: false, first_byte_ms: 20 }));
        self
    }

    pub(crate) fn html(self, path: &str, html: impl AsRef<[u8]>) -> Self {
        self.with(path, 200, &SOUND_HEADERS, html)
    }

    #[expect(clippy::needless_pass_by_value, reason = "it reads as part of the world from here on")]
    pub(crate) fn page(self, path: &str, page: Sample) -> Self {
        let html = page.render(&whole(path));
        self.html(path, html)
    }

    pub(crate) fn text(self, path: &str, text: &str) -> Self {
        self.with(path, 200, &[("content-type", "text/plain")], text)
    }

    pub(crate) fn redirect(self, path: &str, to: &str) -> Self {
        self.with(path, 301, &[("location", to)], "")
    }

    pub(crate) fn fault(mut self, path: &str, fault: FetchFault) -> Self {
        self.answers.insert(whole(path), Err(fault));
        self
    }

    pub(crate) fn slow(mut self, path: &str, first_byte_ms: u32) -> Self {
        if let Some(Ok(answer)) = self.answers.get_mut(&whole(path)) {
            answer.first_byte_ms = first_byte_ms;
        }
        self
    }

    /// Changes the headers of a page that is there.
    pub(crate) fn header(mut self, path: &str, name: &str, value: Option<&str>) -> Self {
        if let Some(Ok(answer)) = self.answers.get_mut(&whole(path)) {
            answer.headers.retain(|(key, _)| key != name);
            answer.headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        }
        self
    }

    pub(crate) fn without(mut self, path: &str) -> Self {
        self.answers.remove(&whole(path));
        self
    }

    /// A sitemap with these paths.
    pub(crate) fn sitemap(self, paths: &[&str]) -> Self {
        let entries: String = paths
            .iter()
            .map(|path| format!("<url><loc>{}</loc></url>", whole(path)))
            .collect::<Vec<_>>()
            .concat();
        let xml = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>");
        self.with("/sitemap.xml", 200, &[("content-type", "application/xml")], xml)
    }

    /// With what a crawl that was cut off has read already.
    pub(crate) fn remembering(self, pages: Vec<Page>) -> Self {
        Self { known: pages.into_iter().map(|page| (page.url.clone(), page)).collect(), ..self }
    }

    pub(crate) fn crawl(&self, plan: &Plan) -> Site {
        block_on(crawl(plan, self, &mut |_| ControlFlow::Continue(()))).unwrap()
    }

    pub(crate) fn site(&self) -> Site {
        self.crawl(&Plan::new(HOME))
    }

    pub(crate) fn times_asked(&self, path: &str) -> usize {
        let url = whole(path);
        self.asked.lock().unwrap().iter().filter(|(_, asked)| *asked == url).count()
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[async_trait::async_trait]
impl Fetch for World {
    async fn fetch(&self, request: Request) -> Result<Fetched, FetchFault> {
        let now = self.under_way.fetch_add(1, SeqCst) + 1;
        self.most_under_way.fetch_max(now, SeqCst);
        // Others get their turn, as they would while a server thinks.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        self.under_way.fetch_sub(1, SeqCst);
        self.asked.lock().unwrap().push((request.method, request.address.to_string()));
        let missing = Fetched { status: 404, ..Fetched::default() };
        let mut answer = self.answers.get(request.address.as_str()).cloned().unwrap_or(Ok(missing))?;
        if request.method == Method::Head {
            answer.body.clear();
        }
        answer.cut = answer.body.len() > request.largest_body;
        answer.body.truncate(request.largest_body);
        Ok(answer)
    }

    fn remembered(&self, address: &Address) -> Option<Page> {
        self.known.get(address.as_str()).cloned()
    }

    async fn pause(&self, how_long: Duration) {
        self.pauses.lock().unwrap().push(how_long);
    }
}

const SOUND_HEADERS: [(&str, &str); 4] = [
    ("content-type", "text/html; charset=utf-8"),
    ("strict-transport-security", "max-age=31536000"),
    ("content-security-policy", "default-src 'self'"),
    ("x-content-type-options", "nosniff"),
];

/// A page without a fault, of which a test changes one thing.
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
    /// The name makes the text its own.
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

    /// With these links, each named after where it leads.
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

/// A site of two pages on which there is nothing to find.
pub(crate) fn sound() -> World {
    World::default()
        .text("/robots.txt", "User-agent: *\nAllow: /\nSitemap: https://brand.test/sitemap.xml\n")
        .sitemap(&["/", "/about"])
        .page("/", Sample::new("home").links(&["/about"]))
        .page("/about", Sample::new("about").links(&["/"]))
}

/// The sound site with a change to its second page.
pub(crate) fn about(change: impl FnOnce(&mut Sample)) -> World {
    sound().page("/about", Sample::new("about").links(&["/"]).set(change))
}

/// The sound site with a third page that both others know.
pub(crate) fn third(page: Sample) -> World {
    sound()
        .page("/", Sample::new("home").links(&["/about", "/third"]))
        .sitemap(&["/", "/about", "/third"])
        .page("/third", page)
}

pub(crate) fn head(text: &str) -> World {
    about(|page| text.clone_into(&mut page.head))
}

pub(crate) fn body(text: &str) -> World {
    about(|page| page.body.push_str(text))
}

pub(crate) fn robots(text: &str) -> World {
    sound().text("/robots.txt", &format!("{text}\nSitemap: https://brand.test/sitemap.xml\n"))
}

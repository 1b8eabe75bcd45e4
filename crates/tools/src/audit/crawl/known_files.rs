//! The files that stand at a known place: robots.txt, sitemaps, llms.txt.

use super::{
    super::{
        Address, Answer, LlmsFile, RobotsFile, Scope,
        fetch::{Fetch, FetchFault, Fetched, Method, Request},
        robots::Robots,
    },
    Crawl, collect_sitemaps,
};

/// RFC 9309 §2.3.1.2
const MOST_REDIRECTS: usize = 5;
/// RFC 9309 §2.5, and a little to see that there is more.
const LARGEST_ROBOTS: usize = 500 * 1024 + 1;
const LARGEST_LLMS: usize = 64 * 1024;

impl Crawl<'_> {
    pub(super) async fn read_known_files(&mut self, start: &Address) {
        let robots = self.robots_for(start).await;
        let mut named: Vec<Address> = robots.sitemaps().iter().filter_map(|url| start.join(url)).collect();
        named.retain(|address| self.site.scope.holds(address));
        if self.plan.include_sitemap {
            if named.is_empty() {
                for address in
                    ["/sitemap.xml", "/sitemap_index.xml"].iter().filter_map(|path| start.at_root(path))
                {
                    if self.is_allowed(&address).await {
                        named.push(address);
                    }
                }
            }
            let delay = self.courier.delay_of(start);
            let sitemaps = collect_sitemaps(self.fetch, &self.site.scope, named, delay).await;
            for listed in &sitemaps.entries {
                if self.site.scope.holds_text(&listed.url) {
                    self.frontier.add_listed(&listed.url, 0);
                }
            }
            self.site.sitemaps = Some(sitemaps);
        }
        self.site.llms = self.llms(start).await;
    }

    /// The rules for this address's origin, read when it is first visited.
    async fn robots_for(&mut self, address: &Address) -> &Robots {
        let origin = address.origin();
        let at = if let Some(at) = self.robots.get(&origin) {
            *at
        } else {
            let file = robots_file(self.fetch, &self.site.scope, address).await;
            if let Some(delay) = file.robots.crawl_delay(&self.plan.agent) {
                self.courier.slow_down(address, delay);
            }
            self.site.robots.push(file);
            self.robots.insert(origin, self.site.robots.len() - 1);
            self.site.robots.len() - 1
        };
        &self.site.robots[at].robots
    }

    pub(super) async fn is_allowed(&mut self, address: &Address) -> bool {
        let plan = self.plan;
        self.robots_for(address).await.allows(&plan.agent, address.as_str())
    }

    async fn llms(&mut self, start: &Address) -> Option<LlmsFile> {
        let address = start.at_root("/llms.txt")?;
        if !self.is_allowed(&address).await {
            return None;
        }
        let fetched = document(self.fetch, &self.site.scope, &address, LARGEST_LLMS).await.ok()?;
        (fetched.status == 200).then(|| LlmsFile {
            url: address.to_string(),
            content_type: fetched.header("content-type").map(str::to_owned),
            text: String::from_utf8_lossy(&fetched.body).into_owned(),
        })
    }
}

async fn robots_file(fetch: &dyn Fetch, scope: &Scope, address: &Address) -> RobotsFile {
    let url = address.at_root("/robots.txt").unwrap_or_else(|| address.clone());
    let (answer, robots) = match document(fetch, scope, &url, LARGEST_ROBOTS).await {
        Ok(fetched) => {
            let robots = match fetched.status {
                200..300 => Robots::parse(&fetched.body),
                // RFC 9309 counts 429 among those that mean «there is none». Who has had too much does not mean that.
                429 | 500.. => Robots::forbidding_all(),
                _ => Robots::allowing_all(),
            };
            (Answer { status: Some(fetched.status), fault: None }, robots)
        }
        Err(fault) => (Answer { status: None, fault: Some(fault) }, Robots::forbidding_all()),
    };
    RobotsFile { url: url.to_string(), answer, robots }
}

/// Gets a document, following redirects that stay on the site.
pub(super) async fn document(
    fetch: &dyn Fetch,
    scope: &Scope,
    address: &Address,
    largest_body: usize,
) -> Result<Fetched, FetchFault> {
    let mut address = address.clone();
    let mut redirects = 0;
    loop {
        let request = Request { address: address.clone(), method: Method::Get, largest_body };
        let fetched = fetch.fetch(request).await?;
        let moves = (300..400).contains(&fetched.status) && redirects < MOST_REDIRECTS;
        let to = fetched.header("location").filter(|_| moves).and_then(|to| address.join(to));
        match to.filter(|to| scope.holds(to)) {
            Some(to) => address = to,
            None => return Ok(fetched),
        }
        redirects += 1;
    }
}

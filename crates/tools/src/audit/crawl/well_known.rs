//! Files at well-known paths: robots.txt, sitemaps and llms.txt.

use super::{
    super::{
        CrawlScope, FetchOutcome, LlmsFile, PageUrl, RobotsFile,
        fetch::{Fetch, run_cpu_work},
        robots::Robots,
    },
    Crawl,
    document::fetch_document,
    sitemaps::collect_sitemaps,
};

/// RFC 9309 §2.5, and one byte more to see that the file is longer.
const MAX_ROBOTS_BYTES: usize = 500 * 1024 + 1;
const MAX_LLMS_BYTES: usize = 64 * 1024;

impl Crawl<'_> {
    pub(super) async fn read_well_known_files(&mut self, start: &PageUrl) {
        let robots = self.robots_for(start).await;
        let mut sitemaps: Vec<PageUrl> = robots.sitemaps().iter().filter_map(|url| start.join(url)).collect();
        sitemaps.retain(|url| self.site.scope.contains(url));
        if self.plan.include_sitemap {
            if sitemaps.is_empty() {
                for url in
                    ["/sitemap.xml", "/sitemap_index.xml"].iter().filter_map(|path| start.join_root(path))
                {
                    if self.is_allowed(&url).await {
                        sitemaps.push(url);
                    }
                }
            }
            let delay = self.host_throttle.delay_of(start);
            let sitemaps = collect_sitemaps(self.fetch, &self.site.scope, sitemaps, delay).await;
            for entry in &sitemaps.entries {
                if self.site.scope.contains_str(&entry.url) {
                    self.frontier.add_listed(&entry.url, 0);
                }
            }
            self.site.sitemaps = Some(sitemaps);
        }
        self.site.llms = self.llms(start).await;
    }

    /// The rules for this URL's origin. They are read on the first visit.
    async fn robots_for(&mut self, url: &PageUrl) -> &Robots {
        let origin = url.origin();
        let index = if let Some(index) = self.robots.get(&origin) {
            *index
        } else {
            let file = robots_file(self.fetch, &self.site.scope, url).await;
            if let Some(delay) = file.robots.crawl_delay(&self.plan.agent) {
                self.host_throttle.slow_down(url, delay);
            }
            self.site.robots.push(file);
            self.robots.insert(origin, self.site.robots.len() - 1);
            self.site.robots.len() - 1
        };
        &self.site.robots[index].robots
    }

    pub(super) async fn is_allowed(&mut self, url: &PageUrl) -> bool {
        let plan = self.plan;
        self.robots_for(url).await.allows(&plan.agent, url.as_str())
    }

    async fn llms(&mut self, start: &PageUrl) -> Option<LlmsFile> {
        let url = start.join_root("/llms.txt")?;
        if !self.is_allowed(&url).await {
            return None;
        }
        let response = fetch_document(self.fetch, &self.site.scope, &url, MAX_LLMS_BYTES).await.ok()?;
        (response.status == 200).then(|| LlmsFile {
            url: url.to_string(),
            content_type: response.header("content-type").map(str::to_owned),
            text: String::from_utf8_lossy(&response.body).into_owned(),
        })
    }
}

async fn robots_file(fetch: &dyn Fetch, scope: &CrawlScope, url: &PageUrl) -> RobotsFile {
    let url = url.join_root("/robots.txt").unwrap_or_else(|| url.clone());
    let (outcome, robots) = match fetch_document(fetch, scope, &url, MAX_ROBOTS_BYTES).await {
        Ok(response) => {
            let status = response.status;
            let robots = match status {
                200..300 => {
                    let robots = run_cpu_work(fetch, move || Robots::parse(&response.body)).await;
                    robots.unwrap_or_else(Robots::forbidding_all)
                }
                // RFC 9309 treats 429 as "there is no robots.txt". An overloaded server does not mean that.
                429 | 500.. => Robots::forbidding_all(),
                _ => Robots::allowing_all(),
            };
            (FetchOutcome { status: Some(status), error: None }, robots)
        }
        Err(error) => (FetchOutcome { status: None, error: Some(error) }, Robots::forbidding_all()),
    };
    RobotsFile { url: url.to_string(), outcome, robots }
}

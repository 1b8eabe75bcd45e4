use super::{
    super::{Evidence, Severity, SiteGraph, SitemapUrl},
    Check, Code, Run,
    robots::SEARCH_ENGINE,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::SitemapUrlError,
        severity: Severity::Error,
        title: "Broken page in the sitemap",
        why: "The sitemap sends search engines to a page that does not work, and they trust the sitemap less.",
        fix: "Remove the URL from the sitemap, or restore the page.",
        run: Run::Pages(error),
    },
    Check {
        code: Code::SitemapUrlNoindex,
        severity: Severity::Error,
        title: "Page in the sitemap is hidden from search",
        why: "The sitemap asks search engines to show a page that forbids indexing.",
        fix: "Remove the noindex if people should find the page. Otherwise remove it from the sitemap.",
        run: Run::Pages(noindex),
    },
    Check {
        code: Code::SitemapMissing,
        severity: Severity::Warning,
        title: "No sitemap",
        why: "Without a sitemap, search engines find new pages late, and pages without links never.",
        fix: "Publish /sitemap.xml and add it to robots.txt: Sitemap: https://…/sitemap.xml.",
        run: Run::Site(missing),
    },
    Check {
        code: Code::SitemapUrlBlocked,
        severity: Severity::Warning,
        title: "robots.txt blocks a page of the sitemap",
        why: "The sitemap sends search engines to a page that robots.txt forbids.",
        fix: "Allow it in robots.txt, or remove it from the sitemap.",
        run: Run::Pages(blocked),
    },
];

fn error(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let broken = graph.sitemap_urls().filter_map(|entry| {
        let page = graph.page(&entry.url).filter(|page| page.is_broken())?;
        let evidence = Evidence::new(page.outcome().describe(), "a response with status 200");
        Some(entry_issue(entry, evidence))
    });
    broken.collect()
}

fn noindex(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let hidden = graph.sitemap_urls().filter_map(|entry| {
        let page = graph.page(&entry.url)?;
        page.live()?;
        let evidence = Evidence::new("the page forbids indexing", "a page that may be indexed");
        Some(entry_issue(entry, evidence.snippet(&page.noindex()?)))
    });
    hidden.collect()
}

fn missing(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    let Some(sitemaps) = &graph.site.sitemaps else { return Vec::new() };
    // There are no files if robots.txt forbids reading them.
    let Some(first) = sitemaps.files.first() else { return Vec::new() };
    if sitemaps.files.iter().any(|file| file.kind.is_some()) {
        return Vec::new();
    }
    let problem = first.problem.clone().unwrap_or_default();
    let evidence = Evidence::new(format!("no sitemap: {problem}"), "a sitemap in robots.txt");
    vec![evidence.related(sitemaps.files.iter().map(|file| &file.url))]
}

fn blocked(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let blocked = graph.sitemap_urls().filter_map(|entry| {
        let robots = &graph.robots_for(&entry.url)?.robots;
        let decision = robots.decide(SEARCH_ENGINE, &entry.url);
        let rule = decision.rule.filter(|_| !decision.allowed)?;
        let found = format!("line {} of robots.txt forbids it", rule.line);
        let evidence = Evidence::new(found, "a URL that search engines may visit");
        Some(entry_issue(entry, evidence.snippet(&format!("Disallow: {}", rule.path))))
    });
    blocked.collect()
}

fn entry_issue(entry: &SitemapUrl, evidence: Evidence) -> (String, Evidence) {
    (entry.url.clone(), evidence.related([&entry.sitemap]))
}

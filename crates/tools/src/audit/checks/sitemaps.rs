use super::{
    super::{Answer, Evidence, Listed, Severity, Survey},
    Check, Code, Run,
    robots::SEARCH_ENGINE,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::SitemapUrlError,
        severity: Severity::Error,
        why: "The sitemap sends search engines to a page that does not work, and they trust the sitemap less.",
        fix: "Take the address out of the sitemap, or bring the page back.",
        run: Run::Site(error),
    },
    Check {
        code: Code::SitemapUrlNoindex,
        severity: Severity::Error,
        why: "The sitemap asks to show a page that itself forbids to be shown.",
        fix: "Remove the noindex if the page is to be found, else take it out of the sitemap.",
        run: Run::Site(noindex),
    },
    Check {
        code: Code::SitemapMissing,
        severity: Severity::Warning,
        why: "Without a sitemap search engines find new pages late, and pages without links never.",
        fix: "Publish /sitemap.xml and name it in robots.txt: Sitemap: https://…/sitemap.xml.",
        run: Run::Site(missing),
    },
    Check {
        code: Code::SitemapUrlBlocked,
        severity: Severity::Warning,
        why: "The sitemap sends search engines to a page that robots.txt forbids them to read.",
        fix: "Allow it in robots.txt, or take it out of the sitemap.",
        run: Run::Site(blocked),
    },
];

fn error(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let broken = survey.listed().filter_map(|listed| {
        let page = survey.page(&listed.url).filter(|page| page.is_broken())?;
        let found = Answer { status: page.status, fault: page.fault.clone() }.told();
        Some(told(listed, Evidence::new(found, "an answer with status 200")))
    });
    broken.collect()
}

fn noindex(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let hidden = survey.listed().filter_map(|listed| {
        let page = survey.page(&listed.url)?;
        page.live()?;
        let evidence = Evidence::new("the page forbids to be shown", "a page that may be shown");
        Some(told(listed, evidence.snippet(&page.noindex()?)))
    });
    hidden.collect()
}

fn missing(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let Some(sitemaps) = &survey.site.sitemaps else { return Vec::new() };
    // Where robots.txt forbids to look, nothing is known.
    let Some(first) = sitemaps.files.first() else { return Vec::new() };
    if sitemaps.files.iter().any(|file| file.kind.is_some()) {
        return Vec::new();
    }
    let problem = first.problem.clone().unwrap_or_default();
    let evidence = Evidence::new(format!("no sitemap: {problem}"), "a sitemap, named in robots.txt");
    vec![(survey.site.start.clone(), evidence.related(sitemaps.files.iter().map(|file| &file.url)))]
}

fn blocked(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let blocked = survey.listed().filter_map(|listed| {
        let robots = &survey.robots_of(&listed.url)?.robots;
        let decision = robots.decide(SEARCH_ENGINE, &listed.url);
        let rule = decision.rule.filter(|_| !decision.allowed)?;
        let found = format!("line {} of robots.txt forbids it", rule.line);
        let evidence = Evidence::new(found, "an address that may be visited");
        Some(told(listed, evidence.snippet(&format!("Disallow: {}", rule.path))))
    });
    blocked.collect()
}

fn told(listed: &Listed, evidence: Evidence) -> (String, Evidence) {
    (listed.url.clone(), evidence.related([&listed.sitemap]))
}

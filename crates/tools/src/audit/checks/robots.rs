use super::{
    super::{Evidence, Severity, SiteGraph, robots::Rule},
    Check, Code, Run,
};

/// The rules for this crawler stand for all search engines.
pub(super) const SEARCH_ENGINE: &str = "Googlebot";

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::RobotsBlocksSite,
        severity: Severity::Error,
        title: "robots.txt blocks search engines",
        why: "robots.txt forbids search engines to visit the site, so it disappears from their results.",
        fix: "Remove `Disallow: /` for them from robots.txt, and make sure that robots.txt itself responds.",
        run: Run::Site(blocks_site),
    },
    Check {
        code: Code::RobotsTxtMissing,
        severity: Severity::Notice,
        title: "No robots.txt",
        why: "Crawlers request robots.txt first. Without it they visit everything and do not find the sitemap.",
        fix: "Publish /robots.txt, even if it contains only the sitemap.",
        run: Run::Site(missing),
    },
];

fn blocks_site(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    let Some(file) = graph.start_robots() else { return Vec::new() };
    let evidence = if file.is_unavailable() {
        let found = format!("robots.txt cannot be read: {}", file.outcome.describe());
        Evidence::new(found, "a response with status 200 or 404")
    } else {
        let engines = [SEARCH_ENGINE, "Bingbot"];
        let Some((engine, rule)) =
            engines.iter().find_map(|engine| Some((engine, forbidding_rule(graph, engine)?)))
        else {
            return Vec::new();
        };
        let found = format!("line {} of robots.txt forbids the start page for {engine}", rule.line);
        Evidence::new(found, "a start page that search engines may visit")
            .snippet(&format!("Disallow: {}", rule.path))
    };
    vec![evidence.related([&file.url])]
}

/// The rule that forbids the start page for a crawler.
pub(super) fn forbidding_rule<'a>(graph: &SiteGraph<'a>, agent: &str) -> Option<&'a Rule> {
    let decision = graph.start_robots()?.robots.decide(agent, &graph.site.start);
    decision.rule.filter(|_| !decision.allowed)
}

fn missing(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    let Some(file) = graph.start_robots() else { return Vec::new() };
    let is_missing = !file.is_unavailable() && file.outcome.status.is_some_and(|status| status >= 400);
    let evidence =
        || Evidence::new(file.outcome.describe(), "a response with status 200").related([&file.url]);
    is_missing.then(evidence).into_iter().collect()
}

use super::{
    super::{Evidence, RobotsFile, Severity, Survey, robots::Rule},
    Check, Code, Run,
};

/// What robots.txt says to search engines is asked as this one.
pub(super) const SEARCH_ENGINE: &str = "Googlebot";

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::RobotsBlocksSite,
        severity: Severity::Error,
        why: "robots.txt forbids search engines the site, so it disappears from their results.",
        fix: "Remove `Disallow: /` for them from robots.txt, and see that robots.txt itself answers.",
        run: Run::Site(blocks_site),
    },
    Check {
        code: Code::RobotsTxtMissing,
        severity: Severity::Notice,
        why: "Crawlers ask for robots.txt first. Without one they visit everything and do not learn of the sitemap.",
        fix: "Publish /robots.txt, even if it only names the sitemap.",
        run: Run::Site(missing),
    },
];

fn blocks_site(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let Some(file) = survey.start_robots() else { return Vec::new() };
    let evidence = if is_unknown(file) {
        let found = format!("robots.txt cannot be read: {}", file.answer.told());
        Evidence::new(found, "an answer with status 200 or 404")
    } else {
        let engines = [SEARCH_ENGINE, "Bingbot"];
        let Some((engine, rule)) =
            engines.iter().find_map(|engine| Some((engine, forbidding(survey, engine)?)))
        else {
            return Vec::new();
        };
        let found = format!("line {} of robots.txt forbids the start page to {engine}", rule.line);
        Evidence::new(found, "a start page that search engines may visit")
            .snippet(&format!("Disallow: {}", rule.path))
    };
    vec![(survey.site.start.clone(), evidence.related([&file.url]))]
}

/// The rule that forbids the start page to a crawler.
pub(super) fn forbidding<'a>(survey: &Survey<'a>, agent: &str) -> Option<&'a Rule> {
    let decision = survey.start_robots()?.robots.decide(agent, &survey.site.start);
    decision.rule.filter(|_| !decision.allowed)
}

/// Crawlers take a robots.txt that fails as one that forbids everything.
pub(super) fn is_unknown(file: &RobotsFile) -> bool {
    file.answer.status.is_none_or(|status| status >= 500 || status == 429)
}

fn missing(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let Some(file) = survey.start_robots() else { return Vec::new() };
    let is_missing = !is_unknown(file) && file.answer.status.is_some_and(|status| status >= 400);
    let evidence = || Evidence::new(file.answer.told(), "an answer with status 200");
    is_missing.then(|| (file.url.clone(), evidence())).into_iter().collect()
}

//! What AI assistants and the crawlers of AI companies may read.

use super::{
    super::{Evidence, LlmsFile, Severity, SiteGraph},
    Check, Code, Run,
    robots::{SEARCH_ENGINE, forbidding_rule},
};

/// They fetch pages to answer a question of a user, and cite them as sources.
const SEARCH_BOTS: [&str; 8] = [
    "OAI-SearchBot",
    "ChatGPT-User",
    "Claude-SearchBot",
    "Claude-User",
    "PerplexityBot",
    "Perplexity-User",
    "DuckAssistBot",
    "MistralAI-User",
];
/// They collect texts for training models.
const TRAINING_BOTS: [&str; 9] = [
    "GPTBot",
    "ClaudeBot",
    "Google-Extended",
    "Applebot-Extended",
    "CCBot",
    "meta-externalagent",
    "Bytespider",
    "Amazonbot",
    "cohere-training-data-crawler",
];

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::AiSearchBotBlocked,
        severity: Severity::Warning,
        title: "AI search bots are blocked",
        why: "AI assistants that cite sources may not read the site, so they recommend other sites.",
        fix: "Allow these agents in robots.txt if you want assistants to cite the site.",
        run: Run::Site(|graph| blocked(graph, &SEARCH_BOTS)),
    },
    Check {
        code: Code::AiTrainingBotBlocked,
        severity: Severity::Notice,
        title: "AI training bots are blocked",
        why: "Models are not trained on the site, so they may know little about the brand. This may be intended.",
        fix: "Keep it if it is intended. Otherwise allow these agents in robots.txt.",
        run: Run::Site(|graph| blocked(graph, &TRAINING_BOTS)),
    },
    Check {
        code: Code::LlmsTxtMalformed,
        severity: Severity::Notice,
        title: "llms.txt has a wrong format",
        why: "Agents expect llms.txt to be a heading followed by lists of links. They cannot use another format.",
        fix: "Start with `# Name`, then write sections `## …` with lines `- [title](url): description`. See llmstxt.org.",
        run: Run::Site(llms_txt),
    },
];

fn blocked(graph: &SiteGraph<'_>, bots: &[&str]) -> Vec<Evidence> {
    let Some(file) = graph.start_robots() else { return Vec::new() };
    // `robots_blocks_site` reports a site that is closed to search engines.
    if file.is_unavailable() || forbidding_rule(graph, SEARCH_ENGINE).is_some() {
        return Vec::new();
    }
    let forbidden: Vec<&str> =
        bots.iter().copied().filter(|bot| forbidding_rule(graph, bot).is_some()).collect();
    let Some(rule) = forbidden.first().and_then(|bot| forbidding_rule(graph, bot)) else { return Vec::new() };
    let found = format!("robots.txt forbids the start page for {}", forbidden.join(", "));
    let evidence = Evidence::new(found, "a start page that they may visit, unless this is intended");
    let snippet = format!("line {}: Disallow: {}", rule.line, rule.path);
    vec![evidence.snippet(&snippet).related([&file.url])]
}

fn llms_txt(graph: &SiteGraph<'_>) -> Vec<Evidence> {
    let Some(file) = &graph.site.llms else { return Vec::new() };
    let problem = problem_of(file);
    let evidence = |(found, line): (&'static str, String)| {
        Evidence::new(found, "the format described at llmstxt.org").snippet(&line).related([&file.url])
    };
    problem.map(evidence).into_iter().collect()
}

fn problem_of(file: &LlmsFile) -> Option<(&'static str, String)> {
    let text = file.text.trim_start_matches('\u{feff}');
    // Some sites respond to every URL with their start page.
    let is_page = file.content_type.as_ref().is_some_and(|kind| kind.starts_with("text/html"));
    if is_page || text.trim_start().starts_with('<') {
        return None;
    }
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    match lines.next() {
        None => return Some(("the file is empty", String::new())),
        Some(first) if !first.starts_with("# ") => {
            return Some(("the first line is not a heading `# Name`", first.to_owned()));
        }
        Some(_) => {}
    }
    let mut in_section = false;
    for line in lines {
        if line.starts_with("# ") {
            return Some(("there is a second `# ` heading", line.to_owned()));
        }
        in_section |= line.starts_with("## ");
        let item = line.trim_start().strip_prefix("- ").or_else(|| line.trim_start().strip_prefix("* "));
        let is_link = |item: &str| {
            let link = item.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]("));
            link.is_some_and(|(_, rest)| rest.contains(')'))
        };
        if in_section && item.is_some_and(|item| !is_link(item)) {
            return Some(("a list item is not a link `[title](url)`", line.to_owned()));
        }
    }
    None
}

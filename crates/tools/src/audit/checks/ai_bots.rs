//! What assistants and the makers of models may read.

use super::{
    super::{Evidence, LlmsFile, Severity, Survey},
    Check, Code, Run,
    robots::{SEARCH_ENGINE, forbidding, is_unknown},
};

/// They fetch pages to answer somebody who is asking now, and name them as sources.
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
/// They collect texts that models are trained on.
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
        why: "Assistants that answer with sources may not read the site, so they recommend others.",
        fix: "Allow these agents in robots.txt, if you want to be named in answers.",
        run: Run::Site(|survey| blocked(survey, &SEARCH_BOTS)),
    },
    Check {
        code: Code::AiTrainingBotBlocked,
        severity: Severity::Notice,
        why: "Models are not trained on the site, so they may know little of the brand. That can be what you want.",
        fix: "Leave it so if it was decided; else allow these agents in robots.txt.",
        run: Run::Site(|survey| blocked(survey, &TRAINING_BOTS)),
    },
    Check {
        code: Code::LlmsTxtMalformed,
        severity: Severity::Notice,
        why: "Agents read llms.txt by its form: a heading, then lists of links. In another form it helps nobody.",
        fix: "Begin with `# Name`, then sections `## …` with lines `- [title](address): what it is`; see llmstxt.org.",
        run: Run::Site(llms_txt),
    },
];

fn blocked(survey: &Survey<'_>, bots: &[&str]) -> Vec<(String, Evidence)> {
    let Some(file) = survey.start_robots() else { return Vec::new() };
    // A site that is closed to search engines is told of as such, once.
    if is_unknown(file) || forbidding(survey, SEARCH_ENGINE).is_some() {
        return Vec::new();
    }
    let forbidden: Vec<&str> = bots.iter().copied().filter(|bot| forbidding(survey, bot).is_some()).collect();
    let Some(rule) = forbidden.first().and_then(|bot| forbidding(survey, bot)) else { return Vec::new() };
    let found = format!("robots.txt forbids the start page to {}", forbidden.join(", "));
    let evidence = Evidence::new(found, "a start page that they may visit, or a decision that they may not");
    let snippet = format!("line {}: Disallow: {}", rule.line, rule.path);
    vec![(survey.site.start.clone(), evidence.snippet(&snippet).related([&file.url]))]
}

fn llms_txt(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let Some(file) = &survey.site.llms else { return Vec::new() };
    let problem = problem_of(file);
    let evidence = |(found, line): (&'static str, String)| {
        (file.url.clone(), Evidence::new(found, "the form that llmstxt.org describes").snippet(&line))
    };
    problem.map(evidence).into_iter().collect()
}

fn problem_of(file: &LlmsFile) -> Option<(&'static str, String)> {
    let text = file.text.trim_start_matches('\u{feff}');
    // Sites that answer every address with their start page have no llms.txt.
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
            return Some(("there is a second heading of the first level", line.to_owned()));
        }
        in_section |= line.starts_with("## ");
        let item = line.trim_start().strip_prefix("- ").or_else(|| line.trim_start().strip_prefix("* "));
        let is_link = |item: &str| {
            let link = item.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]("));
            link.is_some_and(|(_, rest)| rest.contains(')'))
        };
        if in_section && item.is_some_and(|item| !is_link(item)) {
            return Some(("a line of a list is not a link `[title](address)`", line.to_owned()));
        }
    }
    None
}

use std::collections::{BTreeMap, HashMap};

use super::{
    super::{
        Evidence, Page, Severity, SiteGraph, SitemapUrl, StopReason,
        page::{Html, Link},
    },
    Check, Code, MAX_ISSUES_PER_CODE_AND_PAGE, Run, count_of,
};

/// Clicks from the start page.
const MAX_DEPTH: u32 = 3;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::BrokenInternalLink,
        severity: Severity::Error,
        title: "Broken internal link",
        why: "The link leads visitors and search engines to a page that does not work.",
        fix: "Correct the URL of the link, or remove the link.",
        run: Run::Pages(broken_internal),
    },
    Check {
        code: Code::ExternalLinkBroken,
        severity: Severity::Notice,
        title: "Broken link to another site",
        why: "The link leads visitors to a page of another site that does not work.",
        fix: "Link to its new URL or to an archived copy, or remove the link.",
        run: Run::Pages(broken_external),
    },
    Check {
        code: Code::InternalNofollow,
        severity: Severity::Notice,
        title: "Internal link with nofollow",
        why: "The link tells search engines not to trust one of your own pages.",
        fix: "Remove rel=\"nofollow\". To exclude a page from search results, use noindex on that page.",
        run: Run::Pages(nofollow),
    },
    Check {
        code: Code::NondescriptiveAnchor,
        severity: Severity::Notice,
        title: "Link text does not name the target",
        why: "Texts like “click here” do not tell search engines and screen reader users where the link leads.",
        fix: "Describe the target in the link text. For a linked image, add an alt text.",
        run: Run::Pages(nondescriptive),
    },
    Check {
        code: Code::DeepPage,
        severity: Severity::Notice,
        title: "Page is many clicks away from the start page",
        why: "Few visitors click this far, and search engines treat distant pages as unimportant.",
        fix: "Link to it from the start page, a category page or a popular page.",
        run: Run::Pages(deep),
    },
    Check {
        code: Code::OrphanPage,
        severity: Severity::Warning,
        title: "No link leads to the page",
        why: "The page is in the sitemap but no link leads to it, so visitors do not find it and it ranks poorly.",
        fix: "Link to it from a related page, or remove it from the sitemap.",
        run: Run::Pages(orphan),
    },
];

/// One link for each target of a page.
fn by_target(html: &Html) -> BTreeMap<&str, &Link> {
    let mut targets = BTreeMap::new();
    for link in &html.links {
        targets.entry(link.url.as_str()).or_insert(&**link);
    }
    targets
}

fn broken_internal(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    broken(graph, |url| graph.is_own(url).then(|| graph.follow(url).end.failure()).flatten())
}

fn broken_external(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    broken(graph, |url| {
        let outcome = graph.site.tried.get(url).filter(|_| !graph.is_own(url))?;
        outcome.is_gone().then(|| outcome.describe())
    })
}

fn broken(graph: &SiteGraph<'_>, failure: impl Fn(&str) -> Option<String>) -> Vec<(String, Evidence)> {
    // Most links of a large site lead to URLs that were not requested.
    let failures: HashMap<&str, String> =
        graph.requested_urls().filter_map(|url| Some((url, failure(url)?))).collect();
    let mut found = Vec::new();
    for (page, html) in graph.live_pages() {
        let broken = by_target(html)
            .into_iter()
            .filter_map(|(url, link)| Some((url, link, failures.get(url)?)))
            .take(MAX_ISSUES_PER_CODE_AND_PAGE);
        for (url, link, failure) in broken {
            let evidence = Evidence::new(
                format!("the link target does not work: {failure}"),
                "a link to a page that works",
            );
            let snippet = format!("<a href=\"{url}\">{}</a>", link.text);
            found.push((page.url.clone(), evidence.snippet(&snippet).related([url]).key(url)));
        }
    }
    found
}

fn nofollow(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    on_links(
        graph,
        |link| link.nofollow && graph.is_own(&link.url),
        "to your own pages with nofollow",
        "no nofollow on links to your own pages",
    )
}

fn nondescriptive(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    on_links(
        graph,
        |link| is_nondescriptive(&link.text),
        "with nondescriptive text",
        "texts that describe the target",
    )
}

/// One issue for each page, because its links are fixed together.
fn on_links(
    graph: &SiteGraph<'_>,
    is_issue: impl Fn(&Link) -> bool,
    what: &str,
    wanted: &str,
) -> Vec<(String, Evidence)> {
    let pages = graph.live_pages().filter_map(|(page, html)| {
        let affected: Vec<&Link> =
            html.links.iter().map(|link| &**link).filter(|link| is_issue(link)).collect();
        let first = affected.first()?;
        let found = format!("{} {what}", count_of(affected.len(), "link"));
        let snippet = format!("<a href=\"{}\">{}</a>", first.url, first.text);
        let targets = affected.iter().map(|link| &link.url);
        Some((page.url.clone(), Evidence::new(found, wanted).snippet(&snippet).related(targets)))
    });
    pages.collect()
}

fn is_nondescriptive(text: &str) -> bool {
    const NONDESCRIPTIVE: &str = "click,click here,click this,continue,continue reading,details,find out more,go,here,info,\
        learn more,link,more,more info,more information,read,read more,see more,start,this,this link,this page,\
        view more,hier,hier klicken,mehr,mehr erfahren,weiterlesen,cliquez ici,en savoir plus,lire la suite,\
        haga clic aquí,leer más,clicca qui,leggi tutto";
    let text = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | '!' | ':' | '>' | '›' | '»' | '→' | '…')
    });
    let text = text.to_lowercase();
    text.is_empty() || NONDESCRIPTIVE.split(',').any(|phrase| phrase == text)
}

fn deep(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let deep = graph.live_pages().filter_map(|(page, _)| {
        let depth = graph.depth(&page.url).filter(|depth| *depth > MAX_DEPTH)?;
        let evidence = Evidence::new(
            format!("{depth} clicks from the start page"),
            format!("at most {MAX_DEPTH} clicks"),
        );
        Some((page.url.clone(), evidence.related(graph.linking_pages(&page.url))))
    });
    deep.collect()
}

fn orphan(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    // An incomplete crawl may have missed a link.
    if graph.site.end != StopReason::Complete {
        return Vec::new();
    }
    let orphans = graph.sitemap_urls().filter(|entry| {
        let page = graph.page(&entry.url);
        page.is_some_and(Page::is_indexable) && graph.depth(&entry.url).is_none()
    });
    let evidence = |entry: &SitemapUrl| {
        let evidence = Evidence::new("no links lead here from the start page", "a link from another page");
        (entry.url.clone(), evidence.related([&entry.sitemap]))
    };
    orphans.map(evidence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nondescriptive_texts_are_recognized() {
        for text in ["", "Click here", "read more →", "HERE", "Mehr…", " » "] {
            assert!(is_nondescriptive(text), "{text}");
        }
        for text in ["Our opening hours", "Read more about bread", "2"] {
            assert!(!is_nondescriptive(text), "{text}");
        }
    }
}

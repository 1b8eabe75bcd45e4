use std::collections::{BTreeMap, HashMap};

use super::{
    super::{
        End, Evidence, Listed, Page, Severity, Survey,
        page::{Html, Link},
    },
    Check, Code, Run, counted,
};

/// Clicks from the start page.
const DEEPEST: u32 = 3;

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::BrokenInternalLink,
        severity: Severity::Error,
        why: "The link leads visitors and search engines to nothing.",
        fix: "Correct the address in the link, or remove the link.",
        run: Run::Site(broken_internal),
    },
    Check {
        code: Code::ExternalLinkBroken,
        severity: Severity::Notice,
        why: "The link leads visitors to a page of another site that is gone.",
        fix: "Link to where it went, to an archived copy, or not at all.",
        run: Run::Site(broken_external),
    },
    Check {
        code: Code::InternalNofollow,
        severity: Severity::Notice,
        why: "The link tells search engines not to trust a page of your own.",
        fix: "Remove rel=\"nofollow\"; keep a page out of search results with noindex on that page.",
        run: Run::Site(nofollow),
    },
    Check {
        code: Code::NondescriptiveAnchor,
        severity: Severity::Notice,
        why: "Words like «click here» tell neither search engines nor screen reader users where the link leads.",
        fix: "Let the link's text name what is behind it; give a link around a picture an alt text.",
        run: Run::Site(nondescriptive),
    },
    Check {
        code: Code::DeepPage,
        severity: Severity::Notice,
        why: "Few visitors click this far, and search engines hold what is far away to be unimportant.",
        fix: "Link to it from the start page, a category page or a page that many read.",
        run: Run::Site(deep),
    },
    Check {
        code: Code::OrphanPage,
        severity: Severity::Warning,
        why: "The sitemap names the page but no link leads there, so visitors never find it and it ranks poorly.",
        fix: "Link to it from a page where its readers come by, or take it out of the sitemap.",
        run: Run::Site(orphan),
    },
];

/// The links of a page by where they lead: several may lead to one place.
fn by_target(html: &Html) -> BTreeMap<&str, &Link> {
    let mut targets = BTreeMap::new();
    for link in &html.links {
        targets.entry(link.url.as_str()).or_insert(link);
    }
    targets
}

fn broken_internal(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    broken(survey, |url| survey.is_own(url).then(|| survey.follow(url).end.trouble()).flatten())
}

fn broken_external(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    broken(survey, |url| {
        let answer = survey.site.tried.get(url).filter(|_| !survey.is_own(url))?;
        answer.is_gone().then(|| answer.told())
    })
}

fn broken(survey: &Survey<'_>, trouble: impl Fn(&str) -> Option<String>) -> Vec<(String, Evidence)> {
    let mut known: HashMap<&str, Option<String>> = HashMap::new();
    let mut found = Vec::new();
    for (page, html) in survey.live_pages() {
        for (url, link) in by_target(html) {
            if let Some(trouble) = known.entry(url).or_insert_with(|| trouble(url)) {
                let evidence = Evidence::new(
                    format!("the link leads nowhere: {trouble}"),
                    "a link to a page that answers",
                );
                let snippet = format!("<a href=\"{url}\">{}</a>", link.text);
                found.push((page.url.clone(), evidence.snippet(&snippet).related([url]).key(url)));
            }
        }
    }
    found
}

fn nofollow(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    on_links(survey, |link| link.nofollow && survey.is_own(&link.url), "of your own with nofollow", "none")
}

fn nondescriptive(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    on_links(survey, |link| says_nothing(&link.text), "whose text says nothing", "texts that name the target")
}

/// One fault a page, since the links of a page are mended together.
fn on_links(
    survey: &Survey<'_>,
    is_faulty: impl Fn(&Link) -> bool,
    what: &str,
    wanted: &str,
) -> Vec<(String, Evidence)> {
    let pages = survey.live_pages().filter_map(|(page, html)| {
        let faulty: Vec<&Link> = html.links.iter().filter(|link| is_faulty(link)).collect();
        let first = faulty.first()?;
        let found = format!("{} {what}", counted(faulty.len(), "link"));
        let snippet = format!("<a href=\"{}\">{}</a>", first.url, first.text);
        let targets = faulty.iter().map(|link| &link.url);
        Some((page.url.clone(), Evidence::new(found, wanted).snippet(&snippet).related(targets)))
    });
    pages.collect()
}

fn says_nothing(text: &str) -> bool {
    const EMPTY_WORDS: &str = "click,click here,click this,continue,continue reading,details,find out more,go,here,info,\
        learn more,link,more,more info,more information,read,read more,see more,start,this,this link,this page,\
        view more,hier,hier klicken,mehr,mehr erfahren,weiterlesen,cliquez ici,en savoir plus,lire la suite,\
        haga clic aquí,leer más,clicca qui,leggi tutto";
    let text = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | '!' | ':' | '>' | '›' | '»' | '→' | '…')
    });
    let text = text.to_lowercase();
    text.is_empty() || EMPTY_WORDS.split(',').any(|words| words == text)
}

fn deep(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    let deep = survey.live_pages().filter_map(|(page, _)| {
        let depth = survey.depth(&page.url).filter(|depth| *depth > DEEPEST)?;
        let evidence =
            Evidence::new(format!("{depth} clicks from the start page"), format!("at most {DEEPEST} clicks"));
        Some((page.url.clone(), evidence.related(survey.linkers(&page.url))))
    });
    deep.collect()
}

fn orphan(survey: &Survey<'_>) -> Vec<(String, Evidence)> {
    // A crawl that did not see every page did not see every link.
    if survey.site.end != End::Complete {
        return Vec::new();
    }
    let orphans = survey.listed().filter(|listed| {
        let page = survey.page(&listed.url);
        page.is_some_and(Page::is_indexable) && survey.depth(&listed.url).is_none()
    });
    let evidence = |listed: &Listed| {
        let evidence =
            Evidence::new("no way of links leads here from the start page", "a link from another page");
        (listed.url.clone(), evidence.related([&listed.sitemap]))
    };
    orphans.map(evidence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_nothing_are_known() {
        for text in ["", "Click here", "read more →", "HERE", "Mehr…", " » "] {
            assert!(says_nothing(text), "{text}");
        }
        for text in ["Our opening hours", "Read more about bread", "2"] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{
    Brand, BrandId, Fault, ToolAccess, id,
    validate::{repeated, without_key},
};

use super::{Analysis, AnalysisChange, AnalysisKind, AnalysisRequest, AnalysisScope, AnalysisView};
use crate::{
    Change, Records,
    audit::{CrawlScope, PageUrl},
    jobs::{JobKind, MAX_WAIT_SECONDS, NewJob, StartedJob, WorkStatus},
    net::parse_http_url,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct RunAnalysis;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    kind: AnalysisKind,
    /// A page of the brand's or a competitor's site.
    #[schemars(length(min = 1, max = 2000), extend("format" = "uri"))]
    url: Option<String>,
    /// Plain text or Markdown.
    #[schemars(length(min = 1, max = 200_000))]
    text: Option<String>,
    /// For `content`, instead of `url` and `text`: the pages of the last audit, or the published posts.
    scope: Option<AnalysisScope>,
    /// For `content`: keywords that the text should rank for.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 100)))]
    target_keywords: Vec<String>,
    /// For `gap` and `brand_mentions`. Default: the competitors that `get_brand` lists.
    #[serde(default)]
    #[schemars(length(max = 10), inner(length(min = 1, max = 2000)))]
    competitor_urls: Vec<String>,
    /// How long to wait for the result.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT_SECONDS))]
    wait_seconds: u32,
}

impl Tool for RunAnalysis {
    type Arguments = Arguments;
    type Output = StartedJob<AnalysisView>;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "run_analysis",
        title: "Analyse texts",
        description: "Analyses texts. `content` takes one `text` or `url` and returns language, readability, sentiment, key \
            phrases, density of `target_keywords` and outline; with `scope` it ranks all pages or posts, hardest to \
            read first. `brand_mentions` counts mentions of the brand and its competitors in the given text or page, \
            or in the brand's posts and both sides' pages. `duplicates` finds pages and posts that are nearly the \
            same. `gap` finds terms that competitors' pages have and the brand's lack. With `wait_seconds` the \
            finished analysis is in `result`; otherwise call `get_analysis` with the `id`.",
        example: r#"{"kind": "content", "text": "Fresh coffee, roasted every morning.", "target_keywords": ["fresh coffee"], "wait_seconds": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let mut faults = Vec::new();
        let competitors = arguments.competitor_urls.iter().enumerate();
        let competitors = competitors.map(|(index, url)| (format!("competitor_urls[{index}]"), url));
        for (field, url) in arguments.url.iter().map(|url| ("url".to_owned(), url)).chain(competitors) {
            faults.extend(parse_http_url(url).err().map(|message| Fault::new(field, message)));
        }
        if let Some(Err(message)) = arguments.text.as_deref().map(without_key) {
            faults.push(Fault::new("text", message));
        }
        let has_text = arguments.url.is_some() || arguments.text.is_some();
        if arguments.url.is_some() && arguments.text.is_some() {
            faults.push(Fault::new("url", "cannot be combined with `text`: send only one of them"));
        }
        match (arguments.kind, arguments.scope) {
            (AnalysisKind::Content, None) if !has_text => {
                faults.push(Fault::new(
                    "text",
                    "is required for kind `content`, unless `url` or `scope` is set",
                ));
            }
            (AnalysisKind::Content, Some(_)) if has_text => {
                faults.push(Fault::new(
                    "scope",
                    "cannot be combined with `url` or `text`: send only one of them",
                ));
            }
            (AnalysisKind::Content, Some(_)) if !arguments.target_keywords.is_empty() => {
                faults.push(Fault::new(
                    "target_keywords",
                    "cannot be combined with `scope`: send a `url` or `text`",
                ));
            }
            (AnalysisKind::Content, _) | (_, None) => {}
            (_, Some(_)) => faults.push(Fault::new("scope", "is only for kind `content`: leave it out")),
        }
        faults
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let profile = call.profile().await?;
        check_sites(&profile.brand, &arguments)?;
        let wait = Duration::from_secs(arguments.wait_seconds.into());
        let request = AnalysisRequest {
            kind: arguments.kind,
            url: arguments.url,
            text: arguments.text,
            target_keywords: arguments.target_keywords,
            competitor_urls: arguments.competitor_urls,
            scope: arguments.scope,
        };
        if let Some(open) = call.context.records.open_analysis(call.brand_id(), &request).await? {
            return Ok(Outcome::new(started(open)).waiting(call, &profile.plan.quotas, wait, ended_analysis));
        }
        let mut random = call.context.entropy.clone();
        let analysis = Analysis {
            analysis_id: id::fresh("analysis", &mut random),
            request,
            status: WorkStatus::Queued,
            result: None,
            failure: None,
            created_at: call.now,
            created_by_key: call.caller.key_state.key_id.clone(),
            finished_at: None,
        };
        let job = NewJob::new(JobKind::Analysis, &analysis.analysis_id, call.now, &mut random);
        let changes = vec![Change::Analyses(AnalysisChange::Add(analysis.clone())), Change::AddJob(job)];
        Ok(Outcome::new(started(analysis)).with_changes(changes).waiting(
            call,
            &profile.plan.quotas,
            wait,
            ended_analysis,
        ))
    }
}

/// A key may only read the sites of the brand and its competitors. It must not make the service fetch other sites.
fn check_sites(brand: &Brand, arguments: &Arguments) -> Result<(), ToolFailure> {
    let scope = crawl_scope(brand);
    let urls = arguments.url.iter().chain(&arguments.competitor_urls);
    for url in urls {
        if !PageUrl::parse(url).is_some_and(|address| scope.contains(&address)) {
            return Err(ToolFailure::new(
                "not_a_known_site",
                format!("{} is not on the site of the brand or a competitor.", repeated(url)),
                "Use a site that get_brand lists, or send the page's text as `text`. An operator can add a competitor.",
            ));
        }
    }
    Ok(())
}

/// The sites of the brand and its competitors.
pub(super) fn crawl_scope(brand: &Brand) -> CrawlScope {
    CrawlScope::new(std::iter::once(&brand.website).chain(&brand.competitors))
}

fn started(analysis: Analysis) -> StartedJob<AnalysisView> {
    let (id, status) = (analysis.analysis_id.clone(), analysis.status);
    StartedJob::new(id, status, "get_analysis", || AnalysisView::from(analysis))
}

/// The analysis, if it has ended.
async fn ended_analysis(
    records: Arc<dyn Records>,
    brand: BrandId,
    analysis_id: String,
) -> Option<StartedJob<AnalysisView>> {
    let analysis = records.analysis(&brand, &analysis_id).await.ok().flatten()?;
    analysis.status.has_ended().then(|| started(analysis))
}

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{
    Brand, Fault, ToolAccess, id,
    validate::{repeated, web_address, without_key},
};

use super::{Analysis, AnalysisChange, AnalysisKind, AnalysisView, Request};
use crate::{
    Change,
    audit::{Address, Scope},
    jobs::{JobKind, LONGEST_WAIT, NewJob, Started, WorkStatus},
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct RunAnalysis;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    kind: AnalysisKind,
    /// A page of the brand's or a competitor's site. `content` needs this or `text`.
    #[schemars(length(min = 1, max = 2000), extend("format" = "uri"))]
    url: Option<String>,
    /// Plain text or Markdown.
    #[schemars(length(min = 1, max = 200_000))]
    text: Option<String>,
    /// For `content`: keywords the text should rank for.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 100)))]
    target_keywords: Vec<String>,
    /// For `gap` and `brand_mentions`: pages of competitors' sites. Left out: the sites `get_brand` lists.
    #[serde(default)]
    #[schemars(length(max = 10), inner(length(min = 1, max = 2000)))]
    competitor_urls: Vec<String>,
    /// How long to wait for the result before answering with an id to ask for it later.
    #[serde(default)]
    #[schemars(range(min = 0, max = LONGEST_WAIT))]
    wait_seconds: u32,
}

impl Tool for RunAnalysis {
    type Arguments = Arguments;
    type Output = Started<AnalysisView>;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const WORDS: Words = Words {
        name: "run_analysis",
        title: "Analyse texts",
        description: "Measures texts. `content` takes one `text` or `url` and gives its language, six readability \
            measures, sentiment, key phrases, density of `target_keywords` and outline. `brand_mentions` tells who is \
            spoken of, how often and in what tone: the brand and its competitors, over the text or page given, or over \
            the brand's posts and both sides' pages. `duplicates` finds pages and posts that say nearly the same. \
            `gap` finds terms that competitors' pages have and the brand's lack. Returns an `id` at once; with \
            `wait_seconds` (a text takes a second, sites some more) the finished analysis is in `result`. Otherwise \
            call `get_analysis` with the id.",
        example: r#"{"kind": "content", "text": "Fresh coffee, roasted every morning.", "target_keywords": ["fresh coffee"], "wait_seconds": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let mut faults = Vec::new();
        let competitors = arguments.competitor_urls.iter().enumerate();
        let competitors = competitors.map(|(index, url)| (format!("competitor_urls[{index}]"), url));
        for (field, url) in arguments.url.iter().map(|url| ("url".to_owned(), url)).chain(competitors) {
            faults.extend(web_address(url).err().map(|message| Fault::new(field, message)));
        }
        if let Some(Err(message)) = arguments.text.as_deref().map(without_key) {
            faults.push(Fault::new("text", message));
        }
        match (arguments.kind, &arguments.url, &arguments.text) {
            (_, Some(_), Some(_)) => {
                faults.push(Fault::new("url", "cannot go with `text`: give one of the two"));
            }
            (AnalysisKind::Content, None, None) => {
                faults.push(Fault::new("text", "is required by kind `content`, or a `url` instead"));
            }
            _ => {}
        }
        faults
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, Stopped> {
        let profile = call.profile().await?;
        within_reach(&profile.brand, &arguments)?;
        let mut random = call.means.entropy.clone();
        let analysis = Analysis {
            analysis_id: id::fresh("analysis", &mut random),
            request: Request {
                kind: arguments.kind,
                url: arguments.url,
                text: arguments.text,
                target_keywords: arguments.target_keywords,
                competitor_urls: arguments.competitor_urls,
            },
            status: WorkStatus::Queued,
            result: None,
            failure: None,
            created_at: call.now,
            created_by_key: call.caller.standing.key_id.clone(),
            finished_at: None,
        };
        let job = NewJob::new(JobKind::Analysis, &analysis.analysis_id, call.now, &mut random);
        let wait = Duration::from_secs(arguments.wait_seconds.into());
        let sequel = ended(call.clone(), wait, analysis.analysis_id.clone());
        let changes = vec![Change::Analyses(AnalysisChange::Add(analysis.clone())), Change::AddJob(job)];
        Ok(Outcome::of(started(analysis)).changing(changes).then(sequel))
    }
}

/// A key reads the brand's and its competitors' sites, and no others: it is no way to look at the web in our name.
fn within_reach(brand: &Brand, arguments: &Arguments) -> Result<(), Failure> {
    let reach = reach_of(brand);
    let wanted = arguments.url.iter().chain(&arguments.competitor_urls);
    for url in wanted {
        if !Address::parse(url).is_some_and(|address| reach.holds(&address)) {
            return Err(Failure::new(
                "not_a_known_site",
                format!("{} is on neither the brand's site nor a competitor's.", repeated(url)),
                "get_brand lists the sites. Send the page's text as `text` instead, or have an operator add the competitor.",
            ));
        }
    }
    Ok(())
}

pub(super) fn reach_of(brand: &Brand) -> Scope {
    Scope::new(std::iter::once(&brand.website).chain(&brand.competitors))
}

fn started(analysis: Analysis) -> Started<AnalysisView> {
    let (id, status) = (analysis.analysis_id.clone(), analysis.status);
    Started::new(id, status, "get_analysis", || AnalysisView::from(analysis))
}

/// The finished analysis, if it ends in time.
async fn ended(call: Call, wait: Duration, analysis_id: String) -> Option<Started<AnalysisView>> {
    if wait.is_zero() {
        return None;
    }
    let analysis = call.wait_for(wait, move |records, brand| {
        let analysis_id = analysis_id.clone();
        async move {
            let analysis = records.analysis(&brand, &analysis_id).await.ok().flatten()?;
            analysis.status.has_ended().then_some(analysis)
        }
    });
    analysis.await.map(started)
}

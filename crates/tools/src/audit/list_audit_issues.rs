use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    Audit, Code, CrawlScope, IssueFilter, PageQuery, PageUrl, Severity, Summary,
    get_audit::find,
    url_spellings::url_spellings,
    view::{AffectedPage, DATA_NOTICE, IssueKind, MAX_LIST_BYTES, take_bytes},
};
use crate::{
    jobs::WorkStatus,
    net::MAX_URL_CHARS,
    page::{Cursor, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

/// The number of pages for each issue, if no `code` is given.
const MAX_PAGES_SHOWN: u32 = 3;

#[derive(Debug)]
pub struct ListAuditIssues;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// From `run_audit` or `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    severity: Option<Severity>,
    /// Only this issue, with all its pages, for example `http_4xx`. `limit` and `cursor` then apply to the pages.
    #[schemars(length(min = 1, max = 64))]
    code: Option<String>,
    /// Only issues of this page: a URL, or a path such as `/about`.
    #[schemars(length(min = 1, max = MAX_URL_CHARS))]
    url: Option<String>,
    /// The maximum number of items.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Issues {
    items: Vec<IssueView>,
    /// The number of kinds of issues, or with `code` the number of its issues.
    total: u64,
    /// Pass this as `cursor` to get the next page. Null on the last page.
    next_cursor: Option<String>,
    /// Why the list is empty or not complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    notice: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IssueView {
    #[serde(flatten)]
    kind: IssueKind,
    /// The number of issues.
    issues: u32,
    /// The number of pages that have it.
    pages_total: u32,
    /// The first few pages, or with `code` up to `limit` pages.
    pages: Vec<AffectedPage>,
}

impl Tool for ListAuditIssues {
    type Arguments = Arguments;
    type Output = Issues;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_audit_issues",
        title: "Issues of an audit",
        description: "Lists the issues of an audit, the most important first: why each matters, how to fix it, how many pages \
            have it, and the first of them with evidence. With `code` it lists all pages of that issue. If nothing \
            is found, `notes` say why.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR", "severity": "error"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Issues>, ToolError> {
        let audit = find(call, &arguments.audit_id).await?;
        let Some(summary) = &audit.summary else { return Ok(Outcome::new(nothing(not_done(&audit)))) };
        let code = arguments.code.as_deref().map(|name| (name, name.parse::<Code>()));
        if let Some((name, Err(_))) = code {
            return Ok(Outcome::new(nothing(format!("There is no check `{name}`. {}", codes_of(summary)))));
        }
        let mut filter = IssueFilter {
            severity: arguments.severity,
            code: code.and_then(|(_, code)| code.ok()),
            url: None,
        };
        if let Some(text) = &arguments.url {
            let spellings = spellings(&audit, text);
            filter.url = call.context.records.known_url(call.brand_id(), &audit.audit_id, &spellings).await?;
            if filter.url.is_none() {
                return Ok(Outcome::new(nothing(unknown_page(call, &audit, spellings.first(), text).await?)));
            }
        }
        let cursor = arguments.cursor.as_deref().and_then(Cursor::decode);
        let mut issues = match filter.code {
            Some(code) => pages_of(call, &audit.audit_id, code, &filter, cursor, arguments.limit).await?,
            None => groups(call, &audit.audit_id, &filter, cursor, arguments.limit).await?,
        };
        if issues.total == 0 {
            issues.notes.push(why_empty(summary, &filter));
        }
        issues.notes.extend(summary.partial_note());
        Ok(Outcome::new(issues))
    }
}

fn nothing(note: String) -> Issues {
    Issues { notes: vec![note], notice: DATA_NOTICE, ..Issues::default() }
}

fn not_done(audit: &Audit) -> String {
    let why = audit.failure.as_deref().unwrap_or_default();
    match audit.status {
        WorkStatus::Failed => format!("The audit failed, so it has no issues: {why}"),
        WorkStatus::Cancelled => format!("The audit was cancelled, so it has no issues: {why}"),
        _ => "The audit has not ended yet. Call get_audit until its status is `done`, then call this again."
            .to_owned(),
    }
}

fn spellings(audit: &Audit, text: &str) -> Vec<String> {
    PageUrl::parse(&audit.plan.start).map(|start| url_spellings(&start, text)).unwrap_or_default()
}

async fn unknown_page(
    call: &Call,
    audit: &Audit,
    literal: Option<&String>,
    text: &str,
) -> Result<String, ToolError> {
    let Some(url) = literal else {
        return Ok(format!("`{text}` is not a URL. Use one from list_pages, or a path such as `/about`."));
    };
    let start = &audit.plan.start;
    if !CrawlScope::new(&audit.plan.hosts).contains_str(url) {
        return Ok(format!(
            "{url} is not on the audited site ({start}). list_pages shows the pages of the site."
        ));
    }
    let (records, query) = (&call.context.records, PageQuery::default());
    let pages = records.audited_pages(call.brand_id(), &audit.audit_id, &query, None, 1).await?;
    if pages.total == 0 {
        return Ok(format!(
            "This audit found no issue on {url}. Whether it visited this page is not known, because an older version \
             made it. Call run_audit for a new audit."
        ));
    }
    let partial = audit.summary.as_ref().and_then(Summary::partial_note);
    let partial = partial.map(|note| format!(" {note}")).unwrap_or_default();
    Ok(format!(
        "This audit has no page {url}. list_pages shows the {} pages it visited.{partial}",
        pages.total
    ))
}

fn why_empty(summary: &Summary, filter: &IssueFilter) -> String {
    match filter {
        IssueFilter { url: Some(url), code: None, severity: None } => {
            format!("The audit visited {url} and found no issue there.")
        }
        IssueFilter { url: None, code: None, severity: None } => "The audit found no issue.".to_owned(),
        _ => format!("No issue matches all filters. {}", codes_of(summary)),
    }
}

/// What the audit has.
fn codes_of(summary: &Summary) -> String {
    let counts = summary.score.counts;
    let codes: Vec<&str> = summary.ranked().iter().map(|(code, ..)| code.as_str()).collect();
    if codes.is_empty() {
        return "This audit has no issues.".to_owned();
    }
    format!(
        "This audit has {} errors, {} warnings and {} notices, with these codes: {}.",
        counts.errors,
        counts.warnings,
        counts.notices,
        codes.join(", ")
    )
}

async fn pages_of(
    call: &Call,
    audit_id: &str,
    code: Code,
    filter: &IssueFilter,
    cursor: Option<Cursor>,
    limit: u32,
) -> Result<Issues, ToolError> {
    let (records, brand) = (&call.context.records, call.brand_id());
    let Some(group) = records.issue_groups(brand, audit_id, filter, 1).await?.pop() else {
        return Ok(Issues { notice: DATA_NOTICE, ..Issues::default() });
    };
    let mut limit = limit;
    let (page, pages) = loop {
        let mut page = records.issues(brand, audit_id, filter, cursor.as_ref(), limit).await?;
        let rows = page.items.len();
        let pages = take_bytes(page.items.drain(..).map(AffectedPage::from), MAX_LIST_BYTES);
        if limit == 1 || pages.len() == rows {
            break (page, pages);
        }
        limit /= 2;
    };
    Ok(Issues {
        items: vec![IssueView { kind: code.into(), issues: group.issues, pages_total: group.pages, pages }],
        total: page.total,
        next_cursor: page.next.map(|next| next.encode()),
        notes: Vec::new(),
        notice: DATA_NOTICE,
    })
}

/// There is at most one group for each check, so all are read and one page of them is returned.
async fn groups(
    call: &Call,
    audit_id: &str,
    filter: &IssueFilter,
    cursor: Option<Cursor>,
    limit: u32,
) -> Result<Issues, ToolError> {
    let groups =
        call.context.records.issue_groups(call.brand_id(), audit_id, filter, MAX_PAGES_SHOWN).await?;
    let from = cursor.map_or(0, |cursor| usize::try_from(cursor.at.millis()).unwrap_or(0));
    let total = groups.len();
    let views = groups.into_iter().skip(from).take(limit as usize).map(|group| IssueView {
        kind: group.code.into(),
        issues: group.issues,
        pages_total: group.pages,
        pages: group.first.into_iter().map(AffectedPage::from).collect(),
    });
    let items = take_bytes(views, MAX_LIST_BYTES);
    let to = from.saturating_add(items.len());
    let next = (to < total && !items.is_empty()).then(|| Cursor::at_position(to).encode());
    Ok(Issues { items, total: total as u64, next_cursor: next, notes: Vec::new(), notice: DATA_NOTICE })
}

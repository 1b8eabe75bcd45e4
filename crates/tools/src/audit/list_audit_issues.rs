use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    Code, IssueFilter, Severity,
    checks::check,
    get_audit::find,
    view::{AffectedPage, DATA_NOTICE, why_and_fix},
};
use crate::{
    net::MAX_URL_CHARS,
    page::{Cursor, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

/// The number of pages for each issue, if no `code` is given.
const MAX_PAGES_SHOWN: u32 = 3;
/// A result contains its data twice, as text and as JSON, and its size is limited.
const MAX_ITEM_BYTES: usize = 36 * 1024;

#[derive(Debug)]
pub struct ListAuditIssues;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The `id` from `run_audit`, or an `audit_id` from `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    severity: Option<Severity>,
    /// Only this issue, with all its pages. `limit` and `cursor` then apply to the pages.
    code: Option<Code>,
    /// Only issues of this page, with the URL as in the results.
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

#[derive(Debug, Serialize, JsonSchema)]
pub struct Issues {
    items: Vec<IssueView>,
    /// The number of issues, or with `code` the number of pages that have it.
    total: u64,
    /// Pass this as `cursor` to get the next page. Null on the last page.
    next_cursor: Option<String>,
    notice: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IssueView {
    code: Code,
    severity: Severity,
    /// Why it matters.
    why: &'static str,
    fix: &'static str,
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
        description: "Lists the issues of an audit, the most severe first: each with why it matters, how to fix it, how many \
            pages have it, and the first of these pages with evidence (what was found, what is expected, the part of \
            the page). Filter with `severity`, `code` or `url`. With `code` it lists all pages of that issue, and \
            `limit` and `cursor` apply to the pages.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR", "severity": "error"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Issues>, ToolError> {
        let audit = find(call, &arguments.audit_id).await?;
        let cursor = arguments.cursor.as_deref().and_then(Cursor::decode);
        let filter = IssueFilter { severity: arguments.severity, code: arguments.code, url: arguments.url };
        let issues = match arguments.code {
            Some(code) => pages_of(call, &audit.audit_id, code, &filter, cursor, arguments.limit).await?,
            None => groups(call, &audit.audit_id, &filter, cursor, arguments.limit).await?,
        };
        Ok(Outcome::new(issues))
    }
}

async fn pages_of(
    call: &Call,
    audit_id: &str,
    code: Code,
    filter: &IssueFilter,
    cursor: Option<Cursor>,
    limit: u32,
) -> Result<Issues, ToolError> {
    let mut limit = limit;
    let (page, pages) = loop {
        let mut page =
            call.context.records.issues(call.brand_id(), audit_id, filter, cursor.as_ref(), limit).await?;
        let pages: Vec<AffectedPage> = page.items.drain(..).map(AffectedPage::from).collect();
        if limit == 1 || pages.iter().map(json_bytes).sum::<usize>() <= MAX_ITEM_BYTES {
            break (page, pages);
        }
        limit /= 2;
    };
    let total = u32::try_from(page.total).unwrap_or(u32::MAX);
    let items = if total == 0 { Vec::new() } else { vec![view(code, total, pages)] };
    Ok(Issues {
        items,
        total: page.total,
        next_cursor: page.next.map(|next| next.encode()),
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
    let mut bytes_left = MAX_ITEM_BYTES;
    let mut items: Vec<IssueView> = Vec::new();
    for group in groups.into_iter().skip(from).take(limit as usize) {
        let pages = group.first.into_iter().map(AffectedPage::from).collect();
        let item = view(group.code, group.total, pages);
        let left = bytes_left.checked_sub(json_bytes(&item));
        if left.is_none() && !items.is_empty() {
            break;
        }
        bytes_left = left.unwrap_or(0);
        items.push(item);
    }
    let to = from.saturating_add(items.len());
    let next = (to < total && !items.is_empty()).then(|| Cursor::at_position(to).encode());
    Ok(Issues { items, total: total as u64, next_cursor: next, notice: DATA_NOTICE })
}

/// The size as JSON.
fn json_bytes(part: &impl Serialize) -> usize {
    serde_json::to_string(part).map_or(0, |text| text.len())
}

fn view(code: Code, pages_total: u32, pages: Vec<AffectedPage>) -> IssueView {
    let (why, fix) = why_and_fix(code);
    let severity = check(code).map_or(Severity::Notice, |check| check.severity);
    IssueView { code, severity, why, fix, pages_total, pages }
}

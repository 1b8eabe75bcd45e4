use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    Code, IssueFilter, Severity,
    checks::check,
    get_audit::find,
    view::{DATA_NOTICE, FaultyPage, words},
};
use crate::{
    page::{Cursor, LARGEST_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

/// How many pages are shown of each issue where all of them are listed.
const SHOWN: u32 = 3;
/// As many bytes of issues are told at a time: a result says everything twice, and has a bound.
const ROOM: usize = 36 * 1024;

#[derive(Debug)]
pub struct ListAuditIssues;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The `id` that `run_audit` gave, or an `audit_id` of `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    severity: Option<Severity>,
    /// Only this issue, with all of its pages: `limit` and `cursor` are about pages then.
    code: Option<Code>,
    /// Only issues of this page, its address as in the results.
    #[schemars(length(min = 1, max = 2000))]
    url: Option<String>,
    /// How many at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the page before.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Issues {
    items: Vec<IssueView>,
    /// How many issues there are in all, or, with `code`, how many pages have it.
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
    /// How often it was found.
    pages_total: u32,
    /// Where: the first few, or, with `code`, as many as `limit` says.
    pages: Vec<FaultyPage>,
}

impl Tool for ListAuditIssues {
    type Arguments = Arguments;
    type Output = Issues;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_audit_issues",
        title: "Issues of an audit",
        description: "Lists what an audit found, the most severe first: each issue with why it matters, how to mend it, \
            how many pages have it, and the first of them with evidence (what was found, what is wanted, the piece of \
            the page). Narrow it with `severity`, `code` or `url`. With `code` it lists all pages of that one issue; \
            `limit` and `cursor` then step through the pages.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR", "severity": "error"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::fault(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Issues>, Stopped> {
        let audit = find(call, &arguments.audit_id).await?;
        let cursor = arguments.cursor.as_deref().and_then(Cursor::decode);
        let filter = IssueFilter { severity: arguments.severity, code: arguments.code, url: arguments.url };
        let issues = match arguments.code {
            Some(code) => pages_of(call, &audit.audit_id, code, &filter, cursor, arguments.limit).await?,
            None => groups(call, &audit.audit_id, &filter, cursor, arguments.limit).await?,
        };
        Ok(Outcome::of(issues))
    }
}

async fn pages_of(
    call: &Call,
    audit_id: &str,
    code: Code,
    filter: &IssueFilter,
    cursor: Option<Cursor>,
    limit: u32,
) -> Result<Issues, Stopped> {
    let mut limit = limit;
    let (page, pages) = loop {
        let mut page =
            call.means.records.issues(call.brand_id(), audit_id, filter, cursor.as_ref(), limit).await?;
        let pages: Vec<FaultyPage> = page.items.drain(..).map(FaultyPage::from).collect();
        if limit == 1 || pages.iter().map(size).sum::<usize>() <= ROOM {
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

/// There are as many groups as checks at most, so a page of them is cut from the whole.
async fn groups(
    call: &Call,
    audit_id: &str,
    filter: &IssueFilter,
    cursor: Option<Cursor>,
    limit: u32,
) -> Result<Issues, Stopped> {
    let groups = call.means.records.issue_groups(call.brand_id(), audit_id, filter, SHOWN).await?;
    let from = cursor.map_or(0, |cursor| usize::try_from(cursor.at.millis()).unwrap_or(0));
    let total = groups.len();
    let mut room = ROOM;
    let mut items: Vec<IssueView> = Vec::new();
    for group in groups.into_iter().skip(from).take(limit as usize) {
        let pages = group.first.into_iter().map(FaultyPage::from).collect();
        let item = view(group.code, group.total, pages);
        let left = room.checked_sub(size(&item));
        if left.is_none() && !items.is_empty() {
            break;
        }
        room = left.unwrap_or(0);
        items.push(item);
    }
    let to = from.saturating_add(items.len());
    let next = (to < total && !items.is_empty()).then(|| Cursor::place(to).encode());
    Ok(Issues { items, total: total as u64, next_cursor: next, notice: DATA_NOTICE })
}

/// How many bytes it takes as JSON.
fn size(part: &impl Serialize) -> usize {
    serde_json::to_string(part).map_or(0, |text| text.len())
}

fn view(code: Code, pages_total: u32, pages: Vec<FaultyPage>) -> IssueView {
    let (why, fix) = words(code);
    let severity = check(code).map_or(Severity::Notice, |check| check.severity);
    IssueView { code, severity, why, fix, pages_total, pages }
}

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    Audit, AuditedPage, PageQuery, PageSort, StatusRange, Summary,
    get_audit::find,
    view::{DATA_NOTICE, MAX_LIST_BYTES, take_bytes},
};
use crate::{
    page::{Cursor, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListPages;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Which audit, an `audit_id` from `list_audits`. Default: the last full audit.
    #[schemars(length(min = 1, max = 64))]
    audit_id: Option<String>,
    /// Only pages with this HTTP status, such as `404`, or of this class, such as `4xx`. `none`: without a response.
    #[schemars(length(min = 3, max = 4))]
    status: Option<String>,
    /// Only pages with this text in their URL or title.
    #[schemars(length(min = 1, max = 200))]
    query: Option<String>,
    /// The order. `hardest_to_read` and `fewest_words` put pages without text last.
    #[serde(default)]
    sort: PageSort,
    /// The maximum number of items.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Pages {
    /// The audit that visited these pages. Null: the site has not been audited.
    audit_id: Option<String>,
    /// When that audit ended.
    audited_at: Option<String>,
    items: Vec<PageView>,
    /// The number of pages that match.
    total: u64,
    /// Pass this as `cursor` to get the next page. Null on the last page.
    next_cursor: Option<String>,
    /// Why the list is empty or not complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    notice: &'static str,
}

/// Fields without a value are left out.
#[derive(Debug, Serialize, JsonSchema)]
struct PageView {
    url: String,
    /// The HTTP status. Missing: there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Why there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Words outside navigation, header and footer.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<u32>,
    /// ISO 639-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// The reading ease as in an analysis: below 50 is hard to read, above 70 is easy.
    #[serde(skip_serializing_if = "Option::is_none")]
    readability: Option<f64>,
    /// The number of issues, with errors.
    issues: u32,
    errors: u32,
}

impl From<AuditedPage> for PageView {
    fn from(page: AuditedPage) -> Self {
        let AuditedPage {
            url,
            status,
            failure,
            redirect_to,
            title,
            words,
            language,
            readability,
            issues,
            errors,
        } = page;
        Self { url, status, failure, redirect_to, title, words, language, readability, issues, errors }
    }
}

impl Tool for ListPages {
    type Arguments = Arguments;
    type Output = Pages;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_pages",
        title: "Pages of the site",
        description: "Lists the pages of the brand's site as the last full audit found them: URL, HTTP status, title, words, \
            language, readability and number of issues. Use it to find the URL of a page instead of guessing, and to \
            see which pages are broken, thin or hard to read.",
        example: r#"{"status": "2xx", "sort": "hardest_to_read", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let is_invalid = arguments.status.as_deref().is_some_and(|status| status_range(status).is_none());
        let status = is_invalid.then(|| {
            Fault::new("status", "must be an HTTP status such as `404`, a class such as `4xx`, or `none`")
        });
        status.into_iter().chain(Cursor::check(arguments.cursor.as_deref())).collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Pages>, ToolError> {
        let Some(audit) = audit(call, arguments.audit_id.as_deref()).await? else {
            let note = "The site has not been audited yet. Call run_audit, then call this again.".to_owned();
            return Ok(Outcome::new(Pages { notes: vec![note], notice: DATA_NOTICE, ..Pages::default() }));
        };
        let query = PageQuery {
            status: arguments.status.as_deref().and_then(status_range),
            text: arguments.query,
            sort: arguments.sort,
        };
        let (records, brand) = (&call.context.records, call.brand_id());
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let page =
            records.audited_pages(brand, &audit.audit_id, &query, after.as_ref(), arguments.limit).await?;
        let rows = page.items.len();
        let items = take_bytes(page.items.into_iter().map(PageView::from), MAX_LIST_BYTES);
        let from = after.map_or(0, |after| usize::try_from(after.at.millis()).unwrap_or(0));
        // The page ends before it is too large.
        let next = if items.len() < rows { Some(Cursor::at_position(from + items.len())) } else { page.next };
        let mut notes = Vec::new();
        if page.total == 0 {
            let all = records.audited_pages(brand, &audit.audit_id, &PageQuery::default(), None, 1).await?;
            notes.push(why_empty(&audit, all.total));
        }
        notes.extend(audit.summary.as_ref().and_then(Summary::partial_note));
        Ok(Outcome::new(Pages {
            items,
            total: page.total,
            next_cursor: next.map(|next| next.encode()),
            notes,
            notice: DATA_NOTICE,
            audited_at: audit.finished_at.map(|at| at.to_string()),
            audit_id: Some(audit.audit_id),
        }))
    }
}

/// The audit with this id, or the last full one, or the last one.
async fn audit(call: &Call, audit_id: Option<&str>) -> Result<Option<Audit>, ToolError> {
    if let Some(audit_id) = audit_id {
        return find(call, audit_id).await.map(Some);
    }
    let (records, brand) = (&call.context.records, call.brand_id());
    match records.newest_audit(brand, true).await? {
        Some(audit) => Ok(Some(audit)),
        None => Ok(records.newest_audit(brand, false).await?),
    }
}

fn why_empty(audit: &Audit, visited: u64) -> String {
    if audit.summary.is_none() {
        "This audit is not done, so it has no pages. Call get_audit to see its status.".to_owned()
    } else if visited == 0 {
        "An older version made this audit and did not store its pages. Call run_audit for a new one."
            .to_owned()
    } else {
        format!("No page matches. The audit visited {visited} pages: call this without filters to see them.")
    }
}

/// `404`, `4xx` or `none`.
fn status_range(text: &str) -> Option<StatusRange> {
    match text.as_bytes() {
        b"none" => Some(StatusRange::NoResponse),
        [class @ b'1'..=b'5', b'x', b'x'] => {
            let first = u16::from(class - b'0') * 100;
            Some(StatusRange::Between(first, first + 99))
        }
        [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'] => {
            let status = text.parse().ok()?;
            Some(StatusRange::Between(status, status))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_a_number_or_a_class() {
        assert_eq!(status_range("404"), Some(StatusRange::Between(404, 404)));
        assert_eq!(status_range("4xx"), Some(StatusRange::Between(400, 499)));
        assert_eq!(status_range("none"), Some(StatusRange::NoResponse));
        for other in ["", "4", "40", "6xx", "99xx", "0xx", "40x", "+404", "broken"] {
            assert_eq!(status_range(other), None, "{other}");
        }
    }
}

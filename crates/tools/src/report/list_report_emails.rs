use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{Email, EmailStatus};
use crate::{
    page::{Cursor, LARGEST_LIMIT, Listing, default_limit},
    tool::{Call, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct ListReportEmails;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only mails in this state.
    status: Option<EmailStatus>,
    /// How many at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the page before.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

/// One report mail to one person.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmailView {
    pub email_id: String,
    /// Mails of one `send_report_email` have the same.
    pub report_id: Option<String>,
    /// Masked, as in `get_brand`.
    pub recipient: String,
    pub status: EmailStatus,
    /// How often sending was tried.
    pub attempts: u32,
    /// What the mail server said last, or why it was not asked.
    pub answer: Option<String>,
    pub created_at: String,
    /// When it was last handed over to the mail server.
    pub handed_over_at: Option<String>,
    /// When it was sent, failed or given up.
    pub ended_at: Option<String>,
}

impl From<Email> for EmailView {
    fn from(email: Email) -> Self {
        Self {
            email_id: email.email_id,
            report_id: email.report_id,
            recipient: email.recipient.masked(),
            status: email.status,
            attempts: email.attempts,
            answer: email.answer,
            created_at: email.created_at.to_string(),
            handed_over_at: email.handed_over_at.map(|at| at.to_string()),
            ended_at: email.ended_at.map(|at| at.to_string()),
        }
    }
}

impl Tool for ListReportEmails {
    type Arguments = Arguments;
    type Output = Listing<EmailView>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "list_report_emails",
        title: "Report emails",
        description: "Lists the report mails of the brand, newest first, one for each recipient, with what became of \
            each: `queued`, `sending`, `sent`, `failed` or `uncertain`, how often it was tried, and what the mail \
            server answered. Use it after `send_report_email` to see whether the mails arrived. A mail that the server \
            did not take yet stays `queued` and is tried again for about ten hours.",
        example: r#"{"status": "failed", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::fault(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Listing<EmailView>>, Stopped> {
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let page = call
            .means
            .records
            .report_emails(call.brand_id(), arguments.status, after.as_ref(), arguments.limit)
            .await?;
        Ok(Outcome::of(Listing::of(page, EmailView::from)))
    }
}

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess};

use super::{Email, EmailStatus};
use crate::{
    page::{Cursor, Listing, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListReportEmails;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only emails with this status.
    status: Option<EmailStatus>,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

/// One report email to one person.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmailView {
    pub email_id: String,
    /// The same for all emails of one `send_report_email` call.
    pub report_id: Option<String>,
    /// Masked, as in `get_brand`.
    pub recipient: String,
    pub status: EmailStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// The last response of the mail server, or why the email was not sent.
    pub answer: Option<String>,
    pub created_at: String,
    /// When it was last sent to the mail server.
    pub handed_over_at: Option<String>,
    /// When it got its final status.
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
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_report_emails",
        title: "Report emails",
        description: "Lists the brand's report emails, newest first, one for each recipient, with status, attempts and the \
            mail server's response. An email that is not accepted yet stays `queued` and is retried for about ten \
            hours.",
        example: r#"{"status": "failed", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Listing<EmailView>>, ToolError> {
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let page = call
            .context
            .records
            .report_emails(call.brand_id(), arguments.status, after.as_ref(), arguments.limit)
            .await?;
        Ok(Outcome::new(Listing::from_page(page, EmailView::from)))
    }
}

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, Quota, ToolAccess, id, validate::without_key};

use super::{
    Email, EmailPurpose, EmailStatus, MAX_NOTE_CHARS, MAX_RECIPIENTS, NewEmail, Period, Recipient, Report,
    ReportChange, Section,
    list_report_emails::EmailView,
    preview_report::{Days, preview, report_content},
};
use crate::{
    Change,
    jobs::{JobKind, NewJob},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct SendReportEmail;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// `last_7_days` and `last_30_days` end today, `this_month` ends today, `last_month` is the whole previous month; or two
    /// days with a slash such as `2026-10-01/2026-10-31` (both included, UTC, at most 366 days).
    period: Period,
    /// Addresses of confirmed recipients, complete or masked as `get_brand` shows them. Default: all confirmed
    /// recipients.
    #[schemars(length(min = 1, max = MAX_RECIPIENTS), inner(length(min = 3, max = 254)))]
    recipients: Option<BTreeSet<String>>,
    /// The sections to include. Default: all.
    #[schemars(length(min = 1))]
    sections: Option<BTreeSet<Section>>,
    /// A plain-text note to the readers, shown as a quote at the top.
    #[schemars(length(min = 1, max = MAX_NOTE_CHARS))]
    note: Option<String>,
    /// True: only show who would get the report. Nothing is stored or sent.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SentReport {
    /// Null in a dry run.
    report_id: Option<String>,
    subject: String,
    /// The preview text that mail programs show next to the subject.
    summary: String,
    period: Days,
    compared_with: Days,
    /// The masked addresses of the recipients.
    recipients: Vec<String>,
    /// One for each recipient; empty in a dry run. They are sent shortly; `list_report_emails` shows their status.
    emails: Vec<EmailView>,
    /// The number of report emails the brand can still send today (UTC).
    mails_left_today: u32,
    dry_run: bool,
}

impl Tool for SendReportEmail {
    type Arguments = Arguments;
    type Output = SentReport;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "send_report_email",
        title: "Send the report by email",
        description: "Sends the brand's report for a period compared with the one before as an email (HTML and text) to the \
            brand's confirmed recipients, one email each. Real people get it, so send it only when you were asked to; \
            `preview_report` shows the content and `dry_run: true` shows who would get it. Only people on the brand's \
            list who confirmed get emails (`get_brand` lists them masked); a brand can send 20 report emails a day. \
            Returns at once with one entry for each email; `list_report_emails` shows their status. To retry after a \
            broken connection, send the same `Idempotency-Key`: nobody gets the report twice.",
        example: r#"{"period": "last_month", "note": "The new shop pages went live on the 12th.", "dry_run": true}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        let note = arguments.note.as_deref().unwrap_or_default();
        let mut faults = Vec::new();
        if arguments.note.is_some() && note.trim().is_empty() {
            faults.push(Fault::new("note", "must not be blank"));
        }
        if let Err(message) = without_key(note) {
            faults.push(Fault::new("note", message));
        }
        faults
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<SentReport>, ToolError> {
        let Arguments { period, recipients, sections, note, dry_run } = arguments;
        if !call.context.can_mail {
            return Err(mail_not_configured().into());
        }
        let known = call.context.records.report_recipients(call.brand_id()).await?;
        let selected = select_recipients(&known, recipients.as_ref())?;
        let wanted = u32::try_from(selected.len()).unwrap_or(u32::MAX);
        let remaining = call.check_daily_quota(Quota::ReportEmailsPerDay, wanted).await?;
        let content = report_content(call, period, sections, note).await?;
        let preview = preview(&content);
        let mut sent = SentReport {
            report_id: None,
            subject: preview.subject,
            summary: preview.summary,
            period: preview.period,
            compared_with: preview.compared_with,
            recipients: selected.iter().map(|recipient| recipient.address.masked()).collect(),
            emails: Vec::new(),
            mails_left_today: remaining - wanted,
            dry_run,
        };
        if dry_run {
            sent.mails_left_today = remaining;
            return Ok(Outcome::new(sent));
        }
        let mut random = call.context.entropy.clone();
        let report_id = id::fresh("report", &mut random);
        let emails: Vec<NewEmail> = selected
            .iter()
            .map(|recipient| NewEmail {
                email_id: id::fresh("mail", &mut random),
                recipient: recipient.address.clone(),
            })
            .collect();
        let jobs: Vec<Change> = emails
            .iter()
            .map(|email| {
                Change::AddJob(NewJob::new(JobKind::ReportEmail, &email.email_id, call.now, &mut random))
            })
            .collect();
        sent.report_id = Some(report_id.clone());
        sent.emails = emails.iter().map(|email| view(call, &report_id, email)).collect();
        let created_by_key = call.caller.key_state.key_id.clone();
        let order =
            ReportChange::Order { report: Box::new(Report { report_id, content, created_by_key }), emails };
        let changes = std::iter::once(Change::Reports(order)).chain(jobs).collect();
        Ok(Outcome::new(sent).with_changes(changes))
    }
}

/// The confirmed recipients with these addresses, or all of them.
fn select_recipients<'a>(
    known: &'a [Recipient],
    wanted: Option<&BTreeSet<String>>,
) -> Result<Vec<&'a Recipient>, ToolFailure> {
    let confirmed: Vec<&Recipient> = known.iter().filter(|recipient| recipient.gets_reports()).collect();
    if confirmed.is_empty() {
        return Err(ToolFailure::new(
            "no_confirmed_recipients",
            "No recipient has confirmed yet that they want this brand's reports.",
            "A brand administrator adds recipients in the application; each of them confirms with the link in an email.",
        ));
    }
    let Some(wanted) = wanted else { return Ok(confirmed) };
    let mut selected: Vec<&Recipient> = Vec::new();
    for name in wanted {
        let name = name.trim().to_lowercase();
        let matching: Vec<&Recipient> = confirmed
            .iter()
            .copied()
            .filter(|recipient| recipient.address.as_str() == name || recipient.address.masked() == name)
            .collect();
        // The same error for unknown, unconfirmed and unsubscribed people: it must not reveal which one it is.
        let [one] = matching[..] else { return Err(recipient_not_confirmed(matching.len() > 1)) };
        if !selected.contains(&one) {
            selected.push(one);
        }
    }
    Ok(selected)
}

fn recipient_not_confirmed(ambiguous: bool) -> ToolFailure {
    let (message, hint) = if ambiguous {
        (
            "One of `recipients` is masked and matches several confirmed recipients. Nothing was sent.",
            "Use the complete address.",
        )
    } else {
        (
            "One of `recipients` is not a confirmed recipient of the brand. Nothing was sent.",
            "Call get_brand to see who gets reports, or leave out `recipients` to send to all of them. A brand \
             administrator adds people to the list, and they confirm it themselves.",
        )
    };
    ToolFailure::new("recipient_not_confirmed", message, hint)
}

fn mail_not_configured() -> ToolFailure {
    ToolFailure::new(
        "mail_not_configured",
        "This service has no mail server, so it cannot send reports. Nothing was sent.",
        "Ask the operator to set SVC_SMTP_URL and SVC_MAIL_FROM. Meanwhile, preview_report shows the report.",
    )
}

fn view(call: &Call, report_id: &str, email: &NewEmail) -> EmailView {
    EmailView::from(Email {
        email_id: email.email_id.clone(),
        report_id: Some(report_id.to_owned()),
        purpose: EmailPurpose::Report,
        recipient: email.recipient.clone(),
        status: EmailStatus::Queued,
        attempts: 0,
        answer: None,
        created_at: call.now,
        handed_over_at: None,
        ended_at: None,
    })
}

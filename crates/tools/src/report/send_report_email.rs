use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess, id, validate::without_key};

use super::{
    Email, EmailStatus, LONGEST_NOTE, MOST_RECIPIENTS, NewEmail, Period, Purpose, Recipient, Report,
    ReportChange, Section,
    list_report_emails::EmailView,
    preview_report::{Days, content, preview},
};
use crate::{
    Change,
    jobs::{JobKind, NewJob},
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

/// Report mails a brand may send on one day (UTC).
pub const MAILS_A_DAY: u32 = 20;

#[derive(Debug)]
pub struct SendReportEmail;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// `last_7_days` and `last_30_days` end today, `this_month` is up to today, `last_month` is the whole month
    /// before, or two days with a slash such as `2026-10-01/2026-10-31` (both included, UTC, at most 366 days).
    period: Period,
    /// Who gets it: addresses of the brand's confirmed recipients, whole or masked as `get_brand` shows them. Left out:
    /// all confirmed recipients.
    #[schemars(length(min = 1, max = MOST_RECIPIENTS), inner(length(min = 3, max = 254)))]
    recipients: Option<BTreeSet<String>>,
    /// Which parts, in any order. Left out: all of them.
    #[schemars(length(min = 1))]
    sections: Option<BTreeSet<Section>>,
    /// A few words to the readers, plain text, shown as a quote at the top.
    #[schemars(length(min = 1, max = LONGEST_NOTE))]
    note: Option<String>,
    /// True: only tell who would get what. Nothing is stored or sent.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Ordered {
    /// Null in a dry run.
    report_id: Option<String>,
    subject: String,
    /// What a mail program shows beside the subject.
    summary: String,
    period: Days,
    compared_with: Days,
    /// Who gets it, masked.
    recipients: Vec<String>,
    /// One for each recipient; empty in a dry run. They are sent within moments: `list_report_emails` tells.
    emails: Vec<EmailView>,
    /// How many more report mails the brand may send today (UTC).
    mails_left_today: u32,
    dry_run: bool,
}

impl Tool for SendReportEmail {
    type Arguments = Arguments;
    type Output = Ordered;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const WORDS: Words = Words {
        name: "send_report_email",
        title: "Send the report by email",
        description: "Sends the brand's report for a period against the one before as an email (HTML and text) to the \
            brand's confirmed recipients, one mail each. Real people get it, so send it only when you were asked to; \
            `preview_report` shows what they would read and `dry_run: true` who would get it. Only people on the brand's \
            list who confirmed get mails (`get_brand` lists them masked); the brand has 20 report mails a day. Returns \
            at once with one entry for each mail; `list_report_emails` tells what became of them. To try again after a \
            broken connection, send the same `Idempotency-Key`: nobody gets it twice.",
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

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Ordered>, Stopped> {
        let Arguments { period, recipients, sections, note, dry_run } = arguments;
        if !call.means.can_mail {
            return Err(mail_not_configured().into());
        }
        let known = call.means.records.report_recipients(call.brand_id()).await?;
        let chosen = chosen(&known, recipients.as_ref())?;
        let left = MAILS_A_DAY
            .saturating_sub(call.means.records.report_emails_today(call.brand_id(), call.now).await?);
        let wanted = u32::try_from(chosen.len()).unwrap_or(u32::MAX);
        if wanted > left {
            return Err(daily_limit_reached(left, wanted).into());
        }
        let content = content(call, period, sections, note).await?;
        let preview = preview(&content);
        let mut ordered = Ordered {
            report_id: None,
            subject: preview.subject,
            summary: preview.summary,
            period: preview.period,
            compared_with: preview.compared_with,
            recipients: chosen.iter().map(|recipient| recipient.address.masked()).collect(),
            emails: Vec::new(),
            mails_left_today: left - wanted,
            dry_run,
        };
        if dry_run {
            ordered.mails_left_today = left;
            return Ok(Outcome::of(ordered));
        }
        let mut random = call.means.entropy.clone();
        let report_id = id::fresh("report", &mut random);
        let emails: Vec<NewEmail> = chosen
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
        ordered.report_id = Some(report_id.clone());
        ordered.emails = emails.iter().map(|email| view(call, &report_id, email)).collect();
        let created_by_key = call.caller.standing.key_id.clone();
        let order =
            ReportChange::Order { report: Box::new(Report { report_id, content, created_by_key }), emails };
        let changes = std::iter::once(Change::Reports(order)).chain(jobs).collect();
        Ok(Outcome::of(ordered).changing(changes))
    }
}

/// Those of the confirmed recipients who are meant.
fn chosen<'a>(
    known: &'a [Recipient],
    wanted: Option<&BTreeSet<String>>,
) -> Result<Vec<&'a Recipient>, Failure> {
    let confirmed: Vec<&Recipient> = known.iter().filter(|recipient| recipient.gets_reports()).collect();
    if confirmed.is_empty() {
        return Err(Failure::new(
            "no_confirmed_recipients",
            "Nobody has confirmed yet that they want this brand's reports.",
            "A brand administrator lists recipients in the application; each confirms by the link in the mail they get.",
        ));
    }
    let Some(wanted) = wanted else { return Ok(confirmed) };
    let mut chosen: Vec<&Recipient> = Vec::new();
    for name in wanted {
        let name = name.trim().to_lowercase();
        let meant: Vec<&Recipient> = confirmed
            .iter()
            .copied()
            .filter(|recipient| recipient.address.as_str() == name || recipient.address.masked() == name)
            .collect();
        // Whoever is not on the list, has not confirmed or has stopped the reports is told in the same words.
        let [one] = meant[..] else { return Err(recipient_not_confirmed(meant.len() > 1)) };
        if !chosen.contains(&one) {
            chosen.push(one);
        }
    }
    Ok(chosen)
}

fn recipient_not_confirmed(ambiguous: bool) -> Failure {
    let (message, hint) = if ambiguous {
        (
            "One of `recipients` is masked and means several of the confirmed recipients. Nothing was sent.",
            "Give the whole address.",
        )
    } else {
        (
            "One of `recipients` is not among the brand's confirmed recipients. Nothing was sent.",
            "Call get_brand to see who gets reports, or leave `recipients` out to send to all of them. A brand \
             administrator adds people to the list, and they confirm it themselves.",
        )
    };
    Failure::new("recipient_not_confirmed", message, hint)
}

fn mail_not_configured() -> Failure {
    Failure::new(
        "mail_not_configured",
        "This service has no mail server, so it cannot send reports. Nothing was sent.",
        "Ask the operator to set SVC_SMTP_URL and SVC_MAIL_FROM. preview_report shows the report meanwhile.",
    )
}

/// What a call is told that wants more mails than the day has left.
pub fn daily_limit_reached(left: u32, wanted: u32) -> Failure {
    Failure {
        retryable: true,
        ..Failure::new(
            "daily_limit_reached",
            format!(
                "A brand may send {MAILS_A_DAY} report mails a day (UTC). {left} are left today, and this would take \
                 {wanted}. Nothing was sent."
            ),
            "Name fewer `recipients`, or wait until midnight UTC.",
        )
    }
}

fn view(call: &Call, report_id: &str, email: &NewEmail) -> EmailView {
    EmailView::from(Email {
        email_id: email.email_id.clone(),
        report_id: Some(report_id.to_owned()),
        purpose: Purpose::Report,
        recipient: email.recipient.clone(),
        status: EmailStatus::Queued,
        attempts: 0,
        answer: None,
        created_at: call.now,
        handed_over_at: None,
        ended_at: None,
    })
}

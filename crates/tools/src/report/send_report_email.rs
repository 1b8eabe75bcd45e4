use std::collections::BTreeSet;

use rand::CryptoRng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{
    BrandId, Fault, KeyId, Quota, Timestamp, ToolAccess, id,
    validate::{repeated, without_key},
};

use super::{
    Email, EmailAddress, EmailPurpose, EmailStatus, MAX_NOTE_CHARS, MAX_RECIPIENTS, NewEmail, Period,
    Recipient, Report, ReportChange, ReportContent, Section,
    list_report_emails::EmailView,
    preview_report::{Days, preview, report_content},
};
use crate::{
    Change, Records,
    jobs::{JobKind, NewJob},
    recent_call::{RecentCall, fingerprint},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct SendReportEmail;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// `last_7_days`, `last_30_days`, `this_month`, `last_month`, or two days (UTC) such as `2026-10-01/2026-10-31`, at most 366.
    period: Period,
    /// Confirmed recipients, complete or masked as `get_brand` shows them. Default: all.
    #[schemars(length(min = 1, max = MAX_RECIPIENTS), inner(length(min = 3, max = 254)))]
    recipients: Option<BTreeSet<String>>,
    /// Default: all.
    #[schemars(length(min = 1))]
    sections: Option<BTreeSet<Section>>,
    /// A note to the readers, shown at the top.
    #[schemars(length(min = 1, max = MAX_NOTE_CHARS))]
    note: Option<String>,
    /// True: only show who would get the report.
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
    /// What to know about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for SendReportEmail {
    type Arguments = Arguments;
    type Output = SentReport;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "send_report_email",
        title: "Send the report by email",
        description: "Sends the brand's report for a period compared with the one before to the brand's confirmed recipients, \
            one email each. Real people get it: send it only when you were asked to. `preview_report` shows the \
            content and `dry_run: true` who would get it. A brand can send 20 report emails a day. \
            `list_report_emails` shows their status.",
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
        let selected = match &recipients {
            None => confirmed(&known, call.brand_id())?,
            Some(wanted) => select_recipients(&known, wanted, call.brand_id())?,
        };
        let wanted = u32::try_from(selected.len()).unwrap_or(u32::MAX);
        let remaining = call.check_daily_quota(Quota::ReportEmailsPerDay, wanted).await?;
        let records = &*call.context.records;
        let content = report_content(records, call.brand_id(), call.now, period, sections, note).await?;
        let addresses: Vec<&str> = selected.iter().map(|recipient| recipient.address.as_str()).collect();
        let fingerprint =
            fingerprint("send_report_email", &(content.span, &content.sections, &content.note, addresses));
        let earlier = call.recent_equal(&fingerprint).await?;
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
            notes: earlier.map(|earlier| repeat_note(&earlier)).into_iter().collect(),
        };
        if dry_run {
            sent.mails_left_today = remaining;
            return Ok(Outcome::new(sent));
        }
        let key = call.caller.key_state.key_id.clone();
        let order = order(content, &selected, key, call.now, &mut call.context.entropy.clone());
        sent.emails = order.emails.iter().map(|email| view(call, &order.report_id, email)).collect();
        let remembered = RecentCall { fingerprint, record_id: order.report_id.clone(), at: call.now };
        sent.report_id = Some(order.report_id);
        let changes = order.changes.into_iter().chain([Change::RecentCall(remembered)]).collect();
        Ok(Outcome::new(sent).with_changes(changes))
    }
}

/// A report that is ready to be committed.
struct OrderedReport {
    report_id: String,
    emails: Vec<NewEmail>,
    changes: Vec<Change>,
}

fn order(
    content: ReportContent,
    recipients: &[&Recipient],
    created_by_key: KeyId,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> OrderedReport {
    let report_id = id::fresh("report", random);
    let mut new_email = |recipient: &&Recipient| NewEmail {
        email_id: id::fresh("mail", random),
        recipient: recipient.address.clone(),
    };
    let emails: Vec<NewEmail> = recipients.iter().map(&mut new_email).collect();
    let report = Box::new(Report { report_id: report_id.clone(), content, created_by_key });
    let mut changes = vec![Change::Reports(ReportChange::Order { report, emails: emails.clone() })];
    changes.extend(
        emails
            .iter()
            .map(|email| Change::AddJob(NewJob::new(JobKind::ReportEmail, &email.email_id, now, random))),
    );
    OrderedReport { report_id, emails, changes }
}

/// The id of a report to all confirmed recipients for a schedule, and the changes that send it.
pub(crate) async fn report_to_all_recipients(
    records: &dyn Records,
    brand: &BrandId,
    key: KeyId,
    period: Period,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Result<(String, Vec<Change>), ToolError> {
    let known = records.report_recipients(brand).await?;
    let recipients = confirmed(&known, brand)?;
    let content = report_content(records, brand, now, period, None, None).await?;
    let order = order(content, &recipients, key, now, random);
    Ok((order.report_id, order.changes))
}

fn confirmed<'a>(known: &'a [Recipient], brand: &BrandId) -> Result<Vec<&'a Recipient>, ToolFailure> {
    let confirmed: Vec<&Recipient> = known.iter().filter(|recipient| recipient.gets_reports()).collect();
    if confirmed.is_empty() {
        return Err(ToolFailure::new(
            "no_confirmed_recipients",
            "No recipient has confirmed yet that they want this brand's reports.",
            where_to_add(brand),
        ));
    }
    Ok(confirmed)
}

fn where_to_add(brand: &BrandId) -> String {
    format!(
        "get_brand shows who is on the brand's list and who has confirmed. An administrator of the brand adds people in the \
         application, which sends PUT /api/brands/{brand}/report-recipients; each of them then confirms with the link in \
         an email."
    )
}

/// The confirmed recipients with these addresses.
fn select_recipients<'a>(
    known: &'a [Recipient],
    wanted: &BTreeSet<String>,
    brand: &BrandId,
) -> Result<Vec<&'a Recipient>, ToolFailure> {
    let confirmed = confirmed(known, brand)?;
    let mut selected: Vec<&Recipient> = Vec::new();
    let (mut unknown, mut ambiguous) = (Vec::new(), Vec::new());
    for name in wanted {
        let name = name.trim().to_lowercase();
        let matching: Vec<&Recipient> = confirmed
            .iter()
            .copied()
            .filter(|recipient| recipient.address.as_str() == name || recipient.address.masked() == name)
            .collect();
        match matching[..] {
            [] => unknown.push(shown(&name)),
            [one] if selected.contains(&one) => {}
            [one] => selected.push(one),
            _ => ambiguous.push(shown(&name)),
        }
    }
    match (unknown.is_empty(), ambiguous.is_empty()) {
        (true, true) => Ok(selected),
        (false, _) => Err(recipient_not_confirmed(&unknown, brand)),
        (true, false) => Err(recipient_ambiguous(&ambiguous)),
    }
}

/// The name as an error repeats it: addresses are masked.
fn shown(name: &str) -> String {
    name.parse::<EmailAddress>().map_or_else(|_| repeated(name), |address| address.masked())
}

fn repeat_note(earlier: &RecentCall) -> String {
    format!(
        "The same report was sent to the same recipients at {}: `{}`. With the same `idempotency_key`, a repeated call sends \
         nothing.",
        earlier.at, earlier.record_id
    )
}

/// At most ten names.
fn list_of(names: &[String]) -> String {
    const MAX_NAMES: usize = 10;
    let more = names.len().saturating_sub(MAX_NAMES);
    let listed = names[..names.len() - more].join(", ");
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}

/// The same error for unknown, unconfirmed and unsubscribed people: it must not tell which complete addresses are right.
fn recipient_not_confirmed(names: &[String], brand: &BrandId) -> ToolFailure {
    ToolFailure::new(
        "recipient_not_confirmed",
        format!(
            "Not on the brand's list, or not confirmed: {}. Nothing was sent to anybody.",
            list_of(names)
        ),
        format!("{} Leave out `recipients` to send to all confirmed people.", where_to_add(brand)),
    )
}

fn recipient_ambiguous(names: &[String]) -> ToolFailure {
    ToolFailure::new(
        "recipient_not_confirmed",
        format!("Each of these matches several confirmed recipients: {}. Nothing was sent.", list_of(names)),
        "Use the complete address.",
    )
}

pub(crate) fn mail_not_configured() -> ToolFailure {
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

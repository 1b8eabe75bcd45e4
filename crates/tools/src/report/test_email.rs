//! The email by which an administrator tests whether reports would arrive, and the changes that order it.

use askama::Template;
use rand::CryptoRng;
use svc_mcp_access::{Timestamp, id};

use super::{NewEmail, Recipient, ReportChange, compose::ComposedEmail, format::one_line};
use crate::{
    Change,
    jobs::{JobKind, NewJob},
};

#[derive(Template)]
#[template(path = "test_email.html")]
struct Html<'a> {
    brand: &'a str,
    unsubscribe: &'a str,
}

#[derive(Template)]
#[template(path = "test_email.txt")]
struct Text<'a> {
    brand: &'a str,
    unsubscribe: &'a str,
}

/// `unsubscribe` leads to the page where the person stops the reports.
pub(super) fn test_email(brand: &str, unsubscribe: &str) -> ComposedEmail {
    let brand = one_line(brand, 100);
    let html = Html { brand: &brand, unsubscribe }.render().expect("writing to a string does not fail");
    let text = Text { brand: &brand, unsubscribe }.render().expect("writing to a string does not fail");
    ComposedEmail {
        subject: format!("{brand}: a test of its reports"),
        summary: format!("An administrator of {brand} tests whether its reports arrive."),
        html,
        text,
    }
}

/// One test email to each recipient who gets reports. Returns their number, and the changes that order the emails.
pub fn order_test_emails(
    recipients: &[Recipient],
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> (usize, Vec<Change>) {
    let mut emails = Vec::new();
    let mut changes = Vec::new();
    for recipient in recipients.iter().filter(|recipient| recipient.gets_reports()) {
        let email_id = id::fresh("mail", random);
        changes.push(Change::AddJob(NewJob::new(JobKind::ReportEmail, &email_id, now, random)));
        emails.push(NewEmail { email_id, recipient: recipient.address.clone() });
    }
    let count = emails.len();
    if count > 0 {
        changes.insert(0, Change::Reports(ReportChange::OrderTest { emails }));
    }
    (count, changes)
}

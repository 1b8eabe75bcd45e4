//! The email about a key. It never has the secret, and it links only to the page where people manage keys.

use std::fmt::Write;

use askama::Template;
use svc_mcp_access::{Brand, Timestamp};

use super::notice::{CancelledWork, KeyNotice};
use crate::report::{
    compose::ComposedEmail,
    format::{date_and_time, one_line, pluralize},
};

const MAX_NAME_CHARS: usize = 100;
const MILLIS_PER_HOUR: i64 = 60 * 60 * 1000;

#[derive(Template)]
#[template(path = "key_notice.html")]
struct Html<'a> {
    view: &'a View,
}

#[derive(Template)]
#[template(path = "key_notice.txt")]
struct Text<'a> {
    view: &'a View,
}

/// Everything that both parts show. Foreign text is one plain line each; the templates escape it.
#[derive(Debug)]
struct View {
    subject: String,
    /// What happened.
    introduction: String,
    facts: Vec<(&'static str, String)>,
    /// What to do next.
    advice: &'static str,
    link: String,
    /// Why the person gets this email.
    reason: &'static str,
}

/// `public_url` is the address of the service, without a trailing slash.
pub(crate) fn key_notice_email(
    brand: &Brand,
    notice: &KeyNotice,
    public_url: &str,
    now: Timestamp,
) -> ComposedEmail {
    let view = View::new(brand, notice, public_url, now);
    let html = Html { view: &view }.render().expect("writing to a string does not fail");
    let text = Text { view: &view }.render().expect("writing to a string does not fail");
    ComposedEmail { subject: view.subject, summary: view.introduction, html, text }
}

impl View {
    fn new(brand: &Brand, notice: &KeyNotice, public_url: &str, now: Timestamp) -> Self {
        let brand = one_line(&brand.name, MAX_NAME_CHARS);
        let name = |label: &str| format!("“{}” of {brand}", one_line(label, MAX_NAME_CHARS));
        let key = |label: &str, prefix: &str| format!("{}, {prefix}…", one_line(label, MAX_NAME_CHARS));
        let link = format!("{public_url}/settings/mcp");
        match notice {
            KeyNotice::Expiring { label, prefix, expires_at } => Self {
                subject: format!("The MCP key {} expires {}", name(label), time_left(*expires_at, now)),
                introduction: "After that time, every request with the key is refused.".to_owned(),
                facts: vec![
                    ("Key", key(label, prefix)),
                    ("Brand", brand),
                    ("Expires", date_and_time(*expires_at)),
                ],
                advice: "If it is still needed, create a new key in Settings → MCP and give it to the assistant before \
                         that time.",
                link,
                reason: "You get this email because you created the key.",
            },
            KeyNotice::Leaked { label, prefix, revoked_at, source, cancelled, already_sending } => Self {
                subject: format!("The MCP key {} was leaked and is revoked", name(label)),
                introduction: "Somebody reported the secret of this key as public. The service revoked the \
                               key at once: every request with it is refused."
                    .to_owned(),
                facts: vec![
                    ("Key", key(label, prefix)),
                    ("Brand", brand),
                    ("Revoked", date_and_time(*revoked_at)),
                    (
                        "Found (not checked)",
                        source.clone().unwrap_or_else(|| "The report does not say where.".into()),
                    ),
                    ("Cancelled", stopped_work(cancelled, *already_sending)),
                ],
                advice: "Remove the secret from where it was found. Look for requests that you do not know in the \
                         activity of the key. Then create a new key in Settings → MCP and give it to the assistant.",
                link,
                reason: "You get this email because you created the key or are an administrator of the brand.",
            },
        }
    }
}

/// `in 3 days`, rounded up.
fn time_left(expires_at: Timestamp, now: Timestamp) -> String {
    let hours =
        (expires_at.millis() - now.millis()).max(0).unsigned_abs().div_ceil(MILLIS_PER_HOUR.unsigned_abs());
    match hours {
        0..24 => format!("in {}", pluralize(hours.max(1), "hour")),
        hours => format!("in {}", pluralize(hours.div_ceil(24), "day")),
    }
}

fn stopped_work(cancelled: &CancelledWork, already_sending: u32) -> String {
    let CancelledWork { posts, mails, jobs, approvals, schedules } = *cancelled;
    let counts = [
        (posts, "post"),
        (mails, "report email"),
        (jobs, "audit or analysis"),
        (approvals, "call that waited for approval"),
        (schedules, "schedule"),
    ];
    let parts = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, noun)| counted(count, noun)).collect();
    let mut text = if parts.is_empty() { "nothing was queued".to_owned() } else { parts.join(", ") };
    if already_sending > 0 {
        let _ = write!(text, "; {already_sending} had begun before and could not be called back");
    }
    text
}

fn counted(count: u32, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "audit or analysis") => format!("{count} audits and analyses"),
        (_, "call that waited for approval") => format!("{count} calls that waited for approval"),
        _ => pluralize(count.into(), noun),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn email(name: &str, notice: &KeyNotice) -> ComposedEmail {
        let brand = Brand {
            brand_id: "acme".parse().unwrap(),
            name: name.to_owned(),
            website: "https://acme.example".into(),
            plan_id: "pro".parse().unwrap(),
            competitors: Vec::new(),
            language: None,
            time_zone: "UTC".into(),
        };
        key_notice_email(&brand, notice, "https://svc.example", at("2026-11-15T09:30:00Z"))
    }

    fn expiring(label: &str) -> KeyNotice {
        KeyNotice::Expiring {
            label: label.to_owned(),
            prefix: "svc_mcp_4fT9aZ".into(),
            expires_at: at("2026-11-18T09:30:00Z"),
        }
    }

    fn leaked(source: Option<&str>, cancelled: CancelledWork, already_sending: u32) -> KeyNotice {
        KeyNotice::Leaked {
            label: "Claude".into(),
            prefix: "svc_mcp_4fT9aZ".into(),
            revoked_at: at("2026-11-15T09:30:00Z"),
            source: source.map(str::to_owned),
            cancelled,
            already_sending,
        }
    }

    #[test]
    fn expiring_key_is_named_with_its_time() {
        let email = email("Acme", &expiring("Claude"));
        assert_eq!(email.subject, "The MCP key “Claude” of Acme expires in 3 days");
        assert_eq!(
            email.text.trim_end(),
            "The MCP key “Claude” of Acme expires in 3 days.\n\
             After that time, every request with the key is refused.\n\
             \n\
             Key: Claude, svc_mcp_4fT9aZ…\n\
             Brand: Acme\n\
             Expires: 18 November 2026, 09:30 UTC\n\
             \n\
             If it is still needed, create a new key in Settings → MCP and give it to the assistant before that time.\n\
             https://svc.example/settings/mcp\n\
             \n\
             You get this email because you created the key."
        );
    }

    #[test]
    fn leaked_key_is_named_with_what_was_cancelled() {
        let cancelled = CancelledWork { posts: 1, mails: 2, jobs: 3, approvals: 1, schedules: 0 };
        let mail = email("Acme", &leaked(Some("https://paste.example/1"), cancelled, 1));
        assert_eq!(mail.subject, "The MCP key “Claude” of Acme was leaked and is revoked");
        for fact in [
            "Key: Claude, svc_mcp_4fT9aZ…\n",
            "Revoked: 15 November 2026, 09:30 UTC\n",
            "Found (not checked): https://paste.example/1\n",
            "Cancelled: 1 post, 2 report emails, 3 audits and analyses, 1 call that waited for approval; 1 had begun \
             before and could not be called back\n",
        ] {
            assert!(mail.text.contains(fact), "{fact} in {}", mail.text);
        }
        let nothing = email("Acme", &leaked(None, CancelledWork::default(), 0)).text;
        assert!(nothing.contains("Cancelled: nothing was queued\n"), "{nothing}");
        assert!(nothing.contains("The report does not say where."), "{nothing}");
    }

    #[test]
    fn time_left_is_rounded_up() {
        let now = at("2026-11-15T09:30:00Z");
        for (seconds, words) in [
            (1, "in 1 hour"),
            (3_600, "in 1 hour"),
            (23 * 3_600, "in 23 hours"),
            (86_400, "in 1 day"),
            (86_401, "in 2 days"),
            (14 * 86_400, "in 14 days"),
        ] {
            assert_eq!(time_left(now.plus(Duration::from_secs(seconds)), now), words);
        }
    }

    #[test]
    fn foreign_text_is_escaped_and_only_the_page_is_linked() {
        let mail = email("A <b>&</b>\r\nBcc: x", &expiring("<script>\nalert(1)</script>\u{202e}"));
        assert_eq!(
            mail.subject,
            "The MCP key “<script> alert(1)</script>” of A <b>&</b> Bcc: x expires in 3 days"
        );
        assert!(!mail.html.contains("<script>") && !mail.html.contains("<b>&</b>"), "{}", mail.html);
        let mail =
            email("Acme", &leaked(Some("<a href=\"https://evil.example\">"), CancelledWork::default(), 0));
        assert_eq!(mail.html.matches("href=\"").count(), 1, "{}", mail.html);
        assert!(mail.html.contains("href=\"https://svc.example/settings/mcp\""), "{}", mail.html);
    }
}

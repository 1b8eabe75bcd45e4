//! The mail about an endpoint that was switched off. It never has the URL, which may contain a secret.

use askama::Template;
use svc_mcp_access::Brand;

use super::EndpointNotice;
use crate::report::{
    compose::ComposedEmail,
    format::{date_and_time, one_line},
};

const MAX_NAME_CHARS: usize = 100;
const MAX_ERROR_CHARS: usize = 200;

/// The templates of mails about keys fit: a subject, facts, an advice and a link.
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

#[derive(Debug)]
struct View {
    subject: String,
    introduction: String,
    facts: Vec<(&'static str, String)>,
    advice: &'static str,
    link: String,
    reason: &'static str,
}

/// `public_url` is the address of the service, without a trailing slash.
pub(crate) fn endpoint_notice_email(
    brand: &Brand,
    notice: &EndpointNotice,
    public_url: &str,
) -> ComposedEmail {
    let brand = one_line(&brand.name, MAX_NAME_CHARS);
    let view = View {
        subject: format!("The event endpoint “{}” of {brand} is switched off", notice.endpoint_id),
        introduction: "It has not accepted an event for three days, so the service sends it no more."
            .to_owned(),
        facts: vec![
            ("Endpoint", notice.endpoint_id.to_string()),
            ("Brand", brand),
            ("Failing since", date_and_time(notice.failing_since)),
            ("Switched off", date_and_time(notice.disabled_at)),
            ("Last answer", one_line(&notice.last_error, MAX_ERROR_CHARS)),
        ],
        advice: "Repair the receiver, then save the endpoint again through the API: that switches it on. Deliveries that were \
                 given up can be sent again.",
        link: format!("{public_url}/settings/mcp"),
        reason: "You get this email because you are an administrator of the brand.",
    };
    let html = Html { view: &view }.render().expect("writing to a string does not fail");
    let text = Text { view: &view }.render().expect("writing to a string does not fail");
    ComposedEmail { subject: view.subject, summary: view.introduction, html, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_names_the_endpoint_and_escapes_foreign_text() {
        let brand = Brand {
            brand_id: "acme".parse().unwrap(),
            name: "A <b>".to_owned(),
            website: "https://acme.example".into(),
            plan_id: "pro".parse().unwrap(),
            competitors: Vec::new(),
            language: None,
            time_zone: "UTC".into(),
        };
        let notice = EndpointNotice {
            endpoint_id: "crm".parse().unwrap(),
            failing_since: "2026-11-15T09:30:00Z".parse().unwrap(),
            disabled_at: "2026-11-18T09:30:00Z".parse().unwrap(),
            last_error: "It answered 500\r\nBcc: x".into(),
        };
        let mail = endpoint_notice_email(&brand, &notice, "https://svc.example");
        assert_eq!(mail.subject, "The event endpoint “crm” of A <b> is switched off");
        assert!(mail.text.contains("Failing since: 15 November 2026, 09:30 UTC\n"), "{}", mail.text);
        assert!(mail.text.contains("Last answer: It answered 500 Bcc: x\n"), "{}", mail.text);
        assert!(!mail.html.contains("<b> is"), "{}", mail.html);
    }
}

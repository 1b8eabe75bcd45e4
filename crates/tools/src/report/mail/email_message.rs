//! An email to one person, as MIME.

use std::time::{Duration, SystemTime};

use lettre::message::{
    Mailbox, Message, MultiPart, SinglePart,
    header::{HeaderName, HeaderValue},
};
use svc_mcp_access::Timestamp;

use crate::{
    net::parse_http_url,
    report::{EmailAddress, compose::ComposedEmail},
};

/// An email whose headers are checked, so that no value can add another header.
#[derive(Debug, Clone)]
pub struct EmailMessage {
    id: String,
    to: EmailAddress,
    subject: String,
    html: String,
    text: String,
    at: Timestamp,
    unsubscribe: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum EmailMessageError {
    #[error("the subject is empty or contains control characters")]
    Subject,
    #[error("the unsubscribe link is not a plain web address")]
    Unsubscribe,
    #[error("the recipient is not a valid address: {0}")]
    Recipient(#[from] lettre::address::AddressError),
    #[error("the email cannot be built: {0}")]
    Mime(#[from] lettre::error::Error),
}

impl EmailMessage {
    /// `id` and `at` are the same for every attempt, so that mail programs recognise a duplicate.
    pub fn new(
        id: &str,
        to: EmailAddress,
        composed: ComposedEmail,
        at: Timestamp,
    ) -> Result<Self, EmailMessageError> {
        let ComposedEmail { subject, html, text, summary: _ } = composed;
        if subject.is_empty() || subject.chars().any(char::is_control) {
            return Err(EmailMessageError::Subject);
        }
        Ok(Self { id: id.to_owned(), to, subject, html, text, at, unsubscribe: None })
    }

    /// Adds a link to unsubscribe with one click (RFC 8058).
    pub fn with_unsubscribe(mut self, link: &str) -> Result<Self, EmailMessageError> {
        let is_plain = link.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,\"\\".contains(&byte));
        if !is_plain || parse_http_url(link).is_err() {
            return Err(EmailMessageError::Unsubscribe);
        }
        self.unsubscribe = Some(link.to_owned());
        Ok(self)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn build(
        &self,
        from: &Mailbox,
        reply_to: Option<&Mailbox>,
    ) -> Result<Message, EmailMessageError> {
        let to = self.to.as_str().parse()?;
        let millis = u64::try_from(self.at.millis()).unwrap_or(0);
        let mut message = Message::builder()
            .from(from.clone())
            .to(Mailbox::new(None, to))
            .subject(self.subject.clone())
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(format!("<{}@{}>", self.id, from.email.domain())))
            .raw_header(header("Auto-Submitted", "auto-generated"));
        if let Some(reply_to) = reply_to {
            message = message.reply_to(reply_to.clone());
        }
        if let Some(link) = &self.unsubscribe {
            message = message.raw_header(header("List-Unsubscribe", &format!("<{link}>")));
            // RFC 8058 requires https for one-click unsubscribe.
            if link.starts_with("https:") {
                message = message.raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
            }
        }
        let parts = MultiPart::alternative()
            .boundary(format!("part_{}", self.id))
            .singlepart(SinglePart::plain(self.text.clone()))
            .singlepart(SinglePart::html(self.html.clone()));
        Ok(message.multipart(parts)?)
    }
}

/// A header that is written without encoding. The caller has checked the value.
fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.to_owned(),
        value.to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(subject: &str) -> ComposedEmail {
        ComposedEmail {
            subject: subject.to_owned(),
            summary: String::new(),
            html: "<p>Grüße, 100 %</p>".into(),
            text: "Grüße, 100 %\n.\n..\nFrom here".into(),
        }
    }

    fn email(subject: &str) -> Result<EmailMessage, EmailMessageError> {
        EmailMessage::new(
            "mail_1",
            "ada@example.com".parse().unwrap(),
            composed(subject),
            Timestamp::from_millis(0),
        )
    }

    fn built(email: &EmailMessage) -> String {
        let from = "Reports Ü <reports@svc.example>".parse().unwrap();
        String::from_utf8(email.build(&from, None).unwrap().formatted()).unwrap()
    }

    #[test]
    fn an_email_is_ascii_and_has_all_headers() {
        let link = "https://svc.example/unsubscribe/acme/abc";
        let email = email("Acmé: report").unwrap().with_unsubscribe(link).unwrap();
        let text = built(&email);
        assert!(text.is_ascii());
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        for line in [
            "To: ada@example.com",
            "Message-ID: <mail_1@svc.example>",
            "Date: Thu, 01 Jan 1970 00:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "List-Unsubscribe: <https://svc.example/unsubscribe/acme/abc>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "MIME-Version: 1.0",
        ] {
            assert!(head.lines().any(|known| known == line), "{line} is missing from {head}");
        }
        assert!(head.contains("multipart/alternative"), "{head}");
        assert!(text.lines().all(|line| line.len() <= 998));
    }

    #[test]
    fn building_an_email_twice_gives_the_same_bytes() {
        let one = email("Report").unwrap();
        assert_eq!(built(&one), built(&one.clone()));
    }

    #[test]
    fn one_click_unsubscribe_is_offered_only_over_https() {
        let email =
            email("Report").unwrap().with_unsubscribe("http://127.0.0.1:8080/unsubscribe/a/b").unwrap();
        assert!(!built(&email).contains("List-Unsubscribe-Post"));
    }

    #[test]
    fn no_value_can_add_a_header() {
        for subject in ["Report\r\nBcc: eve@example.com", "Report\nX: y", "Report\u{0}", "Re\u{85}port", ""] {
            assert!(matches!(email(subject), Err(EmailMessageError::Subject)), "{subject:?}");
        }
        for link in
            ["https://a.example/\r\nBcc: x", "https://a.example/>,<mailto:x@y.example", "mailto:x@y.example"]
        {
            let refused = email("Report").unwrap().with_unsubscribe(link);
            assert!(matches!(refused, Err(EmailMessageError::Unsubscribe)), "{link:?}");
        }
        assert!("ada@example.com\r\nBcc: eve@example.com".parse::<EmailAddress>().is_err());
    }
}

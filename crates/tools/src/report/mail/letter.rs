//! A mail to one person.

use std::time::{Duration, SystemTime};

use lettre::message::{
    Mailbox, Message, MultiPart, SinglePart,
    header::{HeaderName, HeaderValue},
};
use svc_mcp_access::Timestamp;

use super::super::{Address, compose::Composed};

/// A mail whose header cannot be anything but what is meant: made only of what is fit for one.
#[derive(Debug, Clone)]
pub struct Letter {
    id: String,
    to: Address,
    subject: String,
    html: String,
    text: String,
    at: Timestamp,
    unsubscribe: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnfitLetter {
    #[error("its subject holds control characters")]
    Subject,
    #[error("its unsubscribe link is no plain web address")]
    Unsubscribe,
    #[error("it cannot be written as a mail: {0}")]
    Unwritable(String),
}

impl Letter {
    /// `id` is the same for every try to send it, and so is `at`: whoever gets it twice can tell.
    pub fn new(id: &str, to: Address, composed: Composed, at: Timestamp) -> Result<Self, UnfitLetter> {
        let Composed { subject, html, text, summary: _ } = composed;
        if subject.is_empty() || subject.chars().any(char::is_control) {
            return Err(UnfitLetter::Subject);
        }
        Ok(Self { id: id.to_owned(), to, subject, html, text, at, unsubscribe: None })
    }

    /// The link by which its reader ends such mails, with one click (RFC 8058).
    pub fn with_unsubscribe(mut self, link: &str) -> Result<Self, UnfitLetter> {
        let plain = link.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,\"\\".contains(&byte));
        if !plain || svc_mcp_access::validate::web_address(link).is_err() {
            return Err(UnfitLetter::Unsubscribe);
        }
        self.unsubscribe = Some(link.to_owned());
        Ok(self)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn message(&self, from: &Mailbox, reply_to: Option<&Mailbox>) -> Result<Message, UnfitLetter> {
        let unwritable = |error: &dyn std::fmt::Display| UnfitLetter::Unwritable(error.to_string());
        let to =
            self.to.as_str().parse().map_err(|error: lettre::address::AddressError| unwritable(&error))?;
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
            // RFC 8058 asks for https; without it, promising one click would be a promise nobody may keep.
            if link.starts_with("https:") {
                message = message.raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
            }
        }
        let parts = MultiPart::alternative()
            .boundary(format!("part_{}", self.id))
            .singlepart(SinglePart::plain(self.text.clone()))
            .singlepart(SinglePart::html(self.html.clone()));
        message.multipart(parts).map_err(|error| unwritable(&error))
    }
}

/// A header that stands as it is. What goes in has been checked to be plain.
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

    fn composed(subject: &str) -> Composed {
        Composed {
            subject: subject.to_owned(),
            summary: String::new(),
            html: "<p>Grüße, 100 %</p>".into(),
            text: "Grüße, 100 %\n.\n..\nFrom here".into(),
        }
    }

    fn letter(subject: &str) -> Result<Letter, UnfitLetter> {
        Letter::new(
            "mail_1",
            "ada@example.com".parse().unwrap(),
            composed(subject),
            Timestamp::from_millis(0),
        )
    }

    fn written(letter: &Letter) -> String {
        let from = "Reports Ü <reports@svc.example>".parse().unwrap();
        String::from_utf8(letter.message(&from, None).unwrap().formatted()).unwrap()
    }

    #[test]
    fn a_letter_is_plain_ascii_with_the_headers_that_are_meant() {
        let link = "https://svc.example/unsubscribe/acme/abc";
        let letter = letter("Acmé: report").unwrap().with_unsubscribe(link).unwrap();
        let written = written(&letter);
        assert!(written.is_ascii());
        let (head, _) = written.split_once("\r\n\r\n").unwrap();
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
        assert!(written.lines().all(|line| line.len() <= 998));
    }

    #[test]
    fn the_same_letter_is_the_same_bytes() {
        let one = letter("Report").unwrap();
        assert_eq!(written(&one), written(&one.clone()));
    }

    #[test]
    fn one_click_is_promised_over_https_alone() {
        let letter =
            letter("Report").unwrap().with_unsubscribe("http://127.0.0.1:8080/unsubscribe/a/b").unwrap();
        assert!(!written(&letter).contains("List-Unsubscribe-Post"));
    }

    #[test]
    fn a_header_cannot_be_broken_out_of() {
        for subject in ["Report\r\nBcc: eve@example.com", "Report\nX: y", "Report\u{0}", "Re\u{85}port", ""] {
            assert_eq!(letter(subject).unwrap_err(), UnfitLetter::Subject, "{subject:?}");
        }
        for link in
            ["https://a.example/\r\nBcc: x", "https://a.example/>,<mailto:x@y.example", "mailto:x@y.example"]
        {
            let refused = letter("Report").unwrap().with_unsubscribe(link);
            assert_eq!(refused.unwrap_err(), UnfitLetter::Unsubscribe, "{link:?}");
        }
        assert!("ada@example.com\r\nBcc: eve@example.com".parse::<Address>().is_err());
    }
}

//! What is wrong with an input, field by field, so that a caller can mend all of it at once.

use serde::Serialize;

use crate::key::mentions_key;

/// One thing wrong with one field. `field` is a path such as `label` or `media[0].url`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    pub field: String,
    pub message: String,
}

impl Fault {
    pub fn new(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self { field: field.into(), message: format!("{message}") }
    }
}

/// Text that a person typed: trimmed, within its length in characters, free of control characters.
pub fn plain_text(text: &str, longest: usize) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("must not be empty".into());
    }
    let length = text.chars().count();
    if length > longest {
        return Err(format!("must be at most {longest} characters, and has {length}"));
    }
    if text.chars().any(char::is_control) {
        return Err("must not contain control characters".into());
    }
    without_key(text)?;
    Ok(text.to_owned())
}

/// Refuses a text in which somebody has pasted a key: what is kept lies in clear.
pub fn without_key(text: &str) -> Result<(), String> {
    if mentions_key(text) {
        return Err(
            "holds what looks like an MCP key: it is exposed now, so revoke it and leave it out".into()
        );
    }
    Ok(())
}

/// What a caller sent, fit to be repeated to them: short, and no key.
pub fn repeated(text: &str) -> String {
    if mentions_key(text) { "(a key)".to_owned() } else { text.chars().take(64).collect() }
}

/// An http or https address with a host, as it was given.
pub fn web_address(text: &str) -> Result<String, String> {
    let text = plain_text(text, 2000)?;
    let good =
        url::Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if good { Ok(text) } else { Err("must be an http or https address with a host".into()) }
}

/// An email address, as far as its form can tell.
pub fn email_address(text: &str) -> Result<String, String> {
    let text = plain_text(text, 254)?;
    let (name, host) = text.rsplit_once('@').unwrap_or_default();
    let good = !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace);
    if good { Ok(text) } else { Err("must be an email address".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_web_and_have_a_host() {
        for good in ["https://acme.example", "http://127.0.0.1:8081/a?b=c"] {
            assert_eq!(web_address(good), Ok(good.to_owned()));
        }
        for bad in ["acme.example", "ftp://acme.example", "https://", "javascript:alert(1)", ""] {
            assert!(web_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn email_addresses_have_a_name_and_a_host() {
        assert!(email_address("ada@acme.example").is_ok());
        for bad in ["ada", "@acme.example", "ada@acme", "a da@acme.example", "a\n@b.c"] {
            assert!(email_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn text_is_trimmed_and_bounded() {
        assert_eq!(plain_text("  CI agent ", 100), Ok("CI agent".into()));
        assert!(plain_text(" \t ", 100).is_err());
        assert!(plain_text("a\u{0}b", 100).is_err());
        assert!(plain_text(&"é".repeat(100), 100).is_ok());
        assert!(plain_text(&"é".repeat(101), 100).is_err());
    }
}

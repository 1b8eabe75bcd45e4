//! Email addresses. This is the only rule for them in the service.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A plain ASCII email address in lower case. It contains no character with a meaning in a mail header, so it can be
/// written into one without escaping.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EmailAddress(Box<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Self::MESSAGE)]
pub struct EmailAddressError;

impl EmailAddressError {
    pub const MESSAGE: &str =
        "must be a plain email address such as ada@example.com, with at most 254 ASCII characters";
}

impl EmailAddress {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `a…@example.com`: people recognise it, but nobody can send mail to it.
    pub fn masked(&self) -> String {
        let (name, host) = self.0.split_once('@').unwrap_or_default();
        format!("{}…@{host}", &name[..1])
    }
}

impl FromStr for EmailAddress {
    type Err = EmailAddressError;

    fn from_str(text: &str) -> Result<Self, EmailAddressError> {
        let (name, host) = text.split_once('@').ok_or(EmailAddressError)?;
        let is_valid = text.len() <= 254
            && (1..=64).contains(&name.len())
            && name.split('.').all(|part| !part.is_empty() && part.bytes().all(is_atom))
            && host.contains('.')
            && host.split('.').all(is_label)
            && lettre::Address::new(name, host).is_ok();
        if is_valid { Ok(Self(text.to_ascii_lowercase().into())) } else { Err(EmailAddressError) }
    }
}

/// The characters that RFC 5322 allows without quotes.
fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl TryFrom<String> for EmailAddress {
    type Error = EmailAddressError;

    fn try_from(text: String) -> Result<Self, EmailAddressError> {
        text.parse()
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.0.into()
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_are_accepted() {
        for good in ["ada@example.com", "A.da+reports@mail.example.co.uk", "o'neil@a-b.example"] {
            assert_eq!(good.parse::<EmailAddress>().unwrap().as_str(), good.to_lowercase());
        }
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@example",
            "a@b@c.example",
            "a da@example.com",
            "ada@example.com\r\nBcc: eve@example.com",
            "ada@example.com\n",
            "\"a b\"@example.com",
            "<ada@example.com>",
            "ada@example.com, eve@example.com",
            "ada..b@example.com",
            ".ada@example.com",
            "ada@-example.com",
            "ada@[127.0.0.1]",
            "ädä@example.com",
            "ada@exämple.com",
            "a\0da@example.com",
        ] {
            assert_eq!(bad.parse::<EmailAddress>(), Err(EmailAddressError), "{bad:?}");
        }
        assert!(format!("{}@example.com", "a".repeat(65)).parse::<EmailAddress>().is_err());
    }

    #[test]
    fn a_masked_address_shows_one_letter_and_the_host() {
        assert_eq!("ada@example.com".parse::<EmailAddress>().unwrap().masked(), "a…@example.com");
    }
}

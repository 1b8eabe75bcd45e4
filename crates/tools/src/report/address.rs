//! An address that a report may go to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// An email address in lower case. Plain ASCII without anything that means something in a header, so that it can
/// stand in one as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address(Box<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a plain email address such as ada@example.com, of at most 254 ASCII characters")]
pub struct InvalidAddress;

impl Address {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Enough to recognise it by, and not enough to write to: `a…@example.com`.
    pub fn masked(&self) -> String {
        let (name, host) = self.0.split_once('@').unwrap_or_default();
        format!("{}…@{host}", &name[..1])
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let (name, host) = text.split_once('@').ok_or(InvalidAddress)?;
        let good = text.len() <= 254
            && (1..=64).contains(&name.len())
            && name.split('.').all(|part| !part.is_empty() && part.bytes().all(is_atom))
            && host.contains('.')
            && host.split('.').all(is_label)
            && lettre::Address::new(name, host).is_ok();
        if good { Ok(Self(text.to_ascii_lowercase().into())) } else { Err(InvalidAddress) }
    }
}

/// What RFC 5322 lets stand in a name without quotes.
fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl TryFrom<String> for Address {
    type Error = InvalidAddress;

    fn try_from(text: String) -> Result<Self, InvalidAddress> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.0.into()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_plain() {
        for good in ["ada@example.com", "A.da+reports@mail.example.co.uk", "o'neil@a-b.example"] {
            assert_eq!(good.parse::<Address>().unwrap().as_str(), good.to_lowercase());
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
            assert_eq!(bad.parse::<Address>(), Err(InvalidAddress), "{bad:?}");
        }
        assert!(format!("{}@example.com", "a".repeat(65)).parse::<Address>().is_err());
    }

    #[test]
    fn a_masked_address_shows_its_host_alone() {
        assert_eq!("ada@example.com".parse::<Address>().unwrap().masked(), "a…@example.com");
    }
}

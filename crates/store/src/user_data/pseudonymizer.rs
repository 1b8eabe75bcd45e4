//! What to search for when a user is erased, and what takes its place in a text.

use serde::{Deserialize, Serialize};
use svc_mcp_access::UserId;
use svc_mcp_tools::report::EmailAddress;

/// Fields of JSON that hold a user id.
const ID_FIELDS: [&str; 13] = [
    "user_id",
    "user",
    "member",
    "owner",
    "actor",
    "by",
    "created_by",
    "decided_by",
    "paused_by",
    "revoked_by",
    "imported_by",
    "suspended_by",
    "requested_by",
];
/// Fields of JSON that hold the name of a person.
const NAME_FIELDS: [&str; 2] = ["name", "user_name"];

/// The addresses and names of a user, collected from their memberships.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PersonalData {
    /// In lower case.
    addresses: Vec<String>,
    names: Vec<String>,
}

impl PersonalData {
    /// A user id may be an address itself.
    pub(super) fn of(user: &UserId) -> Self {
        let mut personal_data = Self::default();
        personal_data.add_address(user.as_str());
        personal_data
    }

    pub(super) fn add(&mut self, email: Option<&str>, name: Option<&str>) {
        if let Some(email) = email {
            self.add_address(email);
        }
        if let Some(name) = name.filter(|name| !name.is_empty() && !self.names.iter().any(|own| own == name))
        {
            self.names.push(name.to_owned());
        }
    }

    fn add_address(&mut self, text: &str) {
        if let Ok(address) = text.parse::<EmailAddress>()
            && !self.addresses.iter().any(|own| own == address.as_str())
        {
            self.addresses.push(address.as_str().to_owned());
        }
    }
}

/// Everything that is searched for, and the pseudonym.
#[derive(Debug, Clone)]
pub(super) struct Pseudonymizer {
    pub(super) user: UserId,
    pub(super) pseudonym: UserId,
    personal_data: PersonalData,
}

impl Pseudonymizer {
    pub(super) fn new(user: UserId, pseudonym: UserId, personal_data: PersonalData) -> Self {
        Self { user, pseudonym, personal_data }
    }

    pub(super) fn addresses(&self) -> &[String] {
        &self.personal_data.addresses
    }

    /// An address that nobody can have: `.invalid` is reserved.
    pub(super) fn pseudonymous_address(&self) -> String {
        format!("{}@erased.invalid", self.pseudonym.as_str().to_ascii_lowercase())
    }

    /// Parts of a text. If it contains none of them, there is nothing to replace.
    pub(super) fn needles(&self) -> Vec<String> {
        let quoted =
            std::iter::once(self.user.as_str()).chain(self.personal_data.names.iter().map(String::as_str));
        let mut needles: Vec<String> = quoted.map(quote).collect();
        needles.extend(self.personal_data.addresses.iter().cloned());
        needles
    }

    /// The text without addresses, and without the id and the names in fields of people. `None`: it has none.
    pub(super) fn erased(&self, text: &str) -> Option<String> {
        let mut erased = text.to_owned();
        for address in &self.personal_data.addresses {
            erased = replace_address(&erased, address, &self.pseudonymous_address());
        }
        let pseudonym = quote(self.pseudonym.as_str());
        let names = self.personal_data.names.iter().map(String::as_str);
        let fields = ID_FIELDS
            .iter()
            .map(|field| (*field, self.user.as_str()))
            .chain(names.flat_map(|name| NAME_FIELDS.iter().map(move |field| (*field, name))));
        for (field, value) in fields {
            erased =
                erased.replace(&format!("\"{field}\":{}", quote(value)), &format!("\"{field}\":{pseudonym}"));
        }
        (erased != text).then_some(erased)
    }
}

/// A JSON string.
fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// Replaces an address in any case. Part of a longer address stays: `ada@example.com` is not in `xada@example.com`.
fn replace_address(text: &str, address: &str, replacement: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-@".contains(byte);
    let mut replaced = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, _) in lower.match_indices(address) {
        let end = start + address.len();
        let before = lower.as_bytes()[..start].last();
        // A full stop after an address may end the sentence.
        let (next, after_next) = (lower.as_bytes().get(end), lower.as_bytes().get(end + 1));
        let goes_on = match next {
            Some(b'.') => after_next.is_some_and(u8::is_ascii_alphanumeric),
            Some(byte) => is_part(byte),
            None => false,
        };
        if start >= copied && !before.is_some_and(is_part) && !goes_on {
            replaced.push_str(&text[copied..start]);
            replaced.push_str(replacement);
            copied = end;
        }
    }
    replaced.push_str(&text[copied..]);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudonymizer() -> Pseudonymizer {
        let user: UserId = "ada".parse().expect("an id");
        let mut personal_data = PersonalData::of(&user);
        personal_data.add(Some("Ada@Example.com"), Some("Ada \"A\" Lovelace"));
        personal_data.add(Some("ada@example.com"), Some("Ada \"A\" Lovelace"));
        Pseudonymizer::new(user, "erased_1".parse().expect("an id"), personal_data)
    }

    #[test]
    fn addresses_are_replaced_in_any_case_and_only_as_a_whole() {
        for (text, expected) in [
            ("550 <ada@example.com> unknown", Some("550 <erased_1@erased.invalid> unknown")),
            ("To ADA@EXAMPLE.COM.", Some("To erased_1@erased.invalid.")),
            (
                r#"["ada@example.com","bob@example.com"]"#,
                Some(r#"["erased_1@erased.invalid","bob@example.com"]"#),
            ),
            ("xada@example.com", None),
            ("ada@example.com.au", None),
            ("ada@example.community", None),
            ("ü ada@example.com ü", Some("ü erased_1@erased.invalid ü")),
            ("İ ada@example.com", Some("İ erased_1@erased.invalid")),
        ] {
            assert_eq!(pseudonymizer().erased(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn ids_and_names_are_replaced_only_in_fields_of_people() {
        let text = r#"{"user_id":"ada","name":"Ada \"A\" Lovelace","keyword":"ada","created_by":"ada2"}"#;
        let expected = r#"{"user_id":"erased_1","name":"erased_1","keyword":"ada","created_by":"ada2"}"#;
        assert_eq!(pseudonymizer().erased(text).as_deref(), Some(expected));
        assert_eq!(pseudonymizer().erased("ada wrote this"), None);
    }

    #[test]
    fn user_id_that_is_an_address_is_searched_as_one() {
        let user: UserId = "Ada@Example.com".parse().expect("an id");
        let pseudonymizer =
            Pseudonymizer::new(user.clone(), "erased_1".parse().expect("an id"), PersonalData::of(&user));
        assert_eq!(pseudonymizer.addresses(), ["ada@example.com"]);
        assert_eq!(pseudonymizer.needles(), ["\"Ada@Example.com\"", "ada@example.com"]);
    }

    #[test]
    fn pseudonymous_address_is_an_address() {
        assert!(pseudonymizer().pseudonymous_address().parse::<EmailAddress>().is_ok());
    }
}

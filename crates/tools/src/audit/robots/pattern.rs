//! How a rule's path is compared with the path of an address (RFC 9309 §2.2.2 and §2.2.3).

use super::super::address::{escape_at, push_escape, respelled};

/// How percent-escapes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As RFC 9309 has it: both sides in one spelling, so that `/%62` and `/b` are the same path.
    Normal,
    /// As google/robotstxt has it: the address as it was given, and of the rule only the bytes that are not ASCII.
    /// Here so that the matcher can be held equal to that project's own test list.
    AsGiven,
}

impl Spelling {
    /// A rule's path, ready to be compared.
    pub fn of_rule(self, value: &[u8]) -> String {
        match self {
            Self::Normal => respelled(&escaped(value)),
            Self::AsGiven => escaped(value),
        }
    }

    /// An address's path, ready to be compared.
    pub fn of_path(self, path: &str) -> String {
        match self {
            Self::Normal => respelled(path),
            Self::AsGiven => path.to_owned(),
        }
    }
}

/// Bytes that are not ASCII as escapes, escapes with upper-case digits.
pub fn escaped(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        if let Some(octet) = escape_at(value, at) {
            push_escape(&mut text, octet);
            at += 3;
        } else {
            if byte.is_ascii() {
                text.push(char::from(*byte));
            } else {
                push_escape(&mut text, *byte);
            }
            at += 1;
        }
    }
    text
}

/// Path and query of an address, from the first slash on; `/` where there is none.
pub fn path_of(address: &str) -> String {
    let start = if address.starts_with("//") { 2 } else { 0 };
    let rest = &address[start..];
    let begins_path = |c| matches!(c, '/' | '?' | ';');
    let first = rest.find(begins_path).unwrap_or(rest.len());
    let after_scheme = rest.find("://").filter(|scheme| *scheme <= first).map_or(0, |scheme| scheme + 3);
    let after_scheme = &rest[after_scheme..];
    let without_fragment = after_scheme.split('#').next().unwrap_or_default();
    match without_fragment.find(begins_path) {
        Some(begin) if without_fragment[begin..].starts_with('/') => without_fragment[begin..].to_owned(),
        Some(begin) => format!("/{}", &without_fragment[begin..]),
        None => "/".to_owned(),
    }
}

/// Whether the pattern matches the path from its beginning. `*` stands for anything, a `$` at the end for the end.
/// The time is bounded by the two lengths together, since both come from strangers.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return !whole || rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    if whole { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_from_the_beginning_with_stars_and_an_end() {
        for (pattern, path, expected) in [
            ("/a", "/abc", true),
            ("/a$", "/abc", false),
            ("/abc$", "/abc", true),
            ("*b$", "/ab", true),
            ("/*/c*e$", "/a/c/de", true),
            ("/*/c*e$", "/a/c/ed", false),
            ("/a**b", "/a-b", true),
            ("/a*$", "/a?x=1", true),
            // The `*` may not give back what the part before it has taken.
            ("/aa*aa$", "/aaa", false),
            ("/a$b", "/a$bc", true),
            ("", "/x", true),
            ("$", "/", false),
            ("a", "/a", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} on {path}");
        }
    }
}

//! Matches the path of a rule against the path of a URL (RFC 9309 §2.2.2 and §2.2.3).

use super::super::percent_escapes::{decode_escape, push_escape};

/// Escapes bytes that are not ASCII, and writes existing escapes with upper-case digits.
pub fn escape_non_ascii(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        if let Some(octet) = decode_escape(value, at) {
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

/// The path and query of a URL, or `/`.
pub fn path_and_query(url: &str) -> String {
    let start = if url.starts_with("//") { 2 } else { 0 };
    let rest = &url[start..];
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

/// Whether the pattern matches the beginning of the path. `*` matches anything, a final `$` the end of the path.
/// The time is linear, because both texts are untrusted.
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
    fn patterns_match_from_the_beginning_with_wildcards_and_end_anchor() {
        for (pattern, path, expected) in [
            ("/a", "/abc", true),
            ("/a$", "/abc", false),
            ("/abc$", "/abc", true),
            ("*b$", "/ab", true),
            ("/*/c*e$", "/a/c/de", true),
            ("/*/c*e$", "/a/c/ed", false),
            ("/a**b", "/a-b", true),
            ("/a*$", "/a?x=1", true),
            // The two parts around `*` must not overlap.
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

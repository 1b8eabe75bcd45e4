//! Percent escapes in URLs.

/// Normalizes percent escapes (RFC 3986 §6.2.2): upper-case digits, and unreserved characters without an escape.
pub(super) fn normalize_escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut normalized = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(octet) = decode_escape(bytes, at) {
            if is_unreserved(octet) {
                normalized.push(char::from(octet));
            } else {
                push_escape(&mut normalized, octet);
            }
            at += 3;
        } else if bytes[at].is_ascii() {
            normalized.push(char::from(bytes[at]));
            at += 1;
        } else {
            push_escape(&mut normalized, bytes[at]);
            at += 1;
        }
    }
    normalized
}

/// The octet of the escape `%xx` at this position.
pub(super) fn decode_escape(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? * 16 + digit(low)?)
}

pub(super) fn push_escape(text: &mut String, octet: u8) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    text.extend(['%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

//! Decodes bytes from the web. Invalid bytes become U+FFFD.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// The encoding is taken from the byte order mark, then the header, then the document. Otherwise it is UTF-8, or
/// Windows-1252 if the bytes are not valid UTF-8.
pub(super) fn decode<'a>(bytes: &'a [u8], served: Option<&str>, declared: Option<&[u8]>) -> Cow<'a, str> {
    let encoding = served.and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = encoding.or_else(|| declared.and_then(Encoding::for_label).map(Encoding::output_encoding));
    let encoding = encoding.unwrap_or_else(|| if is_utf_8(bytes) { UTF_8 } else { WINDOWS_1252 });
    encoding.decode(bytes).0
}

/// Accepts a body that was cut inside a character.
fn is_utf_8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// The `charset` of a `Content-Type`.
pub(super) fn charset_of(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// The value after `name=` near the beginning of a document, as in `<meta charset=…>` and `<?xml encoding=…?>`.
pub(super) fn declared_value<'a>(bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let head = &bytes[..bytes.len().min(1024)];
    let at = head.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name.as_bytes()))?;
    let rest = head[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_:.".contains(byte))?;
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_is_found_from_every_source() {
        assert_eq!(decode(b"caf\xe9", Some("iso-8859-1"), None), "café");
        assert_eq!(decode(b"caf\xe9", None, Some(b"windows-1252")), "café");
        assert_eq!(decode(b"caf\xe9!", None, None), "café!");
        assert_eq!(decode("café".as_bytes(), None, None), "café");
        assert_eq!(decode(b"\xef\xbb\xbfcaf\xc3\xa9", Some("iso-8859-1"), None), "café");
        assert_eq!(decode(b"\xff\xfea\0", None, None), "a");
        // A declaration that can be read as ASCII is not in a UTF-16 document.
        assert_eq!(decode(b"abc", None, Some(b"utf-16le")), "abc");
        assert_eq!(decode(b"caf\xc3", None, None), "caf\u{fffd}");
    }

    #[test]
    fn encoding_names_are_found() {
        assert_eq!(charset_of("text/html; Charset=\"utf-8\""), Some("utf-8"));
        assert_eq!(charset_of("text/html"), None);
        assert_eq!(declared_value(b"<meta charset = 'gbk'>", "charset"), Some(&b"gbk"[..]));
        assert_eq!(declared_value(b"<?xml encoding=\"utf-8\"?>", "encoding"), Some(&b"utf-8"[..]));
        assert_eq!(declared_value(b"<meta charset", "charset"), None);
    }
}

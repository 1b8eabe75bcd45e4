//! The bytes of an upload as text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A byte order mark decides. Without one it is UTF-16 where every other byte at the start is zero, as in a file whose
/// mark was lost; else UTF-8, or Windows-1252 where it cannot be.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // Takes the mark off, and lets it overrule the encoding that is named here.
    guess(bytes).decode(bytes).0
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let start = &bytes[..bytes.len().min(64)];
    let zeros = |parity: usize| start.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let half = start.len() / 2;
    if half >= 4 && zeros(1) * 10 >= half * 9 && zeros(0) == 0 {
        UTF_16LE
    } else if half >= 4 && zeros(0) * 10 >= half * 9 && zeros(1) == 0 {
        UTF_16BE
    } else if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}

/// What it is instead, where it is known to be no text.
pub(super) fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 4] = [
        (b"PK\x03\x04", "a ZIP archive or an Excel workbook"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
        (b"%PDF", "a PDF document"),
    ];
    KINDS.into_iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, little: bool) -> Vec<u8> {
        let units = text.encode_utf16();
        units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn each_encoding_is_known_with_and_without_its_mark() {
        let text = "Keyword\tCaf\u{e9}";
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            utf_16(text, true),
            utf_16(text, false),
            [b"\xff\xfe".to_vec(), utf_16(text, true)].concat(),
            [b"\xfe\xff".to_vec(), utf_16(text, false)].concat(),
            b"Keyword\tCaf\xe9".to_vec(),
        ] {
            assert_eq!(decode(&bytes), text, "{bytes:?}");
        }
    }

    #[test]
    fn a_workbook_is_no_text() {
        assert_eq!(other_kind(b"PK\x03\x04..."), Some("a ZIP archive or an Excel workbook"));
        assert_eq!(other_kind(b"Keyword"), None);
    }
}

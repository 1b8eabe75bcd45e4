//! Decodes the bytes of an uploaded file.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A byte order mark determines the encoding. Without one it is UTF-16 if every other byte at the start is zero, else
/// UTF-8 if valid, else Windows-1252.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // `decode` removes a byte order mark and uses its encoding instead of the guess.
    guess_encoding(bytes).decode(bytes).0
}

fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
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

/// The kind of the file, if it is known not to be text.
pub(super) fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 4] = [
        (b"PK\x03\x04", "a ZIP archive or an Excel workbook"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
        (b"%PDF", "a PDF document"),
    ];
    KINDS.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, little: bool) -> Vec<u8> {
        let units = text.encode_utf16();
        units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn each_encoding_is_decoded_with_and_without_byte_order_mark() {
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
    fn workbook_is_detected_as_binary() {
        assert_eq!(binary_kind(b"PK\x03\x04..."), Some("a ZIP archive or an Excel workbook"));
        assert_eq!(binary_kind(b"Keyword"), None);
    }
}

//! The MCP result object. What a tool gave stands in it twice: as JSON, and as a text that holds this JSON, with its
//! quotes escaped. Both are written in one go, since to look for the quotes afterwards takes as long as writing does.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// Most results fit, and are not moved while they are written.
const USUAL: usize = 4 * 1024;

pub(crate) fn result_of(output: &impl Serialize, is_error: bool) -> String {
    let mut body = Vec::with_capacity(2 * USUAL);
    body.extend_from_slice(br#"{"content":[{"type":"text","text":""#);
    let mut structured = Vec::with_capacity(USUAL);
    let twice = Twice { text: &mut body };
    let written = output.serialize(&mut Serializer::with_formatter(&mut structured, twice));
    written.expect("what a tool gives is plain JSON");
    body.extend_from_slice(br#""}],"structuredContent":"#);
    body.extend_from_slice(&structured);
    body.extend_from_slice(br#","isError":"#);
    body.extend_from_slice(if is_error { b"true}" } else { b"false}" });
    String::from_utf8(body).expect("JSON is UTF-8")
}

/// What is written as JSON is appended to the text too.
struct Twice<'a> {
    text: &'a mut Vec<u8>,
}

/// Passes on what is the same within a text.
struct Same<'a, W: ?Sized>(&'a mut W, &'a mut Vec<u8>);

/// Passes on what has quotes and backslashes, which stand behind a backslash within a text.
struct Escaped<'a, W: ?Sized>(&'a mut W, &'a mut Vec<u8>);

impl<W: ?Sized + Write> Write for Same<'_, W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece).map(|()| piece.len())
    }

    // What comes with `Write` is a loop, and a result has hundreds of pieces.
    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        self.1.extend_from_slice(piece);
        self.0.write_all(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: ?Sized + Write> Write for Escaped<'_, W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece).map(|()| piece.len())
    }

    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        for byte in piece {
            if matches!(byte, b'"' | b'\\') {
                self.1.push(b'\\');
            }
            self.1.push(*byte);
        }
        self.0.write_all(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

macro_rules! through {
    ($writer:ident: $($piece:ident($($value:ty)?),)*) => {
        $(through!(@one $writer $piece $($value)?);)*
    };
    (@one $writer:ident $piece:ident) => {
        #[inline]
        fn $piece<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
            CompactFormatter.$piece(&mut $writer(json, self.text))
        }
    };
    (@one $writer:ident $piece:ident $value:ty) => {
        fn $piece<W: ?Sized + Write>(&mut self, json: &mut W, value: $value) -> io::Result<()> {
            CompactFormatter.$piece(&mut $writer(json, self.text), value)
        }
    };
}

/// Everything that writes something, so that nothing goes past the text.
impl Formatter for Twice<'_> {
    through! { Same:
        write_null(), write_bool(bool),
        write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64), write_i128(i128),
        write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128),
        write_f32(f32), write_f64(f64), write_number_str(&str),
        write_string_fragment(&str),
        begin_array(), begin_array_value(bool), end_array_value(), end_array(),
        begin_object(), begin_object_key(bool), end_object_key(), begin_object_value(), end_object_value(), end_object(),
    }

    through! { Escaped:
        begin_string(), end_string(), write_char_escape(CharEscape), write_byte_array(&[u8]), write_raw_fragment(&str),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            r#"["\\/a-c\x00-\x1f ]{0,12}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_result_holds_the_output_and_the_very_text_of_it(output in values(), is_error: bool) {
            let text = output.to_string();
            let quoted = serde_json::to_string(&text).expect("a text is JSON");
            let wanted = format!(
                r#"{{"content":[{{"type":"text","text":{quoted}}}],"structuredContent":{text},"isError":{is_error}}}"#
            );
            prop_assert_eq!(result_of(&output, is_error), wanted);
        }
    }

    /// `Value` writes none of these.
    #[test]
    fn every_kind_of_number_stands_in_both() {
        let numbers = (1i8, 2i16, 3i32, -4i128, 5u8, 6u16, 7u32, 8u128, 0.5f32);
        let result: Value = serde_json::from_str(&result_of(&numbers, false)).expect("JSON");
        assert_eq!(result["content"][0]["text"], "[1,2,3,-4,5,6,7,8,0.5]");
        assert_eq!(result["structuredContent"], json!([1, 2, 3, -4, 5, 6, 7, 8, 0.5]));
    }
}

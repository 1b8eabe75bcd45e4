//! The MCP result object. It contains the tool's output twice: as JSON, and as a string that holds the same JSON. Both
//! are written in one pass: escaping the finished JSON afterwards takes as long as serializing it. Fields that are null are
//! left out.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// Most results fit, so their buffer does not grow.
const TYPICAL_BYTES: usize = 4 * 1024;

/// A longer text would fill a model's context.
pub const MAX_TEXT_CHARS: usize = 40_000;
/// No text with more bytes can be short enough: a character takes at most four bytes, and escaping doubles some.
const MAX_TEXT_BYTES: usize = 8 * MAX_TEXT_CHARS;

/// The text of the result is longer than [`MAX_TEXT_CHARS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResultTooLarge;

/// Stops at the limit, so that a large output is never rendered as a whole.
pub(crate) fn render_result(output: &impl Serialize, is_error: bool) -> Result<String, ResultTooLarge> {
    let mut body = Vec::with_capacity(2 * TYPICAL_BYTES);
    body.extend_from_slice(br#"{"content":[{"type":"text","text":""#);
    let mut structured = Vec::with_capacity(TYPICAL_BYTES);
    let formatter = DualFormatter::new(&mut body);
    let written = output.serialize(&mut Serializer::with_formatter(&mut structured, formatter));
    match written {
        Ok(()) => {}
        Err(error) if error.is_io() => return Err(ResultTooLarge),
        Err(error) => panic!("a tool's output is plain JSON: {error}"),
    }
    body.extend_from_slice(br#""}],"structuredContent":"#);
    body.extend_from_slice(&structured);
    body.extend_from_slice(br#","isError":"#);
    body.extend_from_slice(if is_error { b"true}" } else { b"false}" });
    if structured.len() > MAX_TEXT_CHARS && chars(&structured) > MAX_TEXT_CHARS {
        return Err(ResultTooLarge);
    }
    Ok(String::from_utf8(body).expect("JSON is UTF-8"))
}

/// Adds a text block after the tool's output.
pub(crate) fn add_text(body: &mut String, text: &str) {
    const END: &str = r#""}],"structuredContent":"#;
    // The quotes of the output's text are escaped, so the first match is the end of the blocks.
    let end = body.find(END).expect("a rendered result has blocks");
    let block = serde_json::json!({"type": "text", "text": text});
    body.insert_str(end + r#""}"#.len(), &format!(",{block}"));
}

/// The number of characters: every byte that does not continue one.
fn chars(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

/// The text is never shorter than the JSON, so it is enough to check its length.
#[inline]
fn check_length(text: &[u8], piece: &[u8]) -> io::Result<()> {
    if text.len() + piece.len() > MAX_TEXT_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
}

/// Appends everything that is written as JSON to the text as well.
struct DualFormatter<'a> {
    text: &'a mut Vec<u8>,
    /// The name of a field, from its begin until the begin of its value. A value that is null discards it.
    name: Vec<u8>,
    is_in_name: bool,
    /// For each open object, whether it has a field already.
    has_fields: Vec<bool>,
}

impl<'a> DualFormatter<'a> {
    fn new(text: &'a mut Vec<u8>) -> Self {
        Self { text, name: Vec::with_capacity(64), is_in_name: false, has_fields: Vec::with_capacity(8) }
    }

    /// Writes the name of the field whose value begins.
    #[inline]
    fn write_name<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        if self.name.is_empty() {
            return Ok(());
        }
        if let Some(has_fields) = self.has_fields.last_mut()
            && std::mem::replace(has_fields, true)
        {
            TeeWriter(json, self.text).write_all(b",")?;
        }
        EscapingTeeWriter(json, self.text).write_all(&self.name)?;
        self.name.clear();
        Ok(())
    }
}

/// Copies bytes that need no escaping in a JSON string.
struct TeeWriter<'a, W: ?Sized>(&'a mut W, &'a mut Vec<u8>);

/// Copies bytes and escapes quotes and backslashes.
struct EscapingTeeWriter<'a, W: ?Sized>(&'a mut W, &'a mut Vec<u8>);

impl<W: ?Sized + Write> Write for TeeWriter<'_, W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece).map(|()| piece.len())
    }

    // The default `write_all` is a loop, and a result has hundreds of pieces.
    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        check_length(self.1, piece)?;
        self.1.extend_from_slice(piece);
        self.0.write_all(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: ?Sized + Write> Write for EscapingTeeWriter<'_, W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece).map(|()| piece.len())
    }

    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        check_length(self.1, piece)?;
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

macro_rules! forward {
    ($writer:ident: $($piece:ident($($value:ty)?),)*) => {
        $(forward!(@one $writer $piece $($value)?);)*
    };
    (@one $writer:ident $piece:ident $($value:ty)?) => {
        #[inline]
        fn $piece<W: ?Sized + Write>(&mut self, json: &mut W $(, value: $value)?) -> io::Result<()> {
            if self.is_in_name {
                return CompactFormatter.$piece(&mut self.name $(, forward!(@value value $value))?);
            }
            self.write_name(json)?;
            CompactFormatter.$piece(&mut $writer(json, self.text) $(, forward!(@value value $value))?)
        }
    };
    (@value $name:ident $value:ty) => { $name };
}

/// Forwards every method that writes, so that JSON and text stay equal.
impl Formatter for DualFormatter<'_> {
    #[inline]
    fn write_null<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        if self.name.is_empty() {
            return CompactFormatter.write_null(&mut TeeWriter(json, self.text));
        }
        self.name.clear();
        Ok(())
    }

    #[inline]
    fn begin_object<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        self.write_name(json)?;
        self.has_fields.push(false);
        CompactFormatter.begin_object(&mut TeeWriter(json, self.text))
    }

    #[inline]
    fn end_object<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        self.has_fields.pop();
        CompactFormatter.end_object(&mut TeeWriter(json, self.text))
    }

    #[inline]
    fn begin_object_key<W: ?Sized + Write>(&mut self, _: &mut W, _: bool) -> io::Result<()> {
        self.is_in_name = true;
        Ok(())
    }

    #[inline]
    fn begin_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_in_name = false;
        self.name.push(b':');
        Ok(())
    }

    forward! { TeeWriter:
        write_bool(bool),
        write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64), write_i128(i128),
        write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128),
        write_f32(f32), write_f64(f64), write_number_str(&str),
        write_string_fragment(&str),
        begin_array(), begin_array_value(bool), end_array_value(), end_array(),
    }

    forward! { EscapingTeeWriter:
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

    fn without_null_fields(mut value: Value) -> Value {
        match &mut value {
            Value::Object(fields) => {
                fields.retain(|_, field| !field.is_null());
                fields.values_mut().for_each(|field| *field = without_null_fields(field.take()));
            }
            Value::Array(items) => {
                for item in items {
                    *item = without_null_fields(item.take());
                }
            }
            _ => {}
        }
        value
    }

    proptest! {
        #[test]
        fn the_text_holds_exactly_the_structured_content(output in values(), is_error: bool) {
            let text = without_null_fields(output.clone()).to_string();
            let quoted = serde_json::to_string(&text).expect("a text is JSON");
            let wanted = format!(
                r#"{{"content":[{{"type":"text","text":{quoted}}}],"structuredContent":{text},"isError":{is_error}}}"#
            );
            prop_assert_eq!(render_result(&output, is_error), Ok(wanted.clone()));
            let mut noted = wanted.clone();
            add_text(&mut noted, "a \"note\"");
            let (mut noted, wanted): (Value, Value) =
                (serde_json::from_str(&noted).expect("JSON"), serde_json::from_str(&wanted).expect("JSON"));
            let note = noted["content"].as_array_mut().expect("blocks").pop();
            prop_assert_eq!(note, Some(json!({"type": "text", "text": "a \"note\""})));
            prop_assert_eq!(noted, wanted);
        }
    }

    #[test]
    fn an_output_over_the_limit_is_not_rendered() {
        for character in ["x", "é", "🦀"] {
            let text = character.repeat(MAX_TEXT_CHARS - 2);
            assert!(render_result(&text, false).is_ok(), "the text also has two quotes");
            assert_eq!(render_result(&format!("{text}x"), false), Err(ResultTooLarge));
        }
        assert_eq!(render_result(&vec!["\"x\""; MAX_TEXT_CHARS], false), Err(ResultTooLarge));
    }

    #[test]
    fn null_fields_are_left_out_and_other_nulls_stay() {
        let output =
            json!({"a": null, "b": {"c": null, "d": [null, {"e": null, "f": 1}], "g": null}, "h\"": {}});
        let result: Value =
            serde_json::from_str(&render_result(&output, false).expect("small")).expect("JSON");
        assert_eq!(result["structuredContent"], json!({"b": {"d": [null, {"f": 1}]}, "h\"": {}}));
        assert_eq!(result["content"][0]["text"], r#"{"b":{"d":[null,{"f":1}]},"h\"":{}}"#);
    }

    /// `Value` uses none of these number types.
    #[test]
    fn every_number_type_is_written_to_json_and_text() {
        let numbers = (1i8, 2i16, 3i32, -4i128, 5u8, 6u16, 7u32, 8u128, 0.5f32);
        let result: Value =
            serde_json::from_str(&render_result(&numbers, false).expect("small")).expect("JSON");
        assert_eq!(result["content"][0]["text"], "[1,2,3,-4,5,6,7,8,0.5]");
        assert_eq!(result["structuredContent"], json!([1, 2, 3, -4, 5, 6, 7, 8, 0.5]));
    }
}

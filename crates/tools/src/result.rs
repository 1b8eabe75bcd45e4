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
    let mut copies = Copies::default();
    match output.serialize(&mut Serializer::with_formatter(io::sink(), &mut copies)) {
        Ok(()) => {}
        Err(error) if error.is_io() => return Err(ResultTooLarge),
        Err(error) => panic!("a tool's output is plain JSON: {error}"),
    }
    let Copies { json, text: mut body, .. } = copies;
    if json.len() > MAX_TEXT_CHARS && chars(&json) > MAX_TEXT_CHARS {
        return Err(ResultTooLarge);
    }
    body.extend_from_slice(br#""}],"structuredContent":"#);
    body.extend_from_slice(&json);
    body.extend_from_slice(br#","isError":"#);
    body.extend_from_slice(if is_error { b"true}" } else { b"false}" });
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

/// The tool's output as JSON, and the begin of the result with the same JSON inside a string.
#[derive(Debug)]
struct Copies {
    json: Vec<u8>,
    text: Vec<u8>,
    /// The lengths of both before the field that was begun last.
    before_field: [usize; 2],
    /// The length of the JSON where the value of that field begins.
    value_start: usize,
}

impl Default for Copies {
    fn default() -> Self {
        let json = Vec::with_capacity(TYPICAL_BYTES);
        let mut text = Vec::with_capacity(2 * TYPICAL_BYTES);
        text.extend_from_slice(br#"{"content":[{"type":"text","text":""#);
        Self { json, text, before_field: [0; 2], value_start: NO_VALUE }
    }
}

const NO_VALUE: usize = usize::MAX;

impl Copies {
    /// The text is never shorter than the JSON, so it is enough to check its length.
    #[inline]
    fn append(&mut self, json: &[u8], text: &[u8]) -> io::Result<()> {
        if self.text.len() + text.len() > MAX_TEXT_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.json.extend_from_slice(json);
        self.text.extend_from_slice(text);
        Ok(())
    }
}

/// Appends bytes that need no escaping in a JSON string.
impl Write for Copies {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece).map(|()| piece.len())
    }

    // The default `write_all` is a loop, and a result has hundreds of pieces.
    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        self.append(piece, piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

macro_rules! copy {
    ($($piece:ident($($value:ty)?),)*) => {
        $(copy!(@one $piece $($value)?);)*
    };
    (@one $piece:ident $($value:ty)?) => {
        #[inline]
        fn $piece<W: ?Sized + Write>(&mut self, _: &mut W $(, value: $value)?) -> io::Result<()> {
            CompactFormatter.$piece(*self $(, copy!(@value value $value))?)
        }
    };
    (@value $name:ident $value:ty) => { $name };
}

/// Every method that writes appends to both copies, and nothing goes to the serializer's own writer.
impl Formatter for &mut Copies {
    fn write_null<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        if self.json.len() != self.value_start {
            return self.write_all(b"null");
        }
        let [json, text] = self.before_field;
        self.json.truncate(json);
        self.text.truncate(text);
        self.value_start = NO_VALUE;
        Ok(())
    }

    #[inline]
    fn begin_object_key<W: ?Sized + Write>(&mut self, _: &mut W, _: bool) -> io::Result<()> {
        self.before_field = [self.json.len(), self.text.len()];
        // Not the parameter, because the first field may have been left out. No value ends with this byte.
        if self.json.ends_with(b"{") { Ok(()) } else { self.write_all(b",") }
    }

    #[inline]
    fn begin_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.write_all(b":")?;
        self.value_start = self.json.len();
        Ok(())
    }

    #[inline]
    fn begin_string<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.append(b"\"", b"\\\"")
    }

    #[inline]
    fn end_string<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.append(b"\"", b"\\\"")
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, _: &mut W, escape: CharEscape) -> io::Result<()> {
        let mut json = Vec::new();
        CompactFormatter.write_char_escape(&mut json, escape)?;
        self.append(&json, &escaped(&json))
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, _: &mut W, json: &str) -> io::Result<()> {
        self.append(json.as_bytes(), &escaped(json.as_bytes()))
    }

    copy! {
        write_bool(bool),
        write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64), write_i128(i128),
        write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128),
        write_f32(f32), write_f64(f64), write_number_str(&str), write_byte_array(&[u8]),
        write_string_fragment(&str),
        begin_array(), begin_array_value(bool), end_array_value(), end_array(),
        begin_object(), end_object(),
    }
}

/// JSON as a part of a JSON string.
fn escaped(json: &[u8]) -> Vec<u8> {
    let backslash = |byte: &u8| matches!(byte, b'"' | b'\\').then_some(b'\\');
    json.iter().flat_map(|byte| backslash(byte).into_iter().chain([*byte])).collect()
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

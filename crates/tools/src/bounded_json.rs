//! Parses JSON from a request. It stops at a bound on the number of values and on their depth, because a small body can
//! hold enough values to make every later step expensive.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};

/// Every object, list, text, number, boolean and null counts as one value.
pub const MAX_VALUES: usize = 10_000;
/// The levels of objects and lists within each other.
pub const MAX_DEPTH: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum BoundedJsonError {
    #[error("must have at most {MAX_VALUES} values in all; send less in one request")]
    TooManyValues,
    #[error("must have at most {MAX_DEPTH} levels of objects and lists; use fewer levels")]
    TooDeep,
    #[error(transparent)]
    Malformed(serde_json::Error),
}

pub fn parse(json: &[u8]) -> Result<Value, BoundedJsonError> {
    let mut budget = Budget { values_left: MAX_VALUES, exceeded: None };
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let parsed = ValueSeed { budget: &mut budget, depth: 0 }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    parsed.map_err(|error| budget.exceeded.unwrap_or(BoundedJsonError::Malformed(error)))
}

struct Budget {
    values_left: usize,
    /// Set when the parser is stopped: its own error type has no place for the reason.
    exceeded: Option<BoundedJsonError>,
}

impl Budget {
    fn stop<E: serde::de::Error>(&mut self, reason: BoundedJsonError) -> E {
        let error = E::custom(&reason);
        self.exceeded = Some(reason);
        error
    }
}

/// Parses one value.
struct ValueSeed<'b> {
    budget: &'b mut Budget,
    /// The number of objects and lists around the value.
    depth: usize,
}

impl ValueSeed<'_> {
    /// The depth of the values in this object or list.
    fn inner_depth<E: serde::de::Error>(&mut self) -> Result<usize, E> {
        if self.depth >= MAX_DEPTH {
            return Err(self.budget.stop(BoundedJsonError::TooDeep));
        }
        Ok(self.depth + 1)
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.budget.values_left.checked_sub(1) {
            Some(left) => self.budget.values_left = left,
            None => return Err(self.budget.stop(BoundedJsonError::TooManyValues)),
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        let depth = self.inner_depth()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(ValueSeed { budget: self.budget, depth })? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<Value, A::Error> {
        let depth = self.inner_depth()?;
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let value = object.next_value_seed(ValueSeed { budget: self.budget, depth })?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn small_values_parse_as_serde_json_parses_them(value in values(), pretty: bool) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let expected: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(parse(text.as_bytes()).expect("within the bounds"), expected);
        }

        /// Cut and changed texts: both parsers accept the same, and name the same place.
        #[test]
        fn malformed_texts_are_refused_as_serde_json_refuses_them(value in values(), at: prop::sample::Index, byte: u8) {
            let mut text = value.to_string().into_bytes();
            let at = at.index(text.len());
            let cut = text[..at].to_vec();
            text[at] = byte;
            for text in [cut, text] {
                match (parse(&text), serde_json::from_slice::<Value>(&text)) {
                    (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
                    (Err(BoundedJsonError::Malformed(ours)), Err(theirs)) => {
                        prop_assert_eq!(ours.to_string(), theirs.to_string());
                        prop_assert_eq!(ours.is_eof(), theirs.is_eof());
                    }
                    (ours, theirs) => prop_assert!(false, "{ours:?} and {theirs:?}"),
                }
            }
        }
    }

    #[test]
    fn the_last_of_two_fields_with_one_name_counts() {
        assert_eq!(parse(br#"{"a": 1, "a": 2}"#).expect("JSON"), json!({"a": 2}));
    }

    #[test]
    fn parsing_stops_at_the_number_of_values() {
        let list = |items: usize| format!("[{}1]", "1,".repeat(items - 1));
        assert!(parse(list(MAX_VALUES - 1).as_bytes()).is_ok());
        let refused = parse(list(MAX_VALUES).as_bytes());
        assert!(matches!(refused, Err(BoundedJsonError::TooManyValues)), "{refused:?}");
        // Fields with the same name count too, and what follows the bound is not read.
        let refused = parse(format!("{{{}!", r#""a": 0, "#.repeat(MAX_VALUES)).as_bytes());
        assert!(matches!(refused, Err(BoundedJsonError::TooManyValues)), "{refused:?}");
    }

    #[test]
    fn parsing_stops_at_the_depth() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        let refused = parse(nested(MAX_DEPTH + 1).as_bytes());
        assert!(matches!(refused, Err(BoundedJsonError::TooDeep)), "{refused:?}");
        let refused = parse(r#"{"a":"#.repeat(100_000).as_bytes());
        assert!(matches!(refused, Err(BoundedJsonError::TooDeep)), "{refused:?}");
    }
}

//! Reading the fields of a body or a query, with every fault found before any is told.

use std::{fmt::Display, str::FromStr};

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde_json::{Map, Value};
use svc_mcp_access::{
    Fault,
    validate::{plain_text, repeated},
};

use crate::http::problem::Problem;

/// The fields of a JSON object. Ask for each that is known, then `finish`: what was not asked for is refused by name.
#[derive(Debug)]
pub(crate) struct Fields {
    values: Map<String, Value>,
    faults: Vec<Fault>,
}

impl Fields {
    pub(crate) fn of(body: Value) -> Result<Self, Problem> {
        match body {
            Value::Object(values) => Ok(Self { values, faults: Vec::new() }),
            _ => Err(Problem::invalid_request(vec![Fault::new("body", "must be a JSON object")])),
        }
    }

    /// `None` only where `finish` will fail.
    pub(crate) fn required<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        match self.values.remove(name) {
            None | Some(Value::Null) => {
                self.faults.push(Fault::new(name, "is required"));
                None
            }
            Some(value) => self.read(name, &value, read),
        }
    }

    /// `None` where it is absent or null, or where `finish` will fail.
    pub(crate) fn optional<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        match self.values.remove(name) {
            None | Some(Value::Null) => None,
            Some(value) => self.read(name, &value, read),
        }
    }

    /// A field with fields of its own, which tells its faults itself.
    pub(crate) fn nested<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Value) -> Result<T, Vec<Fault>>,
    ) -> Option<T> {
        let value = self.values.remove(name).filter(|value| !value.is_null());
        read(value.unwrap_or_else(|| Value::Object(Map::new())))
            .map_err(|faults| self.faults.extend(faults))
            .ok()
    }

    fn read<T>(
        &mut self,
        name: &str,
        value: &Value,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        read(value).map_err(|message| self.faults.push(Fault::new(name, message))).ok()
    }

    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        for name in self.values.keys() {
            self.faults.push(Fault::new(repeated(name), "is not known here"));
        }
        if self.faults.is_empty() { Ok(()) } else { Err(Problem::invalid_request(self.faults)) }
    }
}

/// Reads a text that has a form of its own.
pub(crate) fn parsed<T: FromStr<Err: Display>>(value: &Value) -> Result<T, String> {
    value.as_str().ok_or("must be a text")?.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads a text that a person typed.
pub(crate) fn text(longest: usize) -> impl Fn(&Value) -> Result<String, String> {
    move |value| plain_text(value.as_str().ok_or("must be a text")?, longest)
}

/// The parameters of a query, read like fields.
#[derive(Debug)]
pub(crate) struct Params(pub(crate) Fields);

impl Params {
    fn of(parts: &Parts) -> Self {
        let mut values = Map::new();
        let mut faults = Vec::new();
        for (name, value) in url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            if values.insert(name.to_string(), Value::String(value.into_owned())).is_some() {
                faults.push(Fault::new(repeated(&name), "is there more than once"));
            }
        }
        Self(Fields { values, faults })
    }

    /// A whole number, `default` where it is absent.
    pub(crate) fn number(&mut self, name: &str, default: u32, largest: u32) -> u32 {
        let read = |value: &Value| {
            let number: u32 = parsed(value).unwrap_or(0);
            if (1..=largest).contains(&number) { Ok(number) } else { Err(format!("must be 1 to {largest}")) }
        };
        self.0.optional(name, read).unwrap_or(default)
    }

    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let read = |value: &Value| match value.as_str() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err("must be true or false".to_owned()),
        };
        self.0.optional(name, read).unwrap_or(false)
    }

    pub(crate) fn cursor(&mut self) -> Option<svc_mcp_store::Cursor> {
        self.0.optional("cursor", |value| {
            let decoded = value.as_str().and_then(svc_mcp_store::Cursor::decode);
            decoded.ok_or_else(|| "is not a `next_cursor` of this list".to_owned())
        })
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self::of(parts))
    }
}

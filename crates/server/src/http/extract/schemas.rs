//! Schemas of texts that several bodies and queries have. Use them with `#[schemars(with = "…")]`.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use svc_mcp_store::Cursor;
use svc_mcp_tools::{
    Registry,
    net::{HTTP_URL_MESSAGE, HTTP_URL_PATTERN, MAX_URL_CHARS, parse_http_url},
    report::{EmailAddress, EmailAddressError},
    validation::TextFormat,
};

/// Text that a person typed: not blank, without control characters.
pub(crate) const PLAIN_TEXT: &str = r"^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$";
pub(crate) const ID: &str = "^[A-Za-z0-9_-]{1,64}$";
const CURSOR: &str = "^[A-Za-z0-9_-]+$";
/// An address that can stand in a mail header without quotes.
const EMAIL: &str = "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\
    @([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";

pub(crate) const PATTERNS: &[(&str, &str)] = &[
    (PLAIN_TEXT, "must not contain control characters"),
    (ID, "must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -"),
    (HTTP_URL_PATTERN, HTTP_URL_MESSAGE),
    (EMAIL, EmailAddressError::MESSAGE),
    (CURSOR, NOT_A_CURSOR),
];

const NOT_A_CURSOR: &str = "is not a `next_cursor` of this list";

pub(crate) const FORMATS: &[TextFormat] = &[
    TextFormat { name: "uri", is_valid: |text| parse_http_url(text).is_ok(), message: HTTP_URL_MESSAGE },
    TextFormat {
        name: "email",
        is_valid: |text| text.parse::<EmailAddress>().is_ok(),
        message: EmailAddressError::MESSAGE,
    },
];

macro_rules! text_schemas {
    ($($(#[$doc:meta])* $name:ident $schema:tt)+) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

text_schemas! {
    Id {"type": "string", "pattern": ID}
    HttpUrl {"type": "string", "format": "uri", "maxLength": MAX_URL_CHARS, "pattern": HTTP_URL_PATTERN}
    Email {"type": "string", "format": "email", "maxLength": 254, "pattern": EMAIL}
    CursorText {"type": "string", "maxLength": 200, "pattern": CURSOR}
    Time {"type": "string", "format": "date-time"}
    AnyObject {"type": "object"}
    ToolName {"type": "string", "enum": tool_names()}
}

fn tool_names() -> Vec<&'static str> {
    Registry::default().entries().map(|entry| entry.description().name).collect()
}

/// For `#[serde(deserialize_with)]`: the cursor of a page.
pub(crate) fn cursor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cursor>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| Cursor::decode(&text).ok_or_else(|| Error::custom(NOT_A_CURSOR))).transpose()
}

/// For `#[serde(deserialize_with)]`: one of several names. The schema lists them.
pub(crate) fn name<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(|_| Error::custom("is not known here"))).transpose()
}

//! Schemas of texts that several bodies and queries have. Use them with `#[schemars(with = "…")]`.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use svc_mcp_access::brand::NOT_A_LANGUAGE;
use svc_mcp_store::{Cursor, TextChange};
use svc_mcp_tools::{
    Registry, local_time,
    net::{HTTP_URL_MESSAGE, HTTP_URL_PATTERN, MAX_URL_CHARS, parse_http_url},
    report::{EmailAddress, EmailAddressError},
    validation::TextFormat,
};

/// Text that a person typed: not blank, without control characters.
pub(crate) const PLAIN_TEXT: &str = r"^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$";
pub(crate) const ID: &str = "^[A-Za-z0-9_-]{1,64}$";
/// The exact rule, `UserId`, also excludes characters that show nothing.
pub(crate) const USER_ID: &str = r"^[^\s\p{Cc}]+$";
const LANGUAGE: &str = "^[a-z]{2,3}$";
const CURSOR: &str = "^[A-Za-z0-9_-]+$";
/// An address that can stand in a mail header without quotes.
const EMAIL: &str = "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\
    @([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";

pub(crate) const PATTERNS: &[(&str, &str)] = &[
    (PLAIN_TEXT, "must not contain control characters"),
    (ID, "must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -"),
    (USER_ID, "must be 1 to 255 visible characters"),
    (HTTP_URL_PATTERN, HTTP_URL_MESSAGE),
    (EMAIL, EmailAddressError::MESSAGE),
    (CURSOR, NOT_A_CURSOR),
    (LANGUAGE, NOT_A_LANGUAGE),
];

const NOT_A_CURSOR: &str = "is not a `next_cursor` of this list";

pub(crate) const FORMATS: &[TextFormat] = &[
    TextFormat { name: "uri", is_valid: |text| parse_http_url(text).is_ok(), message: HTTP_URL_MESSAGE },
    TextFormat {
        name: "email",
        is_valid: |text| text.parse::<EmailAddress>().is_ok(),
        message: EmailAddressError::MESSAGE,
    },
    TextFormat {
        name: "time-zone",
        is_valid: |text| local_time::canonical_name(text).is_some(),
        message: local_time::UNKNOWN_TIME_ZONE,
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
    /// It holds the name or the address of the last row.
    LongCursorText {"type": "string", "maxLength": 1_600, "pattern": CURSOR}
    CursorText {"type": "string", "maxLength": 200, "pattern": CURSOR}
    Language {"type": "string", "pattern": LANGUAGE}
    TimeZoneName {"type": "string", "format": "time-zone", "maxLength": 64}
    Time {"type": "string", "format": "date-time"}
    AnyObject {"type": "object"}
    ToolName {"type": "string", "enum": tool_names()}
    NetworkText {"type": "string", "format": "ip-network", "maxLength": 64}
}

fn tool_names() -> Vec<&'static str> {
    Registry::default().entries().map(|entry| entry.description().name).collect()
}

/// For `#[serde(deserialize_with)]`: the cursor of a page.
pub(crate) fn cursor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cursor>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| Cursor::decode(&text).ok_or_else(|| Error::custom(NOT_A_CURSOR))).transpose()
}

/// For `#[serde(default, deserialize_with)]`: tells a field that is null (`Some(None)`) from one that is absent (`None`).
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// For `#[serde(default, deserialize_with)]`: a field that is absent stays as it is, and null removes it.
pub(crate) fn text_change<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TextChange, D::Error> {
    Option::<String>::deserialize(deserializer).map(TextChange::from)
}

/// For `#[serde(deserialize_with)]`: one of several names. The schema lists them.
pub(crate) fn name<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(|_| Error::custom("is not known here"))).transpose()
}

//! How many items a page of a list has.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

/// 1 to `MAX`, and `DEFAULT` if the query does not say.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(crate) struct PageLimit<const DEFAULT: u32, const MAX: u32>(u32);

impl<const DEFAULT: u32, const MAX: u32> PageLimit<DEFAULT, MAX> {
    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

impl<const DEFAULT: u32, const MAX: u32> Default for PageLimit<DEFAULT, MAX> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<const DEFAULT: u32, const MAX: u32> JsonSchema for PageLimit<DEFAULT, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("PageLimit{DEFAULT}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": format!("1 to {MAX}, {DEFAULT} by default"),
            "type": "integer",
            "format": "uint32",
            "minimum": 1,
            "maximum": MAX,
            "default": DEFAULT,
        })
    }
}

//! The body of a change: the arguments of the tool without the id of the post, which is in the path.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value};
use svc_mcp_access::Fault;
use svc_mcp_tools::posts::{PostVersion, PublishArguments, UpdateArguments};

use crate::{app::App, http::extract::Input};

const POST_ID: &str = "post_id";

/// The arguments of a tool that changes a post.
pub(crate) trait EditArguments: DeserializeOwned + JsonSchema + Send + 'static {
    /// The name of the body in the API document.
    const BODY_NAME: &'static str;

    fn faults(&self) -> Vec<Fault> {
        Vec::new()
    }
}

impl EditArguments for UpdateArguments {
    const BODY_NAME: &'static str = "PatchPost";

    fn faults(&self) -> Vec<Fault> {
        self.faults()
    }
}

impl EditArguments for PublishArguments {
    const BODY_NAME: &'static str = "PublishPost";

    fn faults(&self) -> Vec<Fault> {
        self.faults()
    }
}

impl EditArguments for PostVersion {
    const BODY_NAME: &'static str = "PostVersion";
}

#[derive(Debug)]
pub(crate) struct PostBody<T> {
    fields: Map<String, Value>,
    arguments: PhantomData<fn() -> T>,
}

impl<T: EditArguments> PostBody<T> {
    /// Fails for what the schema cannot express, such as a number that is too large.
    pub(crate) fn arguments(mut self, post_id: &str) -> Result<T, Fault> {
        self.fields.insert(POST_ID.to_owned(), post_id.into());
        serde_json::from_value(self.fields.into()).map_err(|error| Fault::new("body", error))
    }
}

impl<'de, T> Deserialize<'de> for PostBody<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { fields: Map::deserialize(deserializer)?, arguments: PhantomData })
    }
}

impl<T: EditArguments> JsonSchema for PostBody<T> {
    fn schema_name() -> Cow<'static, str> {
        T::BODY_NAME.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.remove(POST_ID);
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name != POST_ID);
        }
        schema
    }
}

impl<T: EditArguments> Input for PostBody<T> {
    fn check(body: &Value, _: &App) -> Vec<Fault> {
        let mut body = body.clone();
        if let Some(fields) = body.as_object_mut() {
            fields.insert(POST_ID.to_owned(), "post".into());
        }
        serde_json::from_value::<T>(body).map(|arguments| arguments.faults()).unwrap_or_default()
    }
}

//! An operation of the API: its route and its description are one value, so that none exists without the other.

use std::sync::Arc;

use axum::{
    handler::Handler,
    routing::{MethodFilter, MethodRouter, on},
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use svc_mcp_access::user_id::MAX_USER_ID_CHARS;

use super::extract::schemas::{ID, USER_ID};
use crate::app::App;

type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// A group of operations. It determines the credential that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Tools,
    Keys,
    Posts,
    Approvals,
    Brand,
    Account,
    Operator,
    Public,
}

impl Tag {
    pub(crate) const ALL: [Self; 8] = [
        Self::Tools,
        Self::Keys,
        Self::Posts,
        Self::Approvals,
        Self::Brand,
        Self::Account,
        Self::Operator,
        Self::Public,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Keys => "keys",
            Self::Posts => "posts",
            Self::Approvals => "approvals",
            Self::Brand => "brand",
            Self::Account => "account",
            Self::Operator => "operator",
            Self::Public => "public",
        }
    }

    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Tools => "What an agent uses, with an MCP key",
            Self::Keys => "Managing a brand's keys, with the application's token",
            Self::Posts => "Changing and stopping a brand's posts, with the application's token",
            Self::Approvals => "Deciding on calls that wait, with the application's token",
            Self::Brand => "What a brand's administrators set up",
            Self::Account => "Who you are and what you act for",
            Self::Operator => "Everything over all brands, with an operator's token or session",
            Self::Public => "Open to everybody",
        }
    }

    fn security(self) -> Value {
        match self {
            Self::Tools => json!([{"mcp_key": []}]),
            Self::Public => json!([{}]),
            _ => json!([{"jwt": []}, {"session": []}]),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) route: MethodRouter<Arc<App>>,
    id: &'static str,
    tag: Tag,
    summary: &'static str,
    description: Option<&'static str>,
    /// `None`: that of the group.
    security: Option<Value>,
    headers: Vec<Value>,
    query: Option<SchemaFn>,
    body: Option<Content>,
    body_is_optional: bool,
    responses: Vec<Response>,
}

#[derive(Debug)]
struct Content {
    kind: &'static str,
    description: Option<&'static str>,
    schema: SchemaFn,
}

#[derive(Debug)]
struct Response {
    status: u16,
    description: &'static str,
    content: Option<Content>,
    headers: Vec<&'static str>,
}

impl Operation {
    pub(crate) fn get<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new("get", path, on(MethodFilter::GET, handler))
    }

    pub(crate) fn post<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new("post", path, on(MethodFilter::POST, handler))
    }

    pub(crate) fn put<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new("put", path, on(MethodFilter::PUT, handler))
    }

    pub(crate) fn patch<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new("patch", path, on(MethodFilter::PATCH, handler))
    }

    pub(crate) fn delete<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new("delete", path, on(MethodFilter::DELETE, handler))
    }

    fn new(method: &'static str, path: &'static str, route: MethodRouter<Arc<App>>) -> Self {
        Self {
            method,
            path,
            route,
            id: "",
            tag: Tag::Public,
            summary: "",
            description: None,
            security: None,
            headers: Vec::new(),
            query: None,
            body: None,
            body_is_optional: false,
            responses: Vec::new(),
        }
    }

    pub(crate) fn describe(mut self, tag: Tag, id: &'static str, summary: &'static str) -> Self {
        (self.tag, self.id, self.summary) = (tag, id, summary);
        self
    }

    pub(crate) fn details(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The credentials, if they differ from those of the group.
    pub(crate) fn security(self, credentials: Value) -> Self {
        Self { security: Some(credentials), ..self }
    }

    /// An optional header of the request.
    pub(crate) fn header(mut self, name: &'static str, description: &str, schema: &Value) -> Self {
        self.headers.push(parameter(name, "header", Some(description), false, schema));
        self
    }

    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(T::json_schema);
        self
    }

    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(Content {
            kind: "application/json",
            description: None,
            schema: SchemaGenerator::subschema_for::<T>,
        });
        self
    }

    /// A body that may be left out.
    pub(crate) fn optional_body<T: JsonSchema>(self) -> Self {
        Self { body_is_optional: true, ..self.body::<T>() }
    }

    /// A body that is a file.
    pub(crate) fn file(mut self, kind: &'static str, description: &'static str) -> Self {
        let schema = SchemaGenerator::subschema_for::<String>;
        self.body = Some(Content { kind, description: Some(description), schema });
        self
    }

    pub(crate) fn json<T: JsonSchema>(self, status: u16, description: &'static str) -> Self {
        self.content::<T>(status, "application/json", description)
    }

    pub(crate) fn text(self, kind: &'static str, description: &'static str) -> Self {
        self.content::<String>(200, kind, description)
    }

    pub(crate) fn content<T: JsonSchema>(
        mut self,
        status: u16,
        kind: &'static str,
        description: &'static str,
    ) -> Self {
        let content = Content { kind, description: None, schema: SchemaGenerator::subschema_for::<T> };
        self.responses.push(Response { status, description, content: Some(content), headers: Vec::new() });
        self
    }

    /// A response without a body.
    pub(crate) fn empty(mut self, status: u16, description: &'static str) -> Self {
        self.responses.push(Response { status, description, content: None, headers: Vec::new() });
        self
    }

    /// The headers of the response that was added last.
    pub(crate) fn with_headers(mut self, names: &[&'static str]) -> Self {
        if let Some(response) = self.responses.last_mut() {
            response.headers.extend_from_slice(names);
        }
        self
    }

    /// The operation object of OpenAPI.
    pub(crate) fn document(&self, generator: &mut SchemaGenerator) -> Value {
        let mut operation = json!({
            "operationId": self.id,
            "tags": [self.tag.name()],
            "summary": self.summary,
            "security": self.security.clone().unwrap_or_else(|| self.tag.security()),
        });
        if let Some(description) = self.description {
            operation["description"] = description.into();
        }
        let parameters: Vec<Value> = path_parameters(self.path)
            .chain(self.headers.iter().cloned())
            .chain(self.query.into_iter().flat_map(|query| query_parameters(query(generator))))
            .collect();
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        if let Some(body) = &self.body {
            operation["requestBody"] = json!({
                "required": !self.body_is_optional,
                "content": body.document(generator),
            });
            if let Some(description) = body.description {
                operation["requestBody"]["description"] = description.into();
            }
        }
        let mut responses: Map<String, Value> = self
            .responses
            .iter()
            .map(|response| (response.status.to_string(), response.document(generator)))
            .collect();
        responses.insert("default".to_owned(), error_response());
        operation["responses"] = responses.into();
        operation
    }
}

impl Content {
    fn document(&self, generator: &mut SchemaGenerator) -> Value {
        json!({(self.kind): {"schema": (self.schema)(generator)}})
    }
}

impl Response {
    fn document(&self, generator: &mut SchemaGenerator) -> Value {
        let mut response = json!({"description": self.description});
        if !self.headers.is_empty() {
            let header = |name: &&str| ((*name).to_owned(), json!({"schema": {"type": "string"}}));
            response["headers"] = self.headers.iter().map(header).collect::<Map<_, _>>().into();
        }
        if let Some(content) = &self.content {
            response["content"] = content.document(generator);
        }
        response
    }
}

fn error_response() -> Value {
    json!({
        "description": "Every error, in the form of RFC 9457. `code` tells them apart",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    })
}

fn parameter(name: &str, place: &str, description: Option<&str>, required: bool, schema: &Value) -> Value {
    let mut parameter = json!({"name": name, "in": place, "required": required, "schema": schema});
    if let Some(description) = description {
        parameter["description"] = description.into();
    }
    parameter
}

fn path_parameters(path: &str) -> impl Iterator<Item = Value> {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| name.trim_start_matches('*')).map(|name| {
        let mut schema = json!({"type": "string"});
        let mut description = None;
        if name == "user_id" {
            schema["minLength"] = 1.into();
            schema["maxLength"] = MAX_USER_ID_CHARS.into();
            schema["pattern"] = USER_ID.into();
            description = Some("Visible characters, percent-encoded");
        } else if name.ends_with("_id") {
            schema["pattern"] = ID.into();
        }
        parameter(name, "path", description, true, &schema)
    })
}

/// The fields of a query. An absent field is left out of the query, so none of them is null.
fn query_parameters(mut query: Schema) -> Vec<Value> {
    let properties = query.remove("properties").unwrap_or_default();
    let parameters = properties.as_object().into_iter().flatten().map(|(name, schema)| {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        if let Some(Value::Array(kinds)) = schema.get("type") {
            schema["type"] = kinds.first().cloned().unwrap_or_default();
        }
        parameter(name, "query", description.as_ref().and_then(Value::as_str), false, &schema)
    });
    parameters.collect()
}

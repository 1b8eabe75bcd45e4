//! The API document. Routes put themselves into it (see `router.rs`); here is what they share.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    OpenApi, ToSchema,
    openapi::{
        Components, Content, OpenApi as Document, RefOr, ResponseBuilder,
        security::{Http, HttpAuthScheme, SecurityScheme},
    },
};

use super::problem::{FieldError, ProblemBody};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "svc-mcp",
        description = "Keys that let AI agents act for one brand, and the tools those keys open.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(ProblemBody<'_>, FieldError<'_>)),
    tags(
        (name = "tools", description = "What an agent uses, with an MCP key"),
        (name = "keys", description = "Managing a brand's keys, with the application's token"),
        (name = "brand", description = "What a brand's administrators set up"),
        (name = "account", description = "Who you are and what you act for"),
        (name = "operator", description = "Plans, brands and members, with an operator's token"),
        (name = "public", description = "Open to everybody")
    )
)]
struct Frame;

/// What all operations share: the two credentials, and the shape of every error.
pub(crate) fn frame() -> Document {
    let mut document = Frame::openapi();
    let components = document.components.get_or_insert_with(Components::new);
    let bearer = |description: &str| {
        let mut scheme = Http::new(HttpAuthScheme::Bearer);
        scheme.description = Some(description.to_owned());
        SecurityScheme::Http(scheme)
    };
    components.add_security_scheme("mcp_key", bearer("An MCP key, `svc_mcp_…`, made in Settings → MCP"));
    components.add_security_scheme("jwt", bearer("The application's token"));
    document
}

/// Adds the error answer to every operation.
pub(crate) fn with_errors(mut document: Document) -> Document {
    let schema = RefOr::Ref(utoipa::openapi::Ref::from_schema_name("Problem"));
    let error = ResponseBuilder::new()
        .description("Anything that is refused or fails: RFC 9457, told apart by `code`")
        .content("application/problem+json", Content::new(Some(schema)))
        .build();
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            operation.responses.responses.insert("default".to_owned(), RefOr::T(error.clone()));
        }
    }
    document
}

/// The tools of a key
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ToolListBody {
    tools: Vec<ToolObject>,
}

/// An MCP Tool object
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tool)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolObject {
    #[schema(example = "list_posts")]
    name: String,
    title: String,
    description: String,
    #[schema(value_type = Object)]
    input_schema: Value,
    #[schema(value_type = Object)]
    output_schema: Value,
    /// The four hints: readOnlyHint, destructiveHint, idempotentHint, openWorldHint
    #[schema(value_type = Object)]
    annotations: Value,
}

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `read_call` takes")]
pub(crate) struct CallBody {
    #[schema(example = "list_posts")]
    name: String,
    #[schema(value_type = Option<Object>)]
    arguments: Option<Value>,
}

/// An MCP result object
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallResult {
    /// A text block with the same JSON
    #[schema(value_type = Vec<Object>)]
    content: Vec<Value>,
    #[schema(value_type = Object)]
    structured_content: Value,
    is_error: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Catalogue {
    tools: Vec<CatalogueTool>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CatalogueTool {
    name: String,
    title: String,
    description: String,
    /// `read` or `write`
    access: String,
}

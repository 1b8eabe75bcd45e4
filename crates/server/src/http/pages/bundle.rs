//! The routes of the MCP Bundle and its checksum.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{
    app::App,
    http::operation::{Operation, Tag},
};

pub(crate) fn operation() -> Operation {
    Operation::get("/bridge/svc-mcp.mcpb", bundle)
        .describe(Tag::Public, "bundle", "The bridge as an MCP Bundle, which Claude Desktop installs")
        .details("The bundle names this service's public address and contains no key: the application asks for it.")
        .text("application/octet-stream", "The bundle, a ZIP archive")
        .with_headers(&["X-Checksum-Sha256"])
}

pub(crate) fn sum_operation() -> Operation {
    Operation::get("/bridge/svc-mcp.mcpb.sha256", bundle_sum)
        .describe(Tag::Public, "bundle_sum", "The bundle's SHA-256, as `sha256sum -c` reads it")
        .text("text/plain", "The sum")
}

async fn bundle(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.bundle.answer(&headers)
}

async fn bundle_sum(State(app): State<Arc<App>>) -> Response {
    app.bundle.answer_sum()
}

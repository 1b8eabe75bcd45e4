//! The routes of the stdio bridge and its checksum.

use std::sync::LazyLock;

use axum::response::Response;
use http::HeaderMap;

use super::{
    bridge_script::{NAME, SCRIPT},
    download::Download,
};
use crate::http::operation::{Operation, Tag};

static BRIDGE: LazyLock<Download> =
    LazyLock::new(|| Download::new(NAME, "text/x-python; charset=utf-8", SCRIPT));

pub(crate) fn operation() -> Operation {
    Operation::get("/bridge/svc_mcp_stdio.py", bridge)
        .describe(Tag::Public, "bridge", "The stdio bridge, for every MCP client")
        .text("text/x-python", "The script")
        .with_headers(&["X-Checksum-Sha256"])
}

pub(crate) fn sum_operation() -> Operation {
    Operation::get("/bridge/svc_mcp_stdio.py.sha256", bridge_sum)
        .describe(Tag::Public, "bridge_sum", "The bridge's SHA-256, as `sha256sum -c` reads it")
        .text("text/plain", "The sum")
}

async fn bridge(headers: HeaderMap) -> Response {
    BRIDGE.answer(&headers)
}

async fn bridge_sum() -> Response {
    BRIDGE.answer_sum()
}

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Document;
use crate::http::{
    digest::sha256_hex,
    operation::{Operation, Tag},
};

pub(crate) const SCRIPT: &str = include_str!("../../../../../bridge/svc_mcp_stdio.py");
const NAME: &str = "svc_mcp_stdio.py";

static BRIDGE: LazyLock<Document> = LazyLock::new(|| Document::new(SCRIPT, "text/x-python; charset=utf-8"));
static SUM: LazyLock<String> = LazyLock::new(|| sha256_hex(SCRIPT.as_bytes()));

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
    let mut response = BRIDGE.answer(&headers);
    let sum = HeaderValue::from_str(&SUM).expect("hexadecimal is plain ASCII");
    response.headers_mut().insert(HeaderName::from_static("x-checksum-sha256"), sum);
    let download = HeaderValue::from_static("attachment; filename=\"svc_mcp_stdio.py\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, download);
    response
}

async fn bridge_sum() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{}  {NAME}\n", *SUM))
}

#[cfg(test)]
mod tests {
    use super::SCRIPT;

    #[test]
    fn the_bridge_has_the_version_of_the_service() {
        let wanted = format!("VERSION = \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(SCRIPT.lines().any(|line| line == wanted), "bridge/svc_mcp_stdio.py must say {wanted}");
    }
}

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{Document, sha256_hex};

pub(crate) const SCRIPT: &str = include_str!("../../../../../bridge/svc_mcp_stdio.py");
const NAME: &str = "svc_mcp_stdio.py";

static BRIDGE: LazyLock<Document> = LazyLock::new(|| Document::new(SCRIPT, "text/x-python; charset=utf-8"));
static SUM: LazyLock<String> = LazyLock::new(|| sha256_hex(SCRIPT.as_bytes()));

/// The stdio bridge, for every MCP client
#[utoipa::path(get, path = "/bridge/svc_mcp_stdio.py", tag = "public", security(()),
    responses((status = 200, description = "The script", body = String, content_type = "text/x-python",
        headers(("X-Checksum-Sha256" = String)))))]
pub(crate) async fn bridge(headers: HeaderMap) -> Response {
    let mut response = BRIDGE.answer(&headers);
    let sum = HeaderValue::from_str(&SUM).expect("hexadecimal is plain ASCII");
    response.headers_mut().insert(HeaderName::from_static("x-checksum-sha256"), sum);
    let download = HeaderValue::from_static("attachment; filename=\"svc_mcp_stdio.py\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, download);
    response
}

/// Its SHA-256, as `sha256sum -c` takes it
#[utoipa::path(get, path = "/bridge/svc_mcp_stdio.py.sha256", tag = "public", security(()),
    responses((status = 200, description = "The sum", body = String)))]
pub(crate) async fn bridge_sum() -> impl IntoResponse {
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

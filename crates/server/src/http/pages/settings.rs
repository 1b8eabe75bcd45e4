use std::{collections::HashMap, sync::LazyLock};

use axum::{
    extract::Path,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};

use super::Document;
use crate::http::problem::Problem;

/// The files of the page, as they are in `ui/`.
macro_rules! assets {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/", $name)))),+]
    };
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

static FILES: LazyLock<HashMap<&'static str, Document>> = LazyLock::new(|| {
    ASSETS.iter().map(|(name, text)| (*name, Document::new(*text, kind_of(name)))).collect()
});

/// Nothing inline, nothing from another host, no frame around it, and no way to write markup from a text.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
);

/// Settings → MCP, the page where a person makes and manages keys
///
/// Signed in by a link whose fragment carries the application's token: `/settings/mcp#token=…`.
#[utoipa::path(get, path = "/settings/mcp", tag = "public", security(()),
    responses((status = 200, description = "The page", body = String, content_type = "text/html")))]
pub(crate) async fn settings(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

/// A file of that page
#[utoipa::path(get, path = "/settings/assets/{file}", tag = "public", security(()),
    params(("file" = String, Path)), responses((status = 200, description = "The file", body = String)))]
pub(crate) async fn settings_asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    answer(&file, &headers)
}

fn answer(file: &str, headers: &HeaderMap) -> Response {
    let Some(document) = FILES.get(file) else { return Problem::not_found("file").into_response() };
    let mut response = document.answer(headers);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

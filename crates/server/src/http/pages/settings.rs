use std::{collections::HashMap, sync::LazyLock};

use axum::{
    extract::Path,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};

use super::Document;
use crate::http::{
    operation::{Operation, Tag},
    problem::Problem,
};

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

/// No inline code, nothing from other hosts, no frames, and no HTML from strings.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
);

pub(crate) fn page_operation() -> Operation {
    Operation::get("/settings/mcp", settings)
        .describe(Tag::Public, "settings", "Settings → MCP, the page where a person creates and manages keys")
        .details("The link to it carries the application's token in its fragment: `/settings/mcp#token=…`.")
        .text("text/html", "The page")
}

pub(crate) fn asset_operation() -> Operation {
    Operation::get("/settings/assets/{file}", settings_asset)
        .describe(Tag::Public, "settings_asset", "A file of that page")
        .text("text/plain", "The file")
}

async fn settings(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

async fn settings_asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
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

//! The API document, and the page that shows it: Swagger UI, vendored by `scripts/vendor-api-reference`.

use std::{fmt::Write, sync::LazyLock};

use axum::{
    Extension,
    extract::Path,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use serde_json::Value;

use super::Document;
use crate::http::{
    extract::schemas::AnyObject,
    operation::{Operation, Tag},
    problem::{Code, Problem},
};

/// The API document. The router makes it from the list of operations and adds it to the requests.
pub(crate) type ApiDocument = &'static LazyLock<Document>;

/// Swagger UI's files, compressed with gzip.
static VENDORED: LazyLock<[(&str, Document); 2]> = LazyLock::new(|| {
    let script = include_bytes!("../../../vendor/swagger-ui/swagger-ui-bundle.js.gz").as_slice();
    let style = include_bytes!("../../../vendor/swagger-ui/swagger-ui.css.gz").as_slice();
    [
        ("swagger-ui-bundle.js", Document::gzip(script, JAVASCRIPT)),
        ("swagger-ui.css", Document::gzip(style, CSS)),
    ]
});
static OWN: LazyLock<[(&str, Document); 2]> = LazyLock::new(|| {
    [
        ("docs.js", Document::new(include_str!("../../../ui/docs/docs.js"), JAVASCRIPT)),
        ("docs.css", Document::new(include_str!("../../../ui/docs/docs.css"), CSS)),
    ]
});

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";

static PAGE: LazyLock<Document> = LazyLock::new(|| Document::new(page(), "text/html; charset=utf-8"));

/// No inline code and nothing from other hosts. The icons of the style sheet are `data:` images.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

pub(crate) fn json_operation() -> Operation {
    Operation::get("/openapi.json", openapi_json)
        .describe(Tag::Public, "openapi_json", "The API document, OpenAPI 3.1")
        .json::<AnyObject>(200, "The document")
}

pub(crate) fn page_operation() -> Operation {
    Operation::get("/docs", docs)
        .describe(Tag::Public, "docs", "The API document as a page for people")
        .text("text/html", "The page")
}

pub(crate) fn asset_operation() -> Operation {
    Operation::get("/docs/assets/{file}", docs_asset)
        .describe(Tag::Public, "docs_asset", "A file of that page")
        .text("text/plain", "The file")
}

pub(crate) fn json_document(document: &Value) -> Document {
    Document::new(format!("{document:#}"), "application/json")
}

async fn openapi_json(Extension(document): Extension<ApiDocument>, headers: HeaderMap) -> Response {
    document.answer(&headers)
}

async fn docs(headers: HeaderMap) -> Response {
    let mut response = PAGE.answer(&headers);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}

async fn docs_asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let files = OWN.iter().chain(VENDORED.iter());
    match files.into_iter().find(|(name, _)| *name == file) {
        Some((_, document)) => document.answer(&headers),
        None => Problem::not_found("file").into_response(),
    }
}

fn page() -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>svc-mcp API</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"/docs/assets/swagger-ui.css\">\n\
         <link rel=\"stylesheet\" href=\"/docs/assets/docs.css\">\n\
         <script src=\"/docs/assets/swagger-ui-bundle.js\" defer></script>\n\
         <script src=\"/docs/assets/docs.js\" defer></script>\n</head>\n<body>\n<main>\n\
         <p>Keys are created in <a href=\"/settings/mcp\">Settings → MCP</a>. MCP clients use the \
         <a href=\"/bridge/svc_mcp_stdio.py\">stdio bridge</a>. To try a request, enter a key or token with \
         <strong>Authorize</strong>. The <a href=\"#errors\">error codes</a> are at the end of the page.</p>\n\
         <div id=\"reference\"></div>\n<section>\n<h2 id=\"errors\">Errors</h2>\n<table>\n\
         <tr><th>Code</th><th>Status</th><th>Meaning</th></tr>\n",
    );
    for code in Code::ALL {
        let _ = writeln!(
            html,
            "<tr id=\"error-{0}\"><td><code>{0}</code></td><td>{1}</td><td>{2}</td></tr>",
            code.as_str(),
            code.status().as_u16(),
            code.title(),
        );
    }
    html.push_str("</table>\n</section>\n</main>\n</body>\n</html>\n");
    html
}

use std::{fmt::Write, sync::LazyLock};

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};
use serde_json::Value;

use super::Document;
use crate::http::{feeds::escaped, problem::Code, router};

static JSON: LazyLock<Document> = LazyLock::new(|| {
    let text = router::document().to_pretty_json().expect("the document is plain JSON");
    Document::new(text, "application/json")
});
static PAGE: LazyLock<Document> = LazyLock::new(|| {
    let document = serde_json::to_value(router::document()).expect("the document is plain JSON");
    Document::new(page_of(&document), "text/html; charset=utf-8")
});

/// The API document, OpenAPI 3.1
#[utoipa::path(get, path = "/openapi.json", tag = "public", security(()),
    responses((status = 200, description = "The document", body = Object)))]
pub(crate) async fn openapi_json(headers: HeaderMap) -> Response {
    JSON.answer(&headers)
}

/// The same for people
#[utoipa::path(get, path = "/docs", tag = "public", security(()),
    responses((status = 200, description = "The page", body = String, content_type = "text/html")))]
pub(crate) async fn docs(headers: HeaderMap) -> Response {
    const POLICY: HeaderValue = HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
    );
    let mut response = PAGE.answer(&headers);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}

/// The document as one page, written by the service itself: it works without the internet and without scripts.
fn page_of(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>svc-mcp API</title>\n\
         <link rel=\"stylesheet\" href=\"/settings/assets/docs.css\">\n</head>\n<body>\n<main>\n<h1>svc-mcp API</h1>\n",
    );
    let _ = writeln!(
        html,
        "<p>{}</p>\n<p>Version {}. The same as <a href=\"/openapi.json\">OpenAPI 3.1</a>. \
         Keys are made in <a href=\"/settings/mcp\">Settings → MCP</a>; MCP clients use the \
         <a href=\"/bridge/svc_mcp_stdio.py\">stdio bridge</a>.</p>",
        escaped(document["info"]["description"].as_str().unwrap_or_default()),
        escaped(document["info"]["version"].as_str().unwrap_or_default()),
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = tag["name"].as_str().unwrap_or_default();
        let _ = writeln!(
            html,
            "<section>\n<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>",
            escaped(tag["description"].as_str().unwrap_or_default())
        );
        for (path, method, operation) in
            operations(document).filter(|(_, _, operation)| operation["tags"][0] == name)
        {
            write_operation(&mut html, path, method, operation);
        }
        html.push_str("</section>\n");
    }
    write_schemas(&mut html, document);
    write_errors(&mut html);
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn operations(document: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path, method, operation))
    })
}

fn write_operation(html: &mut String, path: &str, method: &str, operation: &Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let _ = writeln!(
        html,
        "<article id=\"{id}\">\n<h3><code><b>{}</b> {}</code></h3>\n<p><strong>{}</strong></p>",
        method.to_uppercase(),
        escaped(path),
        escaped(operation["summary"].as_str().unwrap_or_default()),
    );
    if let Some(description) = operation["description"].as_str() {
        let _ = writeln!(html, "<p>{}</p>", escaped(description));
    }
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    if !parameters.is_empty() {
        html.push_str("<table>\n<tr><th>Parameter</th><th>In</th><th>Meaning</th></tr>\n");
        for parameter in parameters {
            let _ = writeln!(
                html,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                escaped(parameter["name"].as_str().unwrap_or_default()),
                escaped(parameter["in"].as_str().unwrap_or_default()),
                escaped(parameter["description"].as_str().unwrap_or_default()),
            );
        }
        html.push_str("</table>\n");
    }
    if let Some(schema) = schema_name(&operation["requestBody"]) {
        let _ = writeln!(html, "<p>Takes <a href=\"#schema-{schema}\">{schema}</a>.</p>");
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        if status == "default" {
            continue;
        }
        let description = escaped(response["description"].as_str().unwrap_or_default());
        let shape = schema_name(response)
            .map(|schema| format!(": <a href=\"#schema-{schema}\">{schema}</a>"))
            .unwrap_or_default();
        let _ = writeln!(html, "<p><code>{status}</code> {description}{shape}</p>");
    }
    html.push_str("</article>\n");
}

/// The name of the schema that a body refers to.
fn schema_name(body: &Value) -> Option<&str> {
    let content = body["content"].as_object()?.values().next()?;
    content["schema"]["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

fn write_schemas(html: &mut String, document: &Value) {
    html.push_str("<section>\n<h2 id=\"schemas\">Shapes</h2>\n");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let _ = writeln!(
            html,
            "<article id=\"schema-{name}\">\n<h3>{name}</h3>\n<pre>{}</pre>\n</article>",
            escaped(&text)
        );
    }
    html.push_str("</section>\n");
}

fn write_errors(html: &mut String) {
    html.push_str("<section>\n<h2 id=\"errors\">Errors</h2>\n<table>\n<tr><th>Code</th><th>Status</th><th>Meaning</th></tr>\n");
    for code in Code::ALL {
        let _ = writeln!(
            html,
            "<tr id=\"error-{0}\"><td><code>{0}</code></td><td>{1}</td><td>{2}</td></tr>",
            code.as_str(),
            code.status().as_u16(),
            code.title(),
        );
    }
    html.push_str("</table>\n</section>\n");
}

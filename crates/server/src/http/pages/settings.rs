//! The routes of the settings page, of the operator's console, and of their files.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, LazyLock, OnceLock},
};

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{Document, PageSettings, script::without_comments};
use crate::{
    app::App,
    http::{
        instrument::Embeddable,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// The files of the page, as they are in `ui/`.
macro_rules! assets {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/", $name)))),+]
    };
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

const SCRIPT: &str = "text/javascript; charset=utf-8";

static FILES: LazyLock<HashMap<&'static str, Asset>> = LazyLock::new(|| {
    let assets = ASSETS.iter().map(|&(name, text)| Asset { name, text, packed: OnceLock::new() });
    assets.map(|asset| (asset.name, asset)).collect()
});

/// A file of the page. It is packed when a browser asks for it for the first time.
struct Asset {
    name: &'static str,
    text: &'static str,
    packed: OnceLock<Document>,
}

impl Asset {
    fn document(&self) -> &Document {
        self.packed.get_or_init(|| {
            let kind = kind_of(self.name);
            // The libraries are small already.
            let is_own_script = kind == SCRIPT && !self.name.starts_with("vendor/");
            let text =
                if is_own_script { without_comments(self.text).into() } else { Cow::Borrowed(self.text) };
            Document::compressed(&text, kind)
        })
    }
}

/// The policy of the operator's console: no other page may show it in a frame.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| PageSettings::default().policy());

pub(crate) fn page_operation() -> Operation {
    Operation::get("/settings/mcp", settings)
        .describe(Tag::Public, "settings", "Settings → MCP, the page where a person creates and manages keys")
        .details(
            "The link to it carries a sign-in code in its fragment: `/settings/mcp#code=…` (`POST /api/sign-in-codes`), or the \
             application's token: `/settings/mcp#token=…`. The page exchanges either for a session.",
        )
        .text("text/html", "The page")
}

pub(crate) fn operator_page_operation() -> Operation {
    Operation::get("/operator", operator_console)
        .describe(
            Tag::Public,
            "operator_console",
            "The operator's console: brands, people, keys, jobs, events and the audit log",
        )
        .details("It asks for a sign-in with the operator role. The page itself holds no data.")
        .text("text/html", "The page")
}

pub(crate) fn asset_operation() -> Operation {
    Operation::get("/settings/assets/{*file}", settings_asset)
        .describe(Tag::Public, "settings_asset", "A file of these pages")
        .text("text/plain", "The file")
}

pub(crate) fn root_operation() -> Operation {
    Operation::get("/", root)
        .describe(Tag::Public, "root", "Leads to the settings page")
        .empty(307, "The settings page is at `Location`")
        .with_headers(&["Location"])
}

/// Relative, because a proxy may serve the service below a path of its own.
async fn root() -> Response {
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "settings/mcp")]).into_response()
}

async fn settings(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let page = &app.settings_page;
    let mut response = with_policy(page.document.answer(&headers), page.policy.clone());
    if page.is_embeddable() {
        response.extensions_mut().insert(Embeddable);
    }
    response
}

async fn operator_console(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    with_policy(app.operator_page.answer(&headers), POLICY.clone())
}

/// Scripts, styles and texts need no policy of their own. The browser asks for many of them, so their headers are short.
async fn settings_asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    match FILES.get(&*file) {
        Some(asset) => asset.document().answer(&headers),
        None => Problem::not_found("file").into_response(),
    }
}

fn with_policy(mut response: Response, policy: HeaderValue) -> Response {
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => SCRIPT,
        Some("svg") => "image/svg+xml",
        Some("ftl") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

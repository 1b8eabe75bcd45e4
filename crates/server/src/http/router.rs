//! Every route there is. Each handler carries its own entry of the API document, so the two cannot part.

use std::sync::Arc;

use axum::{Router, body::Body, middleware};
use futures_util::future::BoxFuture;
use http::{HeaderName, HeaderValue, Method, Request, header};
use http_body_util::Either;
use hyper::body::Incoming;
use tower::ServiceExt;
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    admin,
    answer::Reply,
    brand, channels, edge,
    extract::{CallRequest, ListRequest, NOT_MCP},
    feeds, keys, keyword_imports, me, openapi,
    pages::{bridge, docs, health, mail_links, settings},
    problem::{Code, Problem},
    report_recipients, tools,
};
use crate::app::App;

fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(openapi::frame())
        // Tools, with an MCP key
        .routes(routes!(tools::list::list_tools))
        .routes(routes!(tools::call::call_tool))
        // Keys, with an application token
        .routes(routes!(keys::list::list_keys, keys::create::create_key))
        .routes(routes!(keys::get::get_key, keys::revoke::revoke_key))
        .routes(routes!(keys::reveal::reveal_key))
        .routes(routes!(keys::activity::key_activity))
        .routes(routes!(keys::activity::brand_activity))
        .routes(routes!(keys::usage::usage))
        .routes(routes!(me::me))
        .routes(routes!(me::tool_catalogue))
        .routes(routes!(brand::members))
        // What a brand's administrators set up, with an application token
        .routes(routes!(channels::list_channels))
        .routes(routes!(channels::get_channel, channels::put_channel, channels::delete_channel))
        .routes(routes!(keyword_imports::list_keyword_imports, keyword_imports::import_keywords))
        .routes(routes!(keyword_imports::delete_keyword_import))
        .routes(routes!(report_recipients::get_recipients, report_recipients::put_recipients))
        // Plans, brands and members, with an operator's token
        .routes(routes!(admin::plans::get_plan, admin::plans::put_plan, admin::plans::delete_plan))
        .routes(routes!(admin::brands::get_brand, admin::brands::put_brand))
        .routes(routes!(admin::members::put_member, admin::members::remove_member))
        // Open to everybody
        .routes(routes!(settings::settings))
        .routes(routes!(settings::settings_asset))
        .routes(routes!(bridge::bridge))
        .routes(routes!(bridge::bridge_sum))
        .routes(routes!(feeds::atom))
        .routes(routes!(feeds::json_feed))
        .routes(routes!(feeds::post_page))
        .routes(routes!(mail_links::confirm_page, mail_links::confirm))
        .routes(routes!(mail_links::unsubscribe_page, mail_links::unsubscribe))
        .routes(routes!(docs::openapi_json))
        .routes(routes!(docs::docs))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
}

/// The API document.
pub fn document() -> Document {
    openapi::with_errors(routes().into_openapi())
}

/// What answers the requests of every connection.
#[derive(Debug)]
pub(crate) struct Front {
    app: Arc<App>,
    router: Router,
}

impl Front {
    pub(crate) fn new(app: &Arc<App>) -> Self {
        Self { app: Arc::clone(app), router: router(app) }
    }

    /// The two addresses that agents ask all day are answered without the table of routes, which costs more than the
    /// check of the key. Where pages of other origins may ask, everything goes through the layer that tells them so.
    ///
    /// The list's future is moved about for each request and stays small: all others are made and boxed elsewhere.
    #[expect(clippy::manual_async_fn, reason = "an async fn would keep room for the request twice")]
    pub(crate) fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> impl Future<Output = Reply> + Send + use<> {
        async move {
            match (request.method(), request.uri().path()) {
                (&Method::GET, tools::list::PATH) if self.app.cors_origins.is_empty() => {
                    list(&self.app, request).await
                }
                (&Method::POST, tools::call::PATH) if self.app.cors_origins.is_empty() => {
                    call(&self.app, request).await
                }
                _ => self.by_table(request).await,
            }
        }
    }

    fn by_table(&self, request: Request<Incoming>) -> BoxFuture<'static, Reply> {
        let answering = self.router.clone().oneshot(request.map(Body::new));
        Box::pin(async move {
            let Ok(response) = answering.await;
            response.map(Either::Right)
        })
    }
}

fn list(app: &App, request: Request<Incoming>) -> impl Future<Output = Reply> {
    let arrived = edge::Arrived::of(&request, app);
    let (at, (parts, _)) = (arrived.at, request.into_parts());
    edge::around(app, arrived, &app.requests.list, async move {
        match ListRequest::of(&parts, app, at).await {
            Ok(list) => tools::list::answer(app, list, &parts.headers),
            Err(refused) => refused,
        }
    })
}

fn call(app: &App, request: Request<Incoming>) -> BoxFuture<'_, Reply> {
    let arrived = edge::Arrived::of(&request, app);
    let (at, (parts, body)) = (arrived.at, request.into_parts());
    Box::pin(edge::around(app, arrived, &app.requests.call, async move {
        match CallRequest::of(parts, body, app, at).await {
            Ok(call) => tools::call::answer(app, call).await,
            Err(refused) => refused,
        }
    }))
}

fn router(app: &Arc<App>) -> Router {
    let (router, _) = routes().split_for_parts();
    let router = router
        .fallback(|| async { Problem::not_found("address") })
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(Arc::clone(app), edge::edge))
        .with_state(Arc::clone(app));
    if app.cors_origins.is_empty() { router } else { router.layer(cors(&app.cors_origins)) }
}

async fn method_not_allowed<B>(request: Request<B>) -> Problem {
    let problem =
        Problem::new(Code::MethodNotAllowed, "The header `Allow` lists the methods this address takes.");
    if request.uri().path().starts_with("/mcp/") { problem.hint(NOT_MCP) } else { problem }
}

fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::try_from(origin.as_str()).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
        ])
        .expose_headers([
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            HeaderName::from_static("ratelimit"),
            HeaderName::from_static("ratelimit-policy"),
            HeaderName::from_static("x-request-id"),
        ])
}

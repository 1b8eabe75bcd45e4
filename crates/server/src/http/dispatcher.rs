//! The service behind every connection: CORS if it is configured, then the dispatcher, then the router.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use axum::{Router, extract::State, response::Response};
use futures_util::future::BoxFuture;
use http::{HeaderName, HeaderValue, Method, Request, header, request::Parts};
use hyper::body::Incoming;
use tower::{Layer, Service, ServiceExt, service_fn, util::option_layer};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{
    client_address::{ClientAddress, Peer},
    extract::{CallRequest, ListRequest},
    instrument::instrument,
    metrics::RouteMetrics,
    problem::Problem,
    request_info::RequestInfo,
    router::router,
    tools::{call, list},
};
use crate::app::{App, RequestStart};

/// Makes the service of each connection.
#[derive(Debug)]
pub(crate) struct HttpService {
    dispatcher: Arc<Dispatcher>,
    cors: Option<CorsLayer>,
}

impl HttpService {
    pub(crate) fn new(app: &Arc<App>) -> Self {
        let cors = (!app.cors_origins.is_empty()).then(|| cors(&app.cors_origins));
        Self { dispatcher: Arc::new(Dispatcher::new(app)), cors }
    }

    pub(crate) fn for_peer(
        &self,
        address: IpAddr,
    ) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
    + Clone
    + Send
    + use<> {
        let dispatcher = Arc::clone(&self.dispatcher);
        let peer = Peer::new(address, dispatcher.app.trusted_proxies.as_ref());
        let dispatch = move |request: Request<Incoming>| dispatcher.dispatch(peer, request);
        option_layer(self.cors.clone()).layer(service_fn(dispatch))
    }
}

type HandlerFuture = BoxFuture<'static, Result<Response, Infallible>>;

#[derive(Debug)]
struct Dispatcher {
    app: Arc<App>,
    router: Router,
    list_metrics: Arc<RouteMetrics>,
    call_metrics: Arc<RouteMetrics>,
}

impl Dispatcher {
    fn new(app: &Arc<App>) -> Self {
        Self {
            app: Arc::clone(app),
            router: router(app),
            list_metrics: app.request_metrics.for_route(Some(list::PATH)),
            call_metrics: app.request_metrics.for_route(Some(call::PATH)),
        }
    }

    /// Calls the handlers of the two tool routes without the router, whose matching, boxing and middleware cost 11,000 of
    /// 36,000 instructions per list of tools (callgrind). The extractors and handlers are the same as in the router.
    fn dispatch(&self, peer: Peer, mut request: Request<Incoming>) -> HandlerFuture {
        let client = peer.client(self.app.trusted_proxies.as_ref(), request.headers());
        match (request.method(), request.uri().path()) {
            (&Method::GET, list::PATH) => {
                let info = RequestInfo::new(&request, client, &self.app);
                let (parts, _) = boxed(request);
                self.run_handler(&self.list_metrics, info, |app, start, client| async move {
                    let request = ListRequest::authorize(parts, &app, start, client).await?;
                    list::list_tools(State(app), request).await
                })
            }
            (&Method::POST, call::PATH) => {
                let info = RequestInfo::new(&request, client, &self.app);
                let request = boxed(request);
                self.run_handler(&self.call_metrics, info, |app, start, client| async move {
                    let request = CallRequest::authorize(request, &app, start, client).await?;
                    call::call_tool(State(app), request).await
                })
            }
            _ => {
                request.extensions_mut().insert(client);
                Box::pin(self.router.clone().oneshot(request))
            }
        }
    }

    fn run_handler<F>(
        &self,
        route: &Arc<RouteMetrics>,
        info: RequestInfo,
        handler: impl FnOnce(Arc<App>, RequestStart, ClientAddress) -> F + Send + 'static,
    ) -> HandlerFuture
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let (app, route) = (Arc::clone(&self.app), Arc::clone(route));
        Box::pin(async move {
            let handle = || handler(Arc::clone(&app), info.start, info.client);
            Ok(instrument(&app, &route, &info, handle).await)
        })
    }
}

/// Every future on the way to the handler stores the request, so its largest part is boxed.
fn boxed(request: Request<Incoming>) -> (Box<Parts>, Incoming) {
    let (parts, body) = request.into_parts();
    (Box::new(parts), body)
}

fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::try_from(origin.as_str()).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("prefer"),
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

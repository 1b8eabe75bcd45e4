//! A whole service from its settings: opened, listening, and stopped again.

use std::{net::SocketAddr, path::Path, sync::Arc};

use axum::{Router, body::Body, routing::get};
use base64::{Engine, prelude::BASE64_STANDARD};
use http_body_util::Either;
use hyper::body::Incoming;
use metrics_exporter_prometheus::PrometheusHandle;
use rand::Rng;
use svc_mcp_access::{Clock, Entropy, Secret, key::SealingKeys};
use svc_mcp_store::{Location, Shared, Store};
use svc_mcp_tools::{
    keywords::Provider,
    net::{Guard, Outbound},
    report::mail::{MailSettings, Mailer},
};
use tokio::{sync::watch, task::JoinHandle};
use tower::ServiceExt;

use crate::{
    app::{App, Parts},
    background::Background,
    config::{JwtArgs, KeywordArgs, MailArgs, ServeArgs, StoreArgs},
    http::{router::Front, serve::Listening},
    jwt::{Issuer, Jwks, Keys, SharedSecret, Source, Verifier},
    kept::{kept_secret, prepare_dir},
};

/// A service that is up.
#[derive(Debug)]
pub struct Running {
    pub address: SocketAddr,
    pub metrics_address: Option<SocketAddr>,
    pub app: Arc<App>,
    drain_delay: std::time::Duration,
    stop: watch::Sender<bool>,
    servers: Vec<JoinHandle<()>>,
    background: Background,
}

/// Starts a service. The error says what to mend.
pub async fn start(
    args: &ServeArgs,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    metrics: Option<PrometheusHandle>,
) -> Result<Running, String> {
    let shared = open_shared(&args.store, &entropy)?;
    if !is_embedded(&args.store) && shared.is_none() {
        tracing::warn!(
            "PostgreSQL without Redis: run one instance only, or set SVC_REDIS_URL; limits and revocations are not shared"
        );
    }
    let store = open_store(&args.store, shared.clone()).await?;
    let verifier = verifier(&args.jwt, &args.store, &*clock, &entropy).await?;
    let sealing = sealing_keys(&args.store, &entropy)?;
    let in_use = |error| format!("cannot listen on {}: {error}; choose another with --listen", args.listen);
    let listening = Listening::on(args.listen, &args.limits).await.map_err(in_use)?;
    let address = listening.address().map_err(|error| error.to_string())?;
    let app = Arc::new(App::new(Parts {
        store,
        verifier,
        sealing,
        outbound: outbound(&args.outbound_allow)?,
        keyword_provider: keyword_provider(&args.keywords)?,
        mailer: mailer(&args.mail)?,
        clock,
        entropy,
        public_url: args.public_url.clone().unwrap_or_else(|| format!("http://{address}")),
        body_timeout: args.limits.body_timeout,
        max_requests: args.limits.max_requests,
        cors_origins: args.cors_origins.clone(),
    }));
    let (stop, stopped) = watch::channel(false);
    let front = Arc::new(Front::new(&app));
    let answer = move |request| Arc::clone(&front).answer(request);
    let mut servers = vec![tokio::spawn(listening.serve(answer, stopped.clone()))];
    let mut metrics_address = None;
    if let (Some(at), Some(handle)) = (args.metrics_listen, metrics.clone()) {
        let in_use = |error| format!("cannot listen on {at}: {error}; choose another with --metrics-listen");
        let listening = Listening::on(at, &args.limits).await.map_err(in_use)?;
        metrics_address = listening.address().ok();
        let router = metrics_router(&app, handle);
        let answer = move |request: http::Request<Incoming>| {
            let router = router.clone();
            async move {
                let Ok(response) = router.oneshot(request.map(Body::new)).await;
                response.map(Either::Right)
            }
        };
        servers.push(tokio::spawn(listening.serve(answer, stopped)));
    }
    let background = Background::start(&app, &args.jobs, shared, metrics);
    let drain_delay = args.limits.drain_delay;
    Ok(Running { address, metrics_address, app, drain_delay, stop, servers, background })
}

impl Running {
    /// Turns not ready, finishes what is in flight, writes what was gathered, and closes the store.
    pub async fn stop(self) {
        self.app.begin_shutdown();
        tokio::time::sleep(self.drain_delay).await;
        let _ = self.stop.send(true);
        for server in self.servers {
            let _ = server.await;
        }
        self.background.stop().await;
        self.app.store.close().await;
    }
}

fn outbound(allowed: &[String]) -> Result<Outbound, String> {
    let guard = Guard::allowing(allowed).map_err(|error| format!("SVC_OUTBOUND_ALLOW: {error}"))?;
    Outbound::new(guard).map_err(|error| error.to_string())
}

fn keyword_provider(args: &KeywordArgs) -> Result<Option<Provider>, String> {
    let Some(address) = &args.keyword_provider_url else { return Ok(None) };
    let provider = Provider::new(address.expose(), args.keyword_provider_token.as_ref());
    provider.map(Some).map_err(|fault| fault.to_string())
}

fn metrics_router(app: &Arc<App>, handle: PrometheusHandle) -> Router {
    let app = Arc::clone(app);
    let answer = move || async move {
        let mut text = handle.render();
        app.requests.write(&mut text);
        app.decisions.write(&mut text);
        ([(http::header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
    };
    Router::new().route("/metrics", get(answer))
}

/// The way mails leave, or `None` where there is none.
fn mailer(args: &MailArgs) -> Result<Option<Arc<Mailer>>, String> {
    let settings = |url: &Secret| MailSettings {
        url: url.clone(),
        from: args.mail_from.clone(),
        reply_to: args.mail_reply_to.clone(),
    };
    let mailer = args.smtp_url.as_ref().map(|url| settings(url).mailer()).transpose();
    mailer.map(|mailer| mailer.map(Arc::new)).map_err(|error| error.to_string())
}

pub(crate) fn open_shared(args: &StoreArgs, entropy: &Entropy) -> Result<Option<Shared>, String> {
    let open = |url| Shared::open(url, entropy.clone()).map_err(|error| format!("SVC_REDIS_URL: {error}"));
    args.redis_url.as_ref().map(open).transpose()
}

pub(crate) async fn open_store(args: &StoreArgs, shared: Option<Shared>) -> Result<Store, String> {
    let location = match &args.database_url {
        None => {
            prepare_dir(&args.data_dir)?;
            Location::Sqlite { file: args.data_dir.join("svc-mcp.db") }
        }
        Some(url) if is_postgres(url) => {
            Location::Postgres { url: url.clone(), connections: args.database_connections }
        }
        Some(url) => match url.expose().strip_prefix("sqlite:") {
            Some(file) => Location::Sqlite { file: Path::new(file.trim_start_matches("//")).to_owned() },
            None => return Err("SVC_DATABASE_URL must begin with postgres:// or sqlite:".into()),
        },
    };
    Store::open(&location, shared).await.map_err(|error| error.to_string())
}

fn is_postgres(url: &Secret) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| url.expose().starts_with(scheme))
}

fn is_embedded(args: &StoreArgs) -> bool {
    args.database_url.as_ref().is_none_or(|url| !is_postgres(url))
}

/// The keys that seal what may be revealed, or `None` where revealing is off.
pub(crate) fn sealing_keys(args: &StoreArgs, entropy: &Entropy) -> Result<Option<SealingKeys>, String> {
    let text = match &args.reveal_keys {
        Some(text) if text.expose() == "off" => return Ok(None),
        Some(text) => text.clone(),
        None if is_embedded(args) => kept_secret(&args.data_dir, "reveal.keys", || {
            SealingKeys::generate("embedded", &mut entropy.clone())
        })?,
        None => return Ok(None),
    };
    SealingKeys::parse(text.expose()).map(Some).map_err(|error| format!("SVC_REVEAL_KEYS: {error}"))
}

/// What signs tokens where the service itself does: the configured secret, or its own.
pub(crate) fn issuer(jwt: &JwtArgs, store: &StoreArgs, entropy: &Entropy) -> Result<Issuer, String> {
    if jwt.jwt_jwks_url.is_some() || jwt.jwt_jwks_file.is_some() {
        return Err("tokens are signed by whoever holds the private key of the JWK set; svc-mcp has only the public one".into());
    }
    let secret = match &jwt.jwt_secret {
        Some(secret) => secret.clone(),
        None if is_embedded(store) => kept_secret(&store.data_dir, "jwt.secret", || {
            let mut bytes = [0; 48];
            entropy.clone().fill_bytes(&mut bytes);
            Secret::new(BASE64_STANDARD.encode(bytes))
        })?,
        None => return Err("set SVC_JWT_SECRET, SVC_JWT_JWKS_URL or SVC_JWT_JWKS_FILE: with PostgreSQL no secret is made up, since every instance needs the same".into()),
    };
    SharedSecret::new(&secret)?;
    Ok(Issuer { secret, issuer: jwt.jwt_issuer.clone(), audience: jwt.jwt_audience.clone() })
}

async fn verifier(
    jwt: &JwtArgs,
    store: &StoreArgs,
    clock: &dyn Clock,
    entropy: &Entropy,
) -> Result<Verifier, String> {
    let published = match (&jwt.jwt_jwks_url, &jwt.jwt_jwks_file) {
        (Some(url), _) => Some(Source::Address(url.clone())),
        (None, Some(file)) => Some(Source::File(file.clone())),
        (None, None) => None,
    };
    let keys = match published {
        Some(source) => {
            let keys = Jwks::new(source);
            keys.load(clock.now()).await.map_err(|error| error.to_string())?;
            Keys::Published(keys)
        }
        None => Keys::Shared(SharedSecret::new(&issuer(jwt, store, entropy)?.secret)?),
    };
    Ok(Verifier { keys, issuer: jwt.jwt_issuer.clone(), audience: jwt.jwt_audience.clone() })
}

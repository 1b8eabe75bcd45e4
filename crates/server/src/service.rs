//! Starts a service from its settings, and stops it.

use std::{error::Error, io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use base64::{Engine, prelude::BASE64_STANDARD};
use metrics_exporter_prometheus::PrometheusHandle;
use rand::Rng;
use svc_mcp_access::{Clock, Entropy, Secret, key::SealingKeys};
use svc_mcp_store::{DatabaseLock, Location, RedisSettings, RedisState, Store, has_pending_restore};
use svc_mcp_tools::{
    events::OperatorEndpoint,
    keywords::Provider,
    net::{Guard, Outbound},
    report::mail::{MailSettings, Mailer},
};
use tokio::{sync::watch, task::JoinHandle};

use crate::{
    app::{App, Parts},
    background::Background,
    config::{EventArgs, JwtArgs, KeywordArgs, LimitArgs, MailArgs, ServeArgs, StoreArgs, warnings},
    gauges::ProcessGauges,
    generated_secrets::{create_data_dir, load_or_generate},
    http::{dispatcher::HttpService, pages::PageSettings, transport::Listener},
    jwt::{Issuer, Jwks, Keys, SharedSecret, Source, Verifier},
    oidc::{OidcProvider, START_PATH},
    telemetry::Telemetry,
    traces::Traces,
};

/// A running service.
#[derive(Debug)]
pub struct Running {
    pub address: SocketAddr,
    pub metrics_address: Option<SocketAddr>,
    pub app: Arc<App>,
    drain_delay: Duration,
    stop: watch::Sender<bool>,
    servers: Vec<JoinHandle<()>>,
    background: Background,
    traces: Option<Traces>,
    _lock: Option<DatabaseLock>,
}

/// Why a service cannot start. The message names the setting to change.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("cannot listen on {address}; choose another address with {flag}")]
    Listen { address: SocketAddr, flag: &'static str, source: io::Error },
    #[error("{name}")]
    Setting { name: &'static str, source: BoxError },
    #[error("SVC_DATABASE_URL must begin with postgres:// or sqlite:")]
    DatabaseScheme,
    #[error("only the holder of the JWK set's private key can sign tokens; svc-mcp has only the public key")]
    CannotSign,
    #[error(
        "set SVC_JWT_SECRET, SVC_JWT_JWKS_URL or SVC_JWT_JWKS_FILE: with PostgreSQL no secret is generated, because all \
         instances need the same one"
    )]
    NoJwtKeys,
    /// An error that names its setting itself.
    #[error(transparent)]
    Other(BoxError),
}

type BoxError = Box<dyn Error + Send + Sync>;

impl ServiceError {
    fn setting(name: &'static str) -> impl Fn(BoxError) -> Self {
        move |source| Self::Setting { name, source }
    }

    fn other(error: impl Into<BoxError>) -> Self {
        Self::Other(error.into())
    }
}

pub async fn start(
    args: &ServeArgs,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    telemetry: Option<Telemetry>,
) -> Result<Running, ServiceError> {
    let (reports, access_log, traces) = match telemetry {
        Some(Telemetry { metrics, lost_lines, access_log, traces }) => {
            (Some((metrics, lost_lines)), access_log, traces)
        }
        None => (None, None, None),
    };
    let shared = open_shared(&args.store, &entropy)?;
    for warning in warnings(args) {
        tracing::warn!("{warning}");
    }
    let lock = lock_database(&args.store)?;
    let store = open_store(&args.store, shared.clone()).await?;
    let verifier = verifier(&args.jwt, &args.store, &*clock, &entropy).await?;
    let sealing = sealing_keys(&args.store, &entropy)?;
    let operator_endpoint = operator_endpoint(&args.events)?;
    // Boxed: the future of the start is large.
    let set = Box::pin(store.set_operator_endpoint(operator_endpoint.is_some()));
    set.await.map_err(ServiceError::other)?;
    // Before the first request, so that the log and the answers say from the start whether jobs are held.
    store.refresh_job_hold().await.map_err(ServiceError::other)?;
    // Both ports are bound before the first answer: a service that answers can be measured.
    let (listener, address) = listen(args.listen, "--listen", &args.limits).await?;
    let metrics_port = match (args.metrics_listen, &reports) {
        (Some(address), Some(_)) => Some(listen(address, "--metrics-listen", &args.limits).await?),
        _ => None,
    };
    let public_url = args.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let oidc = oidc(args, &public_url)?;
    let app = Arc::new(App::new(Parts {
        store,
        verifier,
        sealing,
        outbound: outbound(&args.outbound_allow)?,
        keyword_provider: keyword_provider(&args.keywords)?,
        mailer: mailer(&args.mail)?,
        operator_endpoint,
        clock,
        entropy,
        body_timeout: args.limits.body_timeout,
        max_requests: args.limits.max_requests,
        management_limit: args.limits.management_limit,
        cors_origins: args.cors_origins.clone(),
        page: PageSettings {
            login_url: args.sign_in.login_url.clone(),
            oidc_url: oidc.as_ref().map(|_| format!("{public_url}{START_PATH}")),
            frame_ancestors: args.page.frame_ancestors.clone(),
            name: args.page.page_name.clone(),
            logo_url: args.page.page_logo_url.clone(),
            accent: args.page.page_accent,
            back_url: args.page.page_back_url.clone(),
        },
        public_url,
        oidc,
        trusted_proxies: args.limits.trusted_proxies(),
        access_log,
    }));
    let (stop, stopped) = watch::channel(false);
    let http = HttpService::new(&app);
    let mut servers = vec![tokio::spawn(listener.serve(move |peer| http.for_peer(peer), stopped.clone()))];
    let mut metrics_address = None;
    let metrics = reports.as_ref().map(|(metrics, _)| metrics.clone());
    if let (Some((listener, address)), Some((handle, lost_lines))) = (metrics_port, reports) {
        metrics_address = Some(address);
        let router = metrics_router(handle, ProcessGauges::new(Arc::clone(&app), lost_lines), &app);
        servers.push(tokio::spawn(listener.serve(move |_| router.clone(), stopped)));
    }
    let background = Background::start(&app, &args.jobs, shared, metrics, metrics_address.is_some());
    let drain_delay = args.limits.drain_delay;
    Ok(Running { address, metrics_address, app, drain_delay, stop, servers, background, traces, _lock: lock })
}

async fn listen(
    address: SocketAddr,
    flag: &'static str,
    limits: &LimitArgs,
) -> Result<(Listener, SocketAddr), ServiceError> {
    let error = |source| ServiceError::Listen { address, flag, source };
    let listener = Listener::bind(address, limits).await.map_err(error)?;
    let bound = listener.address().map_err(error)?;
    Ok((listener, bound))
}

impl Running {
    /// Turns not ready, finishes requests in flight, writes recorded uses, and closes the store.
    pub async fn stop(self) {
        self.app.begin_shutdown();
        tokio::time::sleep(self.drain_delay).await;
        let _ = self.stop.send(true);
        for server in self.servers {
            let _ = server.await;
        }
        self.background.stop().await;
        self.app.store.close().await;
        if let Some(traces) = self.traces {
            traces.stop().await;
        }
    }
}

pub(crate) fn outbound(allowed: &[String]) -> Result<Outbound, ServiceError> {
    let guard = Guard::allowing(allowed).map_err(BoxError::from);
    Outbound::new(guard.map_err(ServiceError::setting("SVC_OUTBOUND_ALLOW"))?).map_err(ServiceError::other)
}

pub(crate) fn keyword_provider(args: &KeywordArgs) -> Result<Option<Provider>, ServiceError> {
    let Some(address) = &args.keyword_provider_url else { return Ok(None) };
    let provider = Provider::new(address.expose(), args.keyword_provider_token.as_ref());
    provider.map(Some).map_err(ServiceError::other)
}

pub(crate) fn operator_endpoint(args: &EventArgs) -> Result<Option<OperatorEndpoint>, ServiceError> {
    let (Some(url), Some(secret)) = (&args.events_url, &args.events_secret) else { return Ok(None) };
    OperatorEndpoint::new(url, secret).map(Some).map_err(ServiceError::other)
}

/// `None`: it is off.
pub(crate) fn oidc(args: &ServeArgs, public_url: &str) -> Result<Option<OidcProvider>, ServiceError> {
    let Some(settings) = args.sign_in.oidc() else { return Ok(None) };
    let provider = OidcProvider::new(settings, public_url, args.jwt.jwt_operator_claim.clone());
    provider.map(Some).map_err(BoxError::from).map_err(ServiceError::setting("SVC_OIDC_ISSUER"))
}

fn metrics_router(handle: PrometheusHandle, gauges: ProcessGauges, app: &Arc<App>) -> Router {
    let app = Arc::clone(app);
    let metrics = move || async move {
        gauges.record();
        let mut text = handle.render();
        app.request_metrics.write(&mut text);
        app.decision_metrics.write(&mut text);
        app.problem_metrics.write(&mut text);
        app.tool_call_metrics.write(&mut text);
        ([(http::header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
    };
    Router::new().route("/metrics", get(metrics))
}

pub(crate) fn mailer(args: &MailArgs) -> Result<Option<Arc<Mailer>>, ServiceError> {
    let settings = |url: &Secret| MailSettings {
        url: url.clone(),
        from: args.mail_from.clone(),
        reply_to: args.mail_reply_to.clone(),
    };
    let Some(url) = &args.smtp_url else { return Ok(None) };
    let mailer = settings(url).mailer().map_err(ServiceError::other)?;
    if let Err(error) = mailer.restrict_files() {
        tracing::warn!(%error, "cannot restrict the stored emails to their owner");
    }
    Ok(Some(Arc::new(mailer)))
}

pub(crate) fn open_shared(args: &StoreArgs, entropy: &Entropy) -> Result<Option<RedisState>, ServiceError> {
    let Some(url) = &args.redis_url else { return Ok(None) };
    let settings = RedisSettings { ca_file: args.redis_ca_file.clone(), ..RedisSettings::new(url.clone()) };
    RedisState::open(&settings, entropy.clone()).map(Some).map_err(ServiceError::other)
}

pub(crate) async fn open_store(args: &StoreArgs, shared: Option<RedisState>) -> Result<Store, ServiceError> {
    create_database_dir(args)?;
    Store::open(&location(args)?, shared).await.map_err(ServiceError::other)
}

/// A second service on the same SQLite file is refused. PostgreSQL is made for several instances.
fn lock_database(args: &StoreArgs) -> Result<Option<DatabaseLock>, ServiceError> {
    let Location::Sqlite { file } = location(args)? else { return Ok(None) };
    create_database_dir(args)?;
    DatabaseLock::acquire(&file).map(Some).map_err(ServiceError::other)
}

/// The SQLite file of these settings, if it does not exist.
pub(crate) fn missing_database(args: &StoreArgs) -> Result<Option<PathBuf>, ServiceError> {
    match location(args)? {
        Location::Sqlite { file } if !file.exists() && !has_pending_restore(&file) => Ok(Some(file)),
        _ => Ok(None),
    }
}

pub(crate) fn location(args: &StoreArgs) -> Result<Location, ServiceError> {
    match &args.database_url {
        None => Ok(Location::Sqlite { file: args.data_dir.join("svc-mcp.db") }),
        Some(url) if args.is_postgres() => {
            Ok(Location::Postgres { url: url.clone(), connections: args.database_connections })
        }
        Some(url) => match url.expose().strip_prefix("sqlite:") {
            Some(file) => Ok(Location::Sqlite { file: file.trim_start_matches("//").into() }),
            None => Err(ServiceError::DatabaseScheme),
        },
    }
}

/// The directory of a file that `SVC_DATABASE_URL` names is the operator's.
fn create_database_dir(args: &StoreArgs) -> Result<(), ServiceError> {
    if args.database_url.is_some() {
        return Ok(());
    }
    create_data_dir(&args.data_dir).map_err(ServiceError::other)
}

/// The keys that seal stored secrets. `None`: revealing is off.
pub(crate) fn sealing_keys(args: &StoreArgs, entropy: &Entropy) -> Result<Option<SealingKeys>, ServiceError> {
    let text = match &args.reveal_keys {
        Some(text) if text.expose() == "off" => return Ok(None),
        Some(text) => text.clone(),
        None if !args.is_postgres() => load_or_generate(&args.data_dir, "reveal.keys", || {
            SealingKeys::generate("embedded", &mut entropy.clone())
        })
        .map_err(ServiceError::other)?,
        None => return Ok(None),
    };
    let keys = SealingKeys::parse(text.expose()).map_err(BoxError::from);
    keys.map(Some).map_err(ServiceError::setting("SVC_REVEAL_KEYS"))
}

/// Signs tokens with the configured secret, or with the generated one of an embedded store.
pub(crate) fn issuer(jwt: &JwtArgs, store: &StoreArgs, entropy: &Entropy) -> Result<Issuer, ServiceError> {
    if jwt.jwt_jwks_url.is_some() || jwt.jwt_jwks_file.is_some() {
        return Err(ServiceError::CannotSign);
    }
    let secret = match &jwt.jwt_secret {
        Some(secret) => secret.clone(),
        None if !store.is_postgres() => load_or_generate(&store.data_dir, "jwt.secret", || {
            let mut bytes = [0; 48];
            entropy.clone().fill_bytes(&mut bytes);
            Secret::new(BASE64_STANDARD.encode(bytes))
        })
        .map_err(ServiceError::other)?,
        None => return Err(ServiceError::NoJwtKeys),
    };
    SharedSecret::new(&secret).map_err(ServiceError::other)?;
    Ok(Issuer {
        secret,
        issuer: jwt.jwt_issuer.clone(),
        audience: jwt.jwt_audience.clone(),
        operator_claim: jwt.jwt_operator_claim.clone(),
    })
}

async fn verifier(
    jwt: &JwtArgs,
    store: &StoreArgs,
    clock: &dyn Clock,
    entropy: &Entropy,
) -> Result<Verifier, ServiceError> {
    let keys = if let Some(url) = &jwt.jwt_jwks_url {
        let source = Source::url(url).map_err(BoxError::from);
        let keys =
            Jwks::new(source.map_err(ServiceError::setting("SVC_JWT_JWKS_URL"))?, jwt.jwt_jwks_max_age);
        // MCP keys need no application token, so the service starts anyway and tries again in the background.
        keys.log_outage(&keys.load(clock.now()).await);
        Keys::Published(Box::new(keys))
    } else if let Some(file) = &jwt.jwt_jwks_file {
        let keys = Jwks::new(Source::File(file.clone()), jwt.jwt_jwks_max_age);
        let loaded = keys.load(clock.now()).await.map_err(BoxError::from);
        loaded.map_err(ServiceError::setting("SVC_JWT_JWKS_FILE"))?;
        Keys::Published(Box::new(keys))
    } else {
        let secret = issuer(jwt, store, entropy)?.secret;
        Keys::Shared(SharedSecret::new(&secret).map_err(ServiceError::other)?)
    };
    Ok(Verifier {
        keys,
        issuer: jwt.jwt_issuer.clone(),
        audience: jwt.jwt_audience.clone(),
        operator_claim: jwt.jwt_operator_claim.clone(),
    })
}

//! The parts of the check. Each returns what it found, or what is wrong and what to do.

use std::{error::Error, io, net::SocketAddr, net::TcpListener, path::Path};

use svc_mcp_access::{Clock, Entropy};
use svc_mcp_store::{DatabaseState, Location, inspect_database};
use svc_mcp_tools::{private_files, report::mail::MailError};

use crate::{
    config::{EventArgs, JwtArgs, KeywordArgs, MailArgs, ServeArgs, StoreArgs, TraceArgs, example_secrets},
    error_chain::error_chain,
    jwt::{Jwks, JwksError, Source},
    oidc::CALLBACK_PATH,
    service::{self, ServiceError},
    traces::{self, Collector},
};

type Part = Result<String, String>;
/// `None`: it is off.
type OptionalPart = Result<Option<String>, String>;

fn text(error: impl Error) -> String {
    error_chain(&error)
}

/// What no other part looks at.
pub(super) fn settings(args: &ServeArgs) -> Part {
    example_secrets::find(args).map_err(text)?;
    service::outbound(&args.outbound_allow).map_err(text)?;
    Ok("every value is valid".to_owned())
}

pub(super) async fn database(args: &StoreArgs) -> Part {
    let location = service::location(args).map_err(text)?;
    let state = inspect_database(&location).await.map_err(text)?;
    let name = match &location {
        Location::Sqlite { file } => {
            let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
            let dir = parent.unwrap_or(Path::new("."));
            // The directory of a file that the operator names is not created.
            if args.database_url.is_some() && !dir.is_dir() {
                return Err(format!("the directory {} does not exist: create it", dir.display()));
            }
            private_files::check_dir(dir).map_err(|error| {
                format!("cannot write in {}: {error}: check its owner, or SVC_DATA_DIR", dir.display())
            })?;
            format!("SQLite in {}", file.display())
        }
        Location::Postgres { .. } => "PostgreSQL answers".to_owned(),
    };
    Ok(match state {
        DatabaseState::Missing => format!("{name}: does not exist yet, the start creates it"),
        DatabaseState::Empty => format!("{name}: has no tables yet, the start creates them"),
        DatabaseState::Outdated { missing } => {
            format!("{name}: the start brings its tables up to date (migrations: {missing})")
        }
        DatabaseState::Current => format!("{name}: the tables are up to date"),
    })
}

pub(super) async fn redis(args: &StoreArgs, entropy: &Entropy) -> OptionalPart {
    let Some(redis) = service::open_shared(args, entropy).map_err(text)? else { return Ok(None) };
    redis.probe().await;
    if redis.is_degraded() {
        return Err(
            "Redis cannot be written to (the log on standard error says why): check SVC_REDIS_URL, its \
                    password, and whether Redis runs"
                .to_owned(),
        );
    }
    Ok(Some("Redis answers and can be written to".to_owned()))
}

pub(super) fn reveal(args: &StoreArgs, entropy: &Entropy) -> OptionalPart {
    if args.reveal_keys.is_none() && is_generated_later(args, "reveal.keys") {
        return Ok(Some("the start generates a key in the data directory".to_owned()));
    }
    let keys = service::sealing_keys(args, entropy).map_err(text)?;
    Ok(keys.map(|keys| format!("`{}` seals", keys.newest())))
}

pub(super) async fn jwt(jwt: &JwtArgs, store: &StoreArgs, clock: &dyn Clock, entropy: &Entropy) -> Part {
    let source = match (&jwt.jwt_jwks_url, &jwt.jwt_jwks_file) {
        (Some(url), _) => Some((
            Source::url(url).map_err(|error| format!("SVC_JWT_JWKS_URL: {error}"))?,
            "SVC_JWT_JWKS_URL",
        )),
        (None, Some(file)) => Some((Source::File(file.clone()), "SVC_JWT_JWKS_FILE")),
        (None, None) => None,
    };
    if let Some((source, variable)) = source {
        let keys = Jwks::new(source, jwt.jwt_jwks_max_age);
        let failed =
            |error: JwksError| format!("{variable}: {}: open it by hand to see what it answers", text(error));
        keys.load(clock.now()).await.map_err(failed)?;
        return Ok("the public keys can be read".to_owned());
    }
    if jwt.jwt_secret.is_none() && is_generated_later(store, "jwt.secret") {
        return Ok("the start generates a secret in the data directory".to_owned());
    }
    service::issuer(jwt, store, entropy).map_err(text)?;
    Ok("tokens are checked with a shared secret".to_owned())
}

pub(super) async fn oidc(args: &ServeArgs, clock: &dyn Clock) -> OptionalPart {
    let public_url = args.public_url.clone().unwrap_or_else(|| format!("http://{}", args.listen));
    let Some(provider) = service::oidc(args, &public_url).map_err(text)? else { return Ok(None) };
    let failed = |error| {
        format!("SVC_OIDC_ISSUER: {error}: open its /.well-known/openid-configuration to see what it answers")
    };
    provider.check(clock.now()).await.map_err(failed)?;
    Ok(Some(format!("the provider answers; its redirect URI is {public_url}{CALLBACK_PATH}")))
}

/// Whether the start makes this file.
fn is_generated_later(args: &StoreArgs, file: &str) -> bool {
    !args.is_postgres() && !args.data_dir.join(file).exists()
}

pub(super) async fn mail(args: &MailArgs) -> OptionalPart {
    let Some(mailer) = service::mailer(args).map_err(text)? else { return Ok(None) };
    let failed = |error: MailError| format!("SVC_SMTP_URL: {error}: check host, port, user and password");
    let to = mailer.check().await.map_err(failed)?;
    Ok(Some(format!("mails go to {to}; none was sent")))
}

pub(super) fn events(args: &EventArgs) -> OptionalPart {
    let endpoint = service::operator_endpoint(args).map_err(text)?;
    Ok(endpoint.map(|_| "address and secret are valid; nothing was sent".to_owned()))
}

pub(super) fn keyword_provider(args: &KeywordArgs) -> OptionalPart {
    let provider = service::keyword_provider(args).map_err(|error: ServiceError| text(error))?;
    Ok(provider.map(|_| "the address is valid; nothing was sent".to_owned()))
}

pub(super) async fn traces(args: &TraceArgs) -> OptionalPart {
    let Some(collector) = Collector::new(args, &traces::resource(args)).map_err(text)? else {
        return Ok(None);
    };
    let failed = |error| format!("OTEL_EXPORTER_OTLP_ENDPOINT: {error}: check host, port, path and headers");
    collector.check().await.map_err(failed)?;
    Ok(Some("the collector answers; no span was sent".to_owned()))
}

/// An address that is in use may be that of the running service, which a restart frees.
pub(super) fn listen(address: SocketAddr, flag: &str) -> Part {
    match TcpListener::bind(address) {
        Ok(_) => Ok(format!("{address} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Ok(format!("{address} is in use: by the running service, or choose another one with {flag}"))
        }
        Err(error) => Err(format!("{address}: {error}: choose another address with {flag}")),
    }
}

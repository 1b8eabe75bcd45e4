//! One log event that says how the service was started.

use std::path::Path;

use svc_mcp_access::Secret;

use super::ServeArgs;

/// What the settings amount to, without secrets and addresses of servers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) database: &'static str,
    pub(crate) redis: &'static str,
    pub(crate) reveal: &'static str,
    pub(crate) jwt: &'static str,
    pub(crate) mail: &'static str,
    pub(crate) oidc: &'static str,
    /// The parts that are switched off.
    pub(crate) off: Vec<&'static str>,
}

impl Summary {
    pub(crate) fn of(args: &ServeArgs) -> Self {
        let is_postgres = args.store.is_postgres();
        let begins_with = |secret: &Secret, prefix: &str| secret.expose().starts_with(prefix);
        let redis = match &args.store.redis_url {
            None => "off",
            Some(url) if begins_with(url, "rediss") => "on, with TLS",
            Some(_) => "on",
        };
        let reveal = match &args.store.reveal_keys {
            Some(keys) if keys.expose() == "off" => "off",
            Some(_) => "on",
            None if is_postgres => "off",
            None => "on, with a generated key",
        };
        let jwt = match (&args.jwt.jwt_jwks_url, &args.jwt.jwt_jwks_file, &args.jwt.jwt_secret) {
            (Some(_), _, _) => "public keys from a URL",
            (_, Some(_), _) => "public keys from a file",
            (_, _, Some(_)) => "shared secret",
            _ => "generated secret",
        };
        let mail = match &args.mail.smtp_url {
            None => "off",
            Some(url) if begins_with(url, "file:") => "files in a directory",
            Some(_) => "mail server",
        };
        let oidc = if args.sign_in.oidc_issuer.is_some() { "on" } else { "off" };
        let parts = [
            ("redis", redis == "off"),
            ("reveal", reveal == "off"),
            ("mail", mail == "off"),
            ("openid connect", oidc == "off"),
            ("events", args.events.events_url.is_none()),
            ("keyword provider", args.keywords.keyword_provider_url.is_none()),
            ("metrics", args.metrics_listen.is_none()),
            ("traces", !args.traces.is_on()),
            ("job workers", args.jobs.job_workers == 0),
        ];
        Self {
            database: if is_postgres { "PostgreSQL" } else { "SQLite" },
            redis,
            reveal,
            jwt,
            mail,
            oidc,
            off: parts.into_iter().filter(|(_, is_off)| *is_off).map(|(name, _)| name).collect(),
        }
    }

    pub(crate) fn log(&self, public_url: &str, config: Option<&Path>) {
        let config = config.map_or("none".to_owned(), |file| file.display().to_string());
        let off = if self.off.is_empty() { "nothing".to_owned() } else { self.off.join(", ") };
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            database = self.database,
            redis = self.redis,
            reveal = self.reveal,
            jwt = self.jwt,
            mail = self.mail,
            oidc = self.oidc,
            public_url,
            config,
            off,
            "settings"
        );
    }
}

//! SIGHUP: what a running service reads again.

use super::Cli;
use crate::{
    app::App,
    config::sources::{self, Settings},
    jwt::Keys,
    log::LogFilter,
};

pub(super) struct Reload {
    pub(super) filter: LogFilter,
    /// The filter that is in use.
    pub(super) log: String,
    /// The settings that are in use.
    pub(super) settings: Settings,
}

impl Reload {
    /// Reads the log filter and the public keys again. If one cannot be read, the old one stays.
    pub(super) async fn run(&mut self, app: &App) {
        self.read_settings();
        if let Keys::Published(keys) = &app.verifier.keys {
            match keys.load(app.clock.now()).await {
                Ok(()) => tracing::info!("the JWK set was read again"),
                Err(error) => {
                    tracing::error!(%error, "the JWK set cannot be read; the cached keys stay in use");
                }
            }
        }
    }

    fn read_settings(&mut self) {
        // The whole command line is read again, so that a flag or a variable still wins over the file.
        let (args, newer) = match sources::parse::<Cli>() {
            Ok((cli, settings)) => (cli.into_serve_args(), settings),
            Err(error) => {
                tracing::error!(error = %first_line(&error), "the settings cannot be read again; the old ones stay in use");
                return;
            }
        };
        let Some(args) = args else { return };
        if args.log.log != self.log {
            if let Err(error) = self.filter.set(&args.log.log) {
                tracing::error!(%error, "the log filter stays as it is");
                return;
            }
            self.log.clone_from(&args.log.log);
        }
        let mut changed = self.settings.changes(&newer);
        changed.retain(|name| name != "SVC_LOG");
        if !changed.is_empty() {
            let settings = changed.join(", ");
            tracing::warn!(settings, "changed settings need a restart");
        }
        tracing::info!(log = self.log, "the settings were read again");
    }
}

fn first_line(error: &clap::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

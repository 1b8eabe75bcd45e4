//! The log on standard error. It never holds a secret: a request is named by its route, not by its path.

use std::io::{self, BufWriter, IsTerminal};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{EnvFilter, Registry, fmt, layer::SubscriberExt, reload, util::SubscriberInitExt};

use crate::{
    config::{LogArgs, LogFormat, Switch},
    http::access_log::AccessLog,
    telemetry::TelemetryError,
};

/// How many lines wait for a reader of standard error that is slow: a few megabytes. Further ones are lost and counted.
const MAX_WAITING_LINES: usize = 16_384;
const BUFFER_BYTES: usize = 64 * 1024;
/// The library of the database logs each statement. Its texts are shown only if the filter names it.
const STATEMENTS: &str = "sqlx";

/// The log, until this is dropped: then the lines that wait are written.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) filter: LogFilter,
    pub(crate) lost_lines: ErrorCounter,
    /// `None`: requests are not logged.
    pub(crate) access_log: Option<AccessLog>,
    _guard: WorkerGuard,
}

/// Changes the filter of the running log.
#[derive(Debug, Clone)]
pub(crate) struct LogFilter(reload::Handle<EnvFilter, Registry>);

impl LogFilter {
    pub(crate) fn set(&self, text: &str) -> Result<(), TelemetryError> {
        self.0.reload(filter(text)?).map_err(TelemetryError::Reload)
    }
}

pub(crate) fn start(args: &LogArgs) -> Result<Log, TelemetryError> {
    // A thread writes, so that a pipe that nobody reads blocks no request. It flushes whenever no line waits.
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(MAX_WAITING_LINES)
        .thread_name("log")
        .finish(BufWriter::with_capacity(BUFFER_BYTES, io::stderr()));
    let to_stderr = fmt::layer().with_writer(writer.clone()).with_ansi(io::stderr().is_terminal());
    let (filter, handle) = reload::Layer::new(filter(&args.log)?);
    let log = tracing_subscriber::registry().with(filter);
    let started = match args.log_format {
        LogFormat::Text => log.with(to_stderr.with_target(false)).try_init(),
        LogFormat::Json => log.with(to_stderr.json().flatten_event(true)).try_init(),
    };
    started.map_err(TelemetryError::Log)?;
    let is_wanted = match args.access_log {
        Some(switch) => switch == Switch::On,
        None => args.log_format == LogFormat::Json,
    };
    let lost_lines = writer.error_counter();
    let access_log = is_wanted.then(|| AccessLog::new(writer, args.log_format));
    Ok(Log { filter: LogFilter(handle), lost_lines, access_log, _guard: guard })
}

fn filter(text: &str) -> Result<EnvFilter, TelemetryError> {
    let parse = |filter: &str| {
        EnvFilter::try_new(filter)
            .map_err(|source| TelemetryError::Filter { filter: text.to_owned(), source })
    };
    let filter = parse(text)?;
    if text.contains(STATEMENTS) {
        return Ok(filter);
    }
    parse(&format!("{text},{STATEMENTS}=error"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_logged_only_if_the_filter_names_them() {
        for (text, expected) in [
            ("info", "sqlx=error,info"),
            ("debug,svc_mcp=trace", "svc_mcp=trace,sqlx=error,debug"),
            ("info,sqlx::query=debug", "sqlx::query=debug,info"),
        ] {
            assert_eq!(filter(text).expect("a filter").to_string(), expected);
        }
        assert!(filter("info=loud").is_err());
    }
}

//! What is logged, and how.

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

use super::nearest::nearest;

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// What to log: error, warn, info, debug, or a filter such as `info,svc_mcp=debug`; read again on SIGHUP
    #[arg(long, env = "SVC_LOG", default_value = "info", value_name = "FILTER", value_parser = log_filter)]
    pub log: String,

    /// Format of the log: text or json
    #[arg(long, env = "SVC_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// One line for each request, at level info; unset: on with JSON, off with text and in the demo
    #[arg(long, env = "SVC_ACCESS_LOG", value_enum)]
    pub access_log: Option<Switch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
/// The crates of the service. Every target of its own begins with one of them.
const CRATES: [&str; 4] = ["svc_mcp", "svc_mcp_store", "svc_mcp_tools", "svc_mcp_access"];

#[derive(Debug, thiserror::Error)]
pub(crate) enum LogFilterError {
    #[error("`{0}` is not a level: write one of {levels}, or `target=level`", levels = LEVELS.join(", "))]
    Level(String),
    #[error("`{0}` is not a target of the service; did you mean `{1}`?")]
    Target(String, String),
    #[error("would log nothing of the service: add a level for everything, such as `info,{0}`")]
    Silent(String),
    #[error("{0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
}

/// Refuses what the library accepts but nobody means: it takes a mistyped level for the name of a target, and then logs
/// nothing else.
fn log_filter(text: &str) -> Result<String, LogFilterError> {
    let mut logs_service = false;
    for directive in text.split(',').map(str::trim).filter(|directive| !directive.is_empty()) {
        let (target, level) = match directive.rsplit_once('=') {
            Some((target, level)) => (Some(target), level),
            None => (None, directive),
        };
        // The library also takes the numbers 0 to 5.
        let is_level = LEVELS.iter().any(|known| known.eq_ignore_ascii_case(level))
            || level.parse().is_ok_and(|number: u8| number <= 5);
        if !is_level {
            return Err(LogFilterError::Level(level.to_owned()));
        }
        let Some(target) = target else {
            logs_service = true;
            continue;
        };
        let name = target.split([':', '[']).next().unwrap_or(target);
        if CRATES.contains(&name) || name.is_empty() {
            logs_service = true;
        } else if let Some(close) = nearest(name, CRATES.into_iter())
            && name.starts_with("svc")
        {
            return Err(LogFilterError::Target(name.to_owned(), close.to_owned()));
        }
    }
    if !logs_service {
        return Err(LogFilterError::Silent(text.to_owned()));
    }
    EnvFilter::try_new(text)?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_that_log_the_service_are_accepted() {
        for filter in [
            "info",
            "WARN",
            "off",
            "svc_mcp=debug",
            "info,svc_mcp_store::redis_state=trace",
            "warn,hyper=debug,sqlx=off",
            "info,[request]=debug",
        ] {
            assert_eq!(log_filter(filter).unwrap(), filter);
        }
    }

    #[test]
    fn filters_that_silence_the_service_are_refused() {
        for (filter, part) in [
            ("inof", "`inof` is not a level"),
            ("svc_mcp", "`svc_mcp` is not a level"),
            ("svc_mcp=loud", "`loud` is not a level"),
            ("svc_mpc=debug", "did you mean `svc_mcp`?"),
            ("info,svc_mcp_stor=debug", "did you mean `svc_mcp_store`?"),
            ("hyper=debug", "such as `info,hyper=debug`"),
            (",", "log nothing"),
            ("9", "`9` is not a level"),
        ] {
            let message = log_filter(filter).unwrap_err().to_string();
            assert!(message.contains(part), "{filter}: {message}");
        }
    }
}

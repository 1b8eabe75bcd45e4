//! The settings that the commands have.

use std::{collections::BTreeMap, iter};

use clap::{Arg, Command};

/// What the sources must know about a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) is_secret: bool,
    /// The values of a list are separated by commas.
    pub(super) is_list: bool,
}

/// The settings of a command and its subcommands, by variable.
#[derive(Debug)]
pub(super) struct Known(BTreeMap<String, Setting>);

/// Where the settings themselves are found, so that they cannot be in the configuration file.
const ONLY_VARIABLES: [&str; 2] = [super::CONFIG, super::ALLOW_UNKNOWN];

impl Known {
    pub(super) fn of(command: &Command) -> Self {
        let mut known = Self::own(command);
        for subcommand in command.get_subcommands() {
            known.0.extend(Self::of(subcommand).0);
        }
        known
    }

    /// Without those of subcommands.
    pub(super) fn own(command: &Command) -> Self {
        let setting = |arg: &Arg| {
            let setting = Setting {
                is_secret: arg.is_hide_env_values_set(),
                is_list: arg.get_value_delimiter().is_some(),
            };
            Some((variable(arg)?, setting))
        };
        Self(command.get_arguments().filter_map(setting).collect())
    }

    pub(super) fn has_settings(&self) -> bool {
        self.0.keys().any(|variable| !ONLY_VARIABLES.contains(&variable.as_str()))
    }

    pub(super) fn remove(&mut self, arg: &Arg) {
        if let Some(variable) = variable(arg) {
            self.0.remove(&variable);
        }
    }

    pub(super) fn get(&self, variable: &str) -> Option<&Setting> {
        self.0.get(variable)
    }

    /// The variables, and for each secret also the one that names a file.
    pub(super) fn variables(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(variable, setting)| {
            let file = setting.is_secret.then(|| file_variable(variable));
            iter::once(variable.clone()).chain(file)
        })
    }

    /// The same as [`Self::variables`] for the keys of the configuration file.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let in_file = |variable: &String| !ONLY_VARIABLES.contains(&variable.as_str());
        self.variables().filter(in_file).map(|variable| key(&variable))
    }
}

pub(super) fn variable(arg: &Arg) -> Option<String> {
    arg.get_env().map(|name| name.to_string_lossy().into_owned())
}

/// The variable that names a file with the secret.
pub(super) fn file_variable(variable: &str) -> String {
    format!("{variable}_FILE")
}

/// The variables of OpenTelemetry, which many programs read. Those that are not settings here are ignored.
const OTEL: &str = "OTEL_";

/// Whether the variable may be a setting.
pub(super) fn is_read(variable: &str) -> bool {
    is_own(variable) || variable.starts_with(OTEL)
}

/// Whether the variable must be a setting.
pub(super) fn is_own(variable: &str) -> bool {
    variable.starts_with("SVC_")
}

/// `SVC_REDIS_URL` is `redis_url` in the configuration file, and `OTEL_SERVICE_NAME` is `otel_service_name`.
pub(super) fn key(variable: &str) -> String {
    variable.strip_prefix("SVC_").unwrap_or(variable).to_ascii_lowercase()
}

pub(super) fn variable_of_key(key: &str) -> String {
    let name = key.to_ascii_uppercase();
    if name.starts_with(OTEL) { name } else { format!("SVC_{name}") }
}

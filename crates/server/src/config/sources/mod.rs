//! Where settings come from: flags win over the environment, and the environment wins over the configuration file.
//!
//! Values of the environment and of the file are handed to clap as flags. So every source has the same rules and messages.

mod error;
mod foreign;
mod known;
mod values;

use std::{collections::BTreeSet, env, ffi::OsString, path::PathBuf};

use clap::{
    ArgMatches, Command, Parser,
    builder::StyledStr,
    error::{ContextKind, ContextValue, Error as ClapError, ErrorKind},
    parser::ValueSource,
};

use self::{
    error::SourceError,
    known::{Known, variable},
    values::{Environment, Values},
};

pub(crate) const CONFIG: &str = "SVC_CONFIG";
pub(crate) const ALLOW_UNKNOWN: &str = "SVC_ALLOW_UNKNOWN";

/// Options of every command.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SourceArgs {
    /// Configuration file (TOML): the names of the variables without `SVC_`, in lower case, such as `redis_url = "…"`;
    /// variables win over it, and flags over both
    #[arg(long, env = CONFIG, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    /// Ignore variables that begin with SVC_ and are not settings
    #[arg(long, env = ALLOW_UNKNOWN, global = true, value_parser = clap::builder::FalseyValueParser::new())]
    allow_unknown: bool,
}

/// The settings of one command as they were read, to find out later what has changed.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The configuration file.
    pub(crate) file: Option<PathBuf>,
    values: Values,
}

impl Settings {
    /// The variables of the settings that differ.
    pub(crate) fn changes(&self, newer: &Self) -> Vec<String> {
        let text = |settings: &Self, name: &str| {
            settings.values.get(name).map(|value| value.text.expose().to_owned())
        };
        let names: BTreeSet<&String> = self.values.keys().chain(newer.values.keys()).collect();
        names.into_iter().filter(|name| text(self, name) != text(newer, name)).cloned().collect()
    }
}

/// The command line of this process with its environment.
pub(crate) fn parse<P: Parser>() -> Result<(P, Settings), ClapError> {
    parse_from(env::args_os().collect(), env::vars_os())
}

fn parse_from<P: Parser>(
    mut arguments: Vec<OsString>,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<(P, Settings), ClapError> {
    let command = command::<P>();
    // Errors are found below. Help and version are not ignored: they end here, with the names of the variables.
    let matches = command.clone().ignore_errors(true).try_get_matches_from(&arguments)?;
    let (leaf, matches) = leaf(&command, &matches);
    let mut settings = Settings::default();
    if Known::own(leaf).has_settings() {
        settings = read(&command, leaf, matches, variables).map_err(SourceError::into_clap)?;
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        drop(arguments.splice(end..end, flags(leaf, &settings.values)));
    }
    let mut matches = without_variables(command.clone())
        .try_get_matches_from(arguments)
        .map_err(|error| with_sources(error, leaf, &settings.values))?;
    Ok((P::from_arg_matches_mut(&mut matches)?, settings))
}

/// The command with the variables of files in the help of each secret.
pub(crate) fn command<P: Parser>() -> Command {
    fn describe(command: Command) -> Command {
        let with_files = command.mut_args(|arg| match (variable(&arg), arg.get_help().cloned()) {
            (Some(variable), Some(help)) if arg.is_hide_env_values_set() => {
                let file = known::file_variable(&variable);
                arg.help(format!("{help}; {file} names a file with it"))
            }
            _ => arg,
        });
        with_files.mut_subcommands(describe)
    }
    describe(P::command())
}

fn leaf<'a>(command: &'a Command, matches: &'a ArgMatches) -> (&'a Command, &'a ArgMatches) {
    match matches.subcommand() {
        Some((name, matches)) => match command.find_subcommand(name) {
            Some(command) => leaf(command, matches),
            None => (command, matches),
        },
        None => (command, matches),
    }
}

fn read(
    command: &Command,
    leaf: &Command,
    matches: &ArgMatches,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<Settings, SourceError> {
    let known = Known::of(command);
    let environment = Environment::of(variables)?;
    let is_flag = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let allow_unknown = is_flag("allow_unknown") || environment.is_on(ALLOW_UNKNOWN)?;
    if !allow_unknown {
        environment.refuse_unknown(&known)?;
    }
    let file = if is_flag("config") {
        matches.get_one::<PathBuf>("config").cloned()
    } else {
        environment.get(CONFIG).map(PathBuf::from)
    };
    // A secret of another command, or one that a flag replaces, is not read: its file may belong to somebody else.
    let mut wanted = Known::own(leaf);
    for arg in leaf.get_arguments().filter(|arg| is_flag(arg.get_id().as_str())) {
        wanted.remove(arg);
    }
    let mut values = match &file {
        Some(file) => values::of_file(file, &known, &wanted)?,
        None => Values::new(),
    };
    values.extend(environment.values(&wanted)?);
    Ok(Settings { file, values })
}

fn flags(leaf: &Command, values: &Values) -> Vec<OsString> {
    let flag = |arg: &clap::Arg| {
        let value = values.get(&variable(arg)?)?;
        Some(OsString::from(format!("--{}={}", arg.get_long()?, value.text.expose())))
    };
    leaf.get_arguments().filter_map(flag).collect()
}

fn without_variables(command: Command) -> Command {
    command.mut_args(|arg| arg.env(None::<&'static str>)).mut_subcommands(without_variables)
}

/// Adds where a wrong value comes from, because nobody typed the flag that the message names.
fn with_sources(mut error: ClapError, leaf: &Command, values: &Values) -> ClapError {
    let context = [error.get(ContextKind::InvalidArg), error.get(ContextKind::PriorArg)];
    let named: Vec<String> = context.into_iter().flatten().flat_map(texts).collect();
    let is_missing = error.kind() == ErrorKind::MissingRequiredArgument;
    let tips: Vec<StyledStr> = leaf
        .get_arguments()
        .filter_map(|arg| {
            let (flag, variable) = (format!("--{}", arg.get_long()?), variable(arg)?);
            named.iter().any(|text| text.split(' ').next() == Some(flag.as_str())).then_some(())?;
            match values.get(&variable) {
                Some(value) => Some(format!("{flag} comes from {}", value.source)),
                None => is_missing.then(|| format!("{flag} can also be set with {variable}")),
            }
        })
        .map(StyledStr::from)
        .collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        // It would list the flags of all values, also of those that nobody typed.
        error.remove(ContextKind::Usage);
    }
    error
}

fn texts(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::String(text) => vec![text.clone()],
        ContextValue::Strings(texts) => texts.clone(),
        _ => Vec::new(),
    }
}

//! The values of the environment and of the configuration file.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use svc_mcp_access::Secret;

use super::{
    error::SourceError,
    foreign::is_foreign,
    known::{Known, file_variable, is_own, is_read, key, variable_of_key},
};
use crate::config::nearest::nearest;

/// A longer file is not a secret.
const MAX_SECRET_BYTES: u64 = 64 * 1024;
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

/// A value, and what an error message calls its source.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// Any value may be a secret.
    pub(super) text: Secret,
    pub(super) source: String,
}

/// By variable.
pub(super) type Values = BTreeMap<String, Value>;

/// The `SVC_…` and `OTEL_…` variables of the process. An empty one is the same as none.
#[derive(Debug, Default)]
pub(super) struct Environment(BTreeMap<String, String>);

impl Environment {
    pub(super) fn of(variables: impl Iterator<Item = (OsString, OsString)>) -> Result<Self, SourceError> {
        let mut found = BTreeMap::new();
        for (name, value) in variables {
            let name = name.to_string_lossy().into_owned();
            if !is_read(&name) || value.is_empty() {
                continue;
            }
            let value = value.into_string().map_err(|_| SourceError::NotUtf8(name.clone()))?;
            found.insert(name, value);
        }
        Ok(Self(found))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, name: &'static str) -> Result<bool, SourceError> {
        match self.get(name) {
            None | Some("0" | "false" | "off" | "no") => Ok(false),
            Some("1" | "true" | "on" | "yes") => Ok(true),
            Some(_) => Err(SourceError::AllowUnknown(name)),
        }
    }

    pub(super) fn refuse_unknown(&self, known: &Known) -> Result<(), SourceError> {
        let names: Vec<String> = known.variables().collect();
        let is_unknown = |name: &str, value: &str| {
            is_own(name) && !names.iter().any(|known| known == name) && !is_foreign(name, value)
        };
        let unknown = self.0.iter().filter(|(name, value)| is_unknown(name, value));
        let faults: Vec<String> = unknown.map(|(name, _)| describe_unknown(name, "SVC_", &names)).collect();
        if faults.is_empty() { Ok(()) } else { Err(SourceError::UnknownVariables(faults)) }
    }

    /// The values of these settings, also those in files.
    pub(super) fn values(&self, wanted: &Known) -> Result<Values, SourceError> {
        let named = self.0.iter().map(|(name, value)| (name.clone(), value.clone(), name.clone()));
        collect(named, wanted, &file_variable)
    }
}

/// Which setting an unknown name may mean.
fn describe_unknown(name: &str, prefix: &str, known: &[String]) -> String {
    let bare = |name: &str| name.strip_prefix(prefix).unwrap_or(name).to_owned();
    // Every secret has a second name, which is meant only if the wrong name ends like it.
    let is_file = |name: &str| name.to_ascii_lowercase().ends_with("_file");
    let candidates = known.iter().filter(|candidate| is_file(name) || !is_file(candidate));
    let candidates: Vec<String> = candidates.map(|name| bare(name)).collect();
    match nearest(&bare(name), candidates.iter().map(String::as_str)) {
        Some(close) => format!("{name} is not a setting; did you mean {prefix}{close}?"),
        None => format!("{name} is not a setting; `svc-mcp serve --help` lists all of them"),
    }
}

/// Joins `(variable, value, source)` into values. A variable that ends in `_FILE` names a file with the secret.
fn collect(
    named: impl Iterator<Item = (String, String, String)>,
    wanted: &Known,
    file_source: &dyn Fn(&str) -> String,
) -> Result<Values, SourceError> {
    let mut values = Values::new();
    let mut files = Vec::new();
    for (variable, text, source) in named {
        if wanted.get(&variable).is_some() {
            values.insert(variable, Value { text: Secret::new(text), source });
        } else if let Some(secret) = variable.strip_suffix("_FILE")
            && wanted.get(secret).is_some_and(|setting| setting.is_secret)
        {
            files.push((secret.to_owned(), PathBuf::from(text)));
        }
    }
    for (variable, path) in files {
        let source = file_source(&variable);
        if let Some(value) = values.get(&variable) {
            return Err(SourceError::Both(value.source.clone(), source));
        }
        let text = read_secret(&path, &source)?;
        values.insert(variable, Value { text, source });
    }
    Ok(values)
}

/// Reads a secret without its last line break, which editors add.
fn read_secret(path: &Path, name: &str) -> Result<Secret, SourceError> {
    let failed = |source| SourceError::SecretFile { name: name.to_owned(), path: path.to_owned(), source };
    let text = Secret::new(read_bounded(path, MAX_SECRET_BYTES).map_err(failed)?);
    let value = text.expose().strip_suffix('\n').unwrap_or(text.expose());
    let value = value.strip_suffix('\r').unwrap_or(value);
    if value.is_empty() {
        return Err(SourceError::EmptySecretFile { name: name.to_owned(), path: path.to_owned() });
    }
    Ok(Secret::new(value.to_owned()))
}

fn read_bounded(path: &Path, max: u64) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(max + 1).read_to_string(&mut text)?;
    if text.len() as u64 > max {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {max} bytes")));
    }
    Ok(text)
}

/// The values of these settings in the configuration file. Settings of other commands may be in it too.
pub(super) fn of_file(path: &Path, known: &Known, wanted: &Known) -> Result<Values, SourceError> {
    let text = read_bounded(path, MAX_CONFIG_BYTES)
        .map_err(|source| SourceError::File { path: path.to_owned(), source })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The library's own text quotes the line, which may have a secret.
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(""));
        let line = before.matches('\n').count() + 1;
        SourceError::Syntax { path: path.to_owned(), line, message: error.message().to_owned() }
    })?;
    let keys: Vec<String> = known.keys().collect();
    let mut faults = Vec::new();
    let mut named = Vec::new();
    for (name, value) in &table {
        if !keys.contains(name) {
            faults.push(match keys.iter().find(|known| **known == key(name)) {
                // The name of the variable.
                Some(known) => format!("{name} is not a setting; did you mean {known}?"),
                None => describe_unknown(name, "", &keys),
            });
            continue;
        }
        let variable = variable_of_key(name);
        let is_list = known.get(&variable).is_some_and(|setting| setting.is_list);
        match as_text(value, is_list) {
            Some(text) if text.is_empty() => {}
            Some(text) => named.push((variable, text, format!("{name} in {}", path.display()))),
            None if is_list => faults.push(format!("{name} must be a text or a list of texts")),
            None => faults.push(format!("{name} must be a text or a number")),
        }
    }
    if !faults.is_empty() {
        return Err(SourceError::Keys { path: path.to_owned(), faults });
    }
    let file_source = |variable: &str| format!("{} in {}", key(&file_variable(variable)), path.display());
    collect(named.into_iter(), wanted, &file_source)
}

fn as_text(value: &toml::Value, is_list: bool) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(value) => Some(value.to_string()),
        toml::Value::Array(values) if is_list => {
            let texts: Option<Vec<String>> = values.iter().map(|value| as_text(value, false)).collect();
            texts.map(|texts| texts.join(","))
        }
        _ => None,
    }
}
